/** Texts that break things, and changes to texts that were right. */
import fc from 'fast-check';

const ODD = [
	...[
		'',
		' ',
		',',
		'=',
		':',
		';',
		't=',
		'v1=',
		'\n',
		'\0',
		'0',
		'é',
		'💬',
		'Bearer ',
		'"',
		'{',
		'[',
	],
	...['__proto__', '1e9', '-', '\uFFFD', '\uD800', '%00', '%2e%2e', '..', '/', '\\'],
	'A'.repeat(3000),
];

export const oddText = fc.constantFrom(...ODD);

/**
 * A change of a text, which `changeText` carries out. `at` is a place in it: 0 the beginning, 1 the
 * end.
 */
const places = fc.double({ min: 0, max: 1, noNaN: true });
export const textChange = fc.oneof(
	fc.record({ do: fc.constant('insert' as const), at: places, text: oddText }),
	fc.record({
		do: fc.constant('remove' as const),
		at: places,
		count: fc.integer({ min: 1, max: 8 }),
	}),
	fc.record({ do: fc.constant('cut' as const), at: places }),
	fc.record({ do: fc.constant('replace' as const), text: fc.oneof(oddText, fc.string()) }),
	fc.record({
		do: fc.constant('put' as const),
		at: places,
		code: fc.integer({ min: 33, max: 122 }),
	}),
	fc.record({ do: fc.constant('upperCase' as const) }),
	fc.record({ do: fc.constant('double' as const), between: fc.constantFrom('', ',') }),
);
type TextChange = typeof textChange extends fc.Arbitrary<infer Value> ? Value : never;

export function changeText(text: string, change: TextChange): string {
	const at = 'at' in change ? Math.floor(change.at * text.length) : 0;
	switch (change.do) {
		case 'insert':
			return text.slice(0, at) + change.text + text.slice(at);
		case 'remove':
			return text.slice(0, at) + text.slice(at + change.count);
		case 'cut':
			return text.slice(0, at);
		case 'replace':
			return change.text;
		case 'put':
			return text.slice(0, at) + String.fromCharCode(change.code) + text.slice(at + 1);
		case 'upperCase':
			return text.toUpperCase();
		case 'double':
			return text + change.between + text;
	}
}

/** Any JSON value, with the names that code looks for among its own. */
export const jsonOf = (...names: string[]): fc.Arbitrary<unknown> =>
	fc.letrec((tie) => ({
		value: fc.oneof(
			{ depthSize: 'small', withCrossShrink: true },
			fc.constantFrom(null, true, false, 0, -1, 1.5, 1e308, '', '0'),
			oddText,
			fc.string(),
			tie('list'),
			tie('object'),
		),
		list: fc.array(tie('value'), { maxLength: 4 }),
		object: fc.dictionary(
			fc.oneof(
				fc.constantFrom(...names),
				fc.string(),
				fc.constantFrom('__proto__', 'constructor', 'toString'),
			),
			tie('value'),
			{ maxKeys: 6 },
		),
	})).value;
