/** Numbers that answer, and those that labels hold. The texts are short, with ASCII digits. */

/** With what is joined to it: `2–3`, `9:30`, `2½` and `-2` are other numbers than 2. */
const NUMBERS = /(?:(?<![\p{L}\p{M}])[\p{Pd}−])?\d\p{N}*(?:[^\p{L}\p{M}\s\p{N}]+\p{N}+)*/gu;

/** The only number in a text. */
export function onlyNumberIn(text: string): string | undefined {
	const [number, ...others] = text.match(NUMBERS) ?? [];
	return others.length > 0 ? undefined : (number ?? chineseNumber(text));
}

/** A text that is nothing but a number. */
export const bareNumber = (text: string): string | undefined =>
	[text, chineseNumber(text)].find((number) => number === onlyNumberIn(text));

/** Also a Chinese one, which can be part of a word. */
export const holdsDigits = (text: string): boolean => /[\p{N}〇一二三四五六七八九十]/u.test(text);

/** A number from 1 to 99 in Chinese and Japanese signs. Undefined for every other text. */
function chineseNumber(said: string): string | undefined {
	const [, tens, units = ''] =
		/^([二三四五六七八九]?十)?([一二三四五六七八九])?$/u.exec(said) ?? [];
	if (tens === undefined && units === '') return undefined;
	const ofTens = tens === undefined ? 0 : Math.max(1, DIGITS.indexOf(tens.charAt(0)) % 10);
	return String(ofTens * 10 + Math.max(0, DIGITS.indexOf(units || '〇')));
}

const DIGITS = '〇一二三四五六七八九十';
