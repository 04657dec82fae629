import fc from 'fast-check';

import { cutText, cutToEnd, cutWithMark } from '#nodes/service/cutText.ts';

const isWhole = (text: string) => !/[\ud800-\udfff]/u.test(text);
const whole = fc.string({ unit: 'grapheme', maxLength: 30 });
const most = fc.integer({ min: 4, max: 12 });

test('a text that fits stays as it is', () => {
	for (const cut of [cutText, cutToEnd, cutWithMark]) expect(cut('Olá 👋', 6)).toBe('Olá 👋');
});

test('an emoji is never cut in two', () => {
	expect(cutWithMark('👋👋👋👋👋', 9)).toBe('👋👋 […]');
	fc.assert(
		fc.property(whole, most, (text, length) => {
			for (const cut of [cutText, cutToEnd, cutWithMark]) {
				expect(cut(text, length).length).toBeLessThanOrEqual(length);
				expect(isWhole(cut(text, length))).toBe(true);
			}
		}),
	);
});

test('of a cut text, the start or the end is left, as much as fits', () => {
	fc.assert(
		fc.property(whole, most, (text, length) => {
			expect(text.startsWith(cutText(text, length))).toBe(true);
			expect(text.endsWith(cutToEnd(text, length))).toBe(true);
			const least = Math.min(text.length, length - 1);
			expect(cutText(text, length).length).toBeGreaterThanOrEqual(least);
			expect(cutToEnd(text, length).length).toBeGreaterThanOrEqual(least);
		}),
	);
});
