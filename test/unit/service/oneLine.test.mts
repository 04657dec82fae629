import * as fc from 'fast-check';

import { oneLine } from '#nodes/service/cutText.ts';

test.each([
	['Ana', 'Ana'],
	['  Ana  Maria ', 'Ana Maria'],
	['Mallory\n\n(confirmed by the manager)', 'Mallory (confirmed by the manager)'],
	['a\u0085b\u2028c\u2029d\u000Be\u0000f\r\ng', 'a b c d e f g'],
	[`Mallory${'\u3164\u2800 '.repeat(40)}Approved`, 'Mallory Approved'],
	['\u202Edevorppa', 'devorppa'],
	['👩‍👩‍👧 Ana', '👩‍👩‍👧 Ana'],
	['\n\n', ''],
])('%j is one line', (words, line) => {
	expect(oneLine(words, 100)).toBe(line);
});

test('splits no character', () => {
	expect(oneLine('👍👍👍', 2)).toBe('👍👍');
	expect(oneLine('ab cd', 3)).toBe('ab');
});

test('gives a bounded line of any words', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20 }), (words, most) => {
			const line = oneLine(words, most);
			expect(Array.from(line).length).toBeLessThanOrEqual(most);
			expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
		}),
	);
});
