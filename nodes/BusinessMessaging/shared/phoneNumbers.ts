/**
 * What stands for an identifier where two are compared: the ways in which one phone number is written count as one. What is no number is compared as it
 * stands, without blanks around it. Nothing is ever sent to what comes out here.
 */
export function normalizeIdentifier(identifier: string): string {
	const digits = digitsOf(identifier);
	return digits === undefined ? identifier.trim() : (formsOf(digits)[0] ?? digits);
}

/** All that an identifier can have been before its forms were known to be one: the digits as they are written, and those of each form. */
export function spellingsOf(identifier: string): string[] {
	const digits = digitsOf(identifier);
	if (digits === undefined) return [identifier.trim()];
	return [...new Set([identifier.replace(/\D/g, ''), digits, ...formsOf(digits)])];
}

/** A number is its digits: without plus or 00, blanks, dashes, dots, slashes, parentheses, and the invisible signs that come along when it is copied. */
function digitsOf(identifier: string): string | undefined {
	const written = identifier.replace(/[\s()./\p{Pd}\p{Cf}]/gu, '');
	if (!/^\+?\d+$/.test(written)) return undefined;
	return written.replace(/^(?:\+|00(?=[1-9]))/, '');
}

/**
 * Countries whose mobile numbers are written with a digit more or without it, and the chat application and people do not always choose the same. A digit
 * that makes a mobile number of a landline must not stand here: it would let a stranger answer.
 */
const COUNTRIES: Array<{ number: RegExp; digit: string; isUsual: boolean }> = [
	// Brazil put a 9 before the eight digits of its mobile numbers, which began with 6 to 9. Landlines begin with 2 to 5, and got none.
	{ number: /^(55[1-9]{2})9?([6-9]\d{7})$/, digit: '9', isUsual: true },
	// Mexico had a 1 before mobile numbers that are called from abroad. The ten digits after it belong to one line only.
	{ number: /^(52)1?([2-9]\d{9})$/, digit: '1', isUsual: false },
	// Argentina has a 9 there. The ten digits after it, area and number, belong to one line only.
	{ number: /^(54)9?([1-3]\d{9})$/, digit: '9', isUsual: false },
];

/** As Argentines call each other, a 15 stands behind the area. Two digits more than a number has: it can stand in one place only. */
const ARGENTINE_15 = /^54(?=\d{12}$)(11|[23]\d{2,3}?)15(\d+)$/;

/** The forms of a number that is written in several, the one to compare by first. */
function formsOf(digits: string): string[] {
	const number = digits.replace(ARGENTINE_15, '54$1$2');
	for (const { number: form, digit, isUsual } of COUNTRIES) {
		const [, before, after] = form.exec(number) ?? [];
		if (before === undefined || after === undefined) continue;
		const forms = [`${before}${digit}${after}`, `${before}${after}`];
		return isUsual ? forms : forms.reverse();
	}
	return [];
}
