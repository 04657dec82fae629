/** The 0 that people dial within a country. From abroad, most countries have none. */

/** Country codes: no code begins with another one. Source: ITU-T E.164, assigned country codes. */
const COUNTRY_CODE =
	/^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[2-689]\d{2})(?=\d)/;
/**
 * Countries with fixed or mobile numbers that begin with 0 and have no trunk prefix 0. Source:
 * libphonenumber 9 (resources/PhoneNumberMetadata.xml), which cites the plans at the ITU.
 */
const KEEP_ZERO = [
	'39', // Italy, and the Vatican in fact
	'225', // Ivory Coast
	'226', // Burkina Faso
	'229', // Benin
	'241', // Gabon
	'242', // Congo
	'378', // San Marino
	'379', // the Vatican's own, by the ITU
	'881', // satellites
	'992', // Tajikistan
];
const BRACKETED = /\(\s*0\s*\)/;

export const hasBracketedZero = (number: string): boolean => BRACKETED.test(number);

/** Some write the 0 behind the country code in parentheses: `+49 (0)151`. There it goes. */
export function withoutBracketedZero(number: string): string {
	const zero = BRACKETED.exec(number);
	if (!zero) return number;
	const before = number.slice(0, zero.index);
	const code = before.replace(/\D/g, '').replace(/^00/, '');
	const isCode = /^\d{1,3}$/.test(code) && before.includes(code) && !KEEP_ZERO.includes(code);
	return isCode ? before + number.slice(zero.index + zero[0].length) : number;
}

/**
 * The trunk prefix right behind the country code, and the digits without it. Undefined if there is
 * none. Nothing is one before a second 0: no number would be left.
 * @param digits with the country code
 */
export function trunkIn(digits: string): { trunk: string; without: string } | undefined {
	const [code = ''] = COUNTRY_CODE.exec(digits) ?? [];
	const national = digits.slice(code.length);
	const [trunk] = (code === '36' ? /^06?(?=[1-9])/ : /^0(?=[1-9])/).exec(national) ?? [];
	if (code === '' || trunk === undefined || KEEP_ZERO.includes(code)) return undefined;
	return { trunk, without: code + national.slice(trunk.length) };
}
