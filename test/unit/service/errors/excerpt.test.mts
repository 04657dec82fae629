import { excerptOf } from '#nodes/service/errors/serviceMessage.ts';

test.each<[string, unknown, string]>([
	['nothing', undefined, ''],
	['null', null, ''],
	['an empty text', '', ''],
	['a number', 7, '7'],
	['a list', ['a'], 'a JSON list'],
	['an object', { a: 'secret', b: 1 }, 'a JSON object with the fields a, b'],
	[
		'an object of many fields',
		{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 },
		'a JSON object with the fields a, b, c, d, e',
	],
	['words that only markup parts', 'Bad<br>Gateway', 'Bad Gateway'],
	['words that only a script parts', 'Bad<script>let a;</script>Gateway', 'Bad Gateway'],
	['a long text', 'x'.repeat(200), 'x'.repeat(120)],
	[
		'an object with a long name',
		{ ['x'.repeat(200)]: 1 },
		`a JSON object with the fields ${'x'.repeat(80)}`,
	],
])('makes an excerpt of %s', (_name, body, excerpt) => {
	expect(excerptOf(body, (text) => text)).toBe(excerpt);
});
