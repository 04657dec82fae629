import { NUMBER_PLANS } from './numberPlans';

/** What people dial before a number within a country. From abroad, most countries have none. */

const BRACKETED = /\(\s*0\s*\)/;
/** Within Argentina, a 15 follows the area code. The longer number shows that it is there. */
const ARGENTINE_15 = /^549?(?=\d{12}$)(11|[23]\d{2,3}?)15(\d+)$/;

/** Digits of the shortest number with its country code: Niue has four. */
const SHORTEST = 7;

interface Country {
	code: string;
	/** Its trunk prefixes, likeliest first. */
	trunks: string[];
	/** Its numbers by their first digits: `23g,9.1f` has 2 or 3 and six more, and 91 and five. */
	plan: string;
}

/** A prefix in a number where it does not belong. */
export interface Trunk {
	trunk: string;
	behind: 'country' | 'area';
	/** The number without it, if that is one. */
	without?: string;
}

export const hasBracketedZero = (number: string): boolean => BRACKETED.test(number);

/**
 * Some write the 0 behind the country code in parentheses: `+49 (0)151`. There it goes, unless the
 * number has it from abroad, too, or a prefix begins with it: `+55 (0)15 11` has a carrier's.
 */
export function withoutBracketedZero(number: string): string {
	const zero = BRACKETED.exec(number);
	if (!zero) return number;
	const [before, after] = [number.slice(0, zero.index), number.slice(zero.index + zero[0].length)];
	const code = digitsOf(before);
	const country = countryOf(code);
	if (country?.code !== code || !before.includes(code)) return number;
	const national = after.replace(/\D/g, '');
	if (fits(country, `0${national}`)) return number;
	if (fits(country, national)) return before + after;
	const isPrefix = trunkIn(`${code}0${national}`)?.without !== undefined;
	return isPrefix || hasZeros(country) ? number : before + after;
}

/** A prefix behind the country code, where no number has it. @param digits with that code */
export function trunkIn(digits: string): Trunk | undefined {
	const mended = withoutMobile15(digits);
	if (mended !== digits && digits.startsWith('549'))
		return { trunk: '15', behind: 'area', without: mended };
	const country = countryOf(digits);
	if (!country) return undefined;
	const { code, trunks } = country;
	const national = digits.slice(code.length);
	// Made-up numbers begin so, and no prefix does.
	if (national.startsWith('000000') || fits(country, national)) return undefined;
	const found = [...trunks, '0'].filter((trunk) => national.startsWith(trunk));
	for (const trunk of found) {
		const without = withoutMobile15(code + national.slice(trunk.length));
		if (isPhoneNumber(without)) return { trunk, behind: 'country', without };
	}
	// Elsewhere, a 0 that is no prefix may begin a mistyped number.
	const trunk = found.find((prefix) => trunks.includes(prefix) || !hasZeros(country));
	return trunk === undefined ? undefined : { trunk, behind: 'country' };
}

/** Whether a country has numbers of this length and beginning. */
export function isPhoneNumber(digits: string): boolean {
	// Most texts have fewer, and the search for their country is long.
	if (digits.length < SHORTEST) return false;
	const country = countryOf(digits);
	return country !== undefined && fits(country, digits.slice(country.code.length));
}

/** An Argentine number that has a 15, as it is without. Any other as it is. */
export const withoutMobile15 = (digits: string): string => digits.replace(ARGENTINE_15, '549$1$2');

/** The digits of a number, without a 00 that stands for +. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '').replace(/^00/, '');

/** Whether numbers begin with 0, and it is no prefix. */
const hasZeros = ({ plan, trunks }: Country): boolean =>
	plan.startsWith('0') && !trunks.includes('0');

export const countryCodeOf = (digits: string): string | undefined => countryOf(digits)?.code;

/** No country code begins with another one. */
function countryOf(digits: string): Country | undefined {
	for (const length of [1, 2, 3]) {
		const code = digits.slice(0, length);
		const start = NUMBER_PLANS.indexOf(`\n${code} `) + 1;
		if (start === 0) continue;
		const line = NUMBER_PLANS.slice(start, NUMBER_PLANS.indexOf('\n', start));
		const [, trunks = '', plan = ''] = line.split(' ');
		return { code, trunks: trunks.split(',').filter((trunk) => trunk !== ''), plan };
	}
	return undefined;
}

/** A letter counts the digits behind those that a row names. */
const fits = ({ plan }: Country, digits: string): boolean =>
	plan.split(',').some((row) => {
		const places = row.match(/\d+/g) ?? [];
		const rest = String.fromCharCode(97 + digits.length - places.length);
		return row.includes(rest) && places.every((place, at) => place.includes(digits.charAt(at)));
	});
