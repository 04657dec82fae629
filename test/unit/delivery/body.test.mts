import {
	DEPTH_MAX,
	isNestedTooDeep,
	readBody,
} from '../../../nodes/BusinessMessaging/delivery/body.ts';

const signed = Buffer.from('{"text":"é"}');

it('takes what n8n parsed from JSON in UTF-8', () => {
	const body = { text: 'é' };
	expect(
		readBody({ rawBody: signed, body, contentType: 'application/json', encoding: 'utf-8' }),
	).toBe(body);
});

it.each([
	['another charset', { contentType: 'application/json', encoding: 'latin1' }],
	['another type', { contentType: 'text/plain', encoding: 'utf-8' }],
	['no type', {}],
])(
	'reads the signed bytes themselves when the headers, which nobody signs, say %s',
	(_, headers) => {
		expect(readBody({ rawBody: signed, body: { text: 'Ã©' }, ...headers })).toEqual({ text: 'é' });
	},
);

it('reads the signed bytes themselves when there are none, of which n8n makes an object', () => {
	expect(
		readBody({
			rawBody: Buffer.alloc(0),
			body: {},
			contentType: 'application/json',
			encoding: 'utf-8',
		}),
	).toBe('');
});

it('passes on as text what is not JSON', () => {
	expect(readBody({ rawBody: Buffer.from('\uFEFF{"text"') })).toBe('{"text"');
});

it.each([
	[DEPTH_MAX, false],
	[DEPTH_MAX + 1, true],
	[100_000, true],
])('looks no deeper than it may: %d levels', (levels, isTooDeep) => {
	let list: unknown[] = [];
	let object: Record<string, unknown> = {};
	for (let level = 1; level < levels; level++) {
		list = ['before', list];
		object = { before: 1, inner: object };
	}
	expect([isNestedTooDeep(list as never), isNestedTooDeep(object as never)]).toEqual([
		isTooDeep,
		isTooDeep,
	]);
});
