import {
	digitsOf,
	hasBracketedZero,
	isPhoneNumber,
	type Trunk,
	trunkIn,
	withoutBracketedZero,
} from './trunk';
import {
	hasMoreBehind,
	isLikeNumber,
	LONGEST,
	writtenNumberIn,
	withPlainDigits,
	writtenIn,
} from './writtenNumber';

/**
 * What stands in a field for a person becomes the identifier that leaves. An identifier that the
 * service gives is never changed: `keyOf` in shared/phoneNumbers compares those.
 */

const AROUND = /^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu;
/** `5.5E+12`. A spreadsheet writes large numbers so. */
const E_NOTATION = /^[+-]?\d+(?:[.,]\d+)?[eE]\+?\d+$/;
/** A spreadsheet shows one or two decimals. What has fewer than ten digits can be a name. */
const DECIMALS = /^\+?\d{10,}[.,]0{1,2}$/;
/** The least number of ten digits. In E-notation, smaller ones can be names. */
const TEN_DIGITS = 1e9;

const LOCAL = /^\(\s*\d{2,3}\s*\)/;

/** How to write a number that has dots, dashes or 00 alone, or no country code. */
export const NUMBER_FORM =
	'Begin a phone number with + and its country code, e.g. +55 11 99999-0000.';

/** Why a value is sent to nobody: what is wrong, to follow its name, and what to do. */
export interface RecipientProblem {
	what: string;
	todo: string;
}

const AS_TEXT = 'Format the column of the spreadsheet as text.';
const WITH_PLUS = 'Begin it with + and the country code.';
const MAP_ONE = 'Map the one field that has a phone number, name or ID.';
const EMPTY = { what: 'is empty', todo: 'Enter a value, or map one from the input.' };
const LOST = { what: 'has lost digits', todo: AS_TEXT };
const ADDED = { what: 'has decimals, which a spreadsheet added', todo: AS_TEXT };
const ROUNDED = { what: 'ends in six zeros, so it may be rounded', todo: AS_TEXT };
const NO_COUNTRY = { what: 'begins with an area code in parentheses', todo: WITH_PLUS };
const NO_PLUS = { what: 'has a (0), but no + in front', todo: `${WITH_PLUS} Leave out the (0).` };
const SEVERAL = {
	what: 'has more than one phone number, or words behind it',
	todo: 'Enter one number alone, and use an item for each person.',
};
const withTrunk = ({ trunk, behind, without }: Trunk) => ({
	what: `has ${trunk.startsWith('8') ? 'an' : 'a'} ${trunk} behind its ${behind} code`,
	todo: `It is for calls within the country alone. ${without === undefined ? 'Leave it out.' : `Without it: +${without}.`}`,
});
/** Of a number that is sent, because a channel of IDs can have it. */
const LEADING_ZERO = { what: 'begins with 0', todo: WITH_PLUS };

export interface ReadRecipient {
	/** How it leaves. */
	identifier: string;
	/** It must not leave. */
	problem?: RecipientProblem;
	/** It may be a phone number, and leaves as it is. */
	isUnclear?: true;
}

/**
 * Reads what stands in a field for a person. It is a phone number only if it can hardly be anything
 * else. Then its signs go, and no other digit does.
 * @param given a number if an expression gave one, or anything else
 */
export function readRecipient(given: unknown): ReadRecipient {
	const what = kindOf(given);
	if (what !== undefined) return { identifier: '', problem: { what, todo: MAP_ONE } };
	const text = String(given ?? '').trim();
	if (text === '') return { identifier: text, problem: EMPTY };
	const problem = damageOf(given, writtenIn(text).written);
	if (problem) return { identifier: text, problem };
	const bare = text.length > LONGEST ? text : withPlainDigits(text.replace(AROUND, ''));
	if (/^\d+$/.test(bare))
		return { identifier: bare, ...(/^00\d{8,15}$/.test(bare) ? { isUnclear: true } : {}) };
	const number = writtenNumberIn(text);
	if (!number) return noNumber(text);
	const { visible, hasPlus, isLink, digits } = number;
	if (!hasPlus && LOCAL.test(visible) && digits.length <= 11)
		return { identifier: text, problem: NO_COUNTRY };
	const isInternational = hasPlus || digits.startsWith('00');
	if (!isInternational && hasBracketedZero(visible) && digits.length >= 8)
		return { identifier: text, problem: NO_PLUS };
	const written = digitsOf(isInternational ? withoutBracketedZero(visible) : visible);
	// No country code begins with 0.
	const dialled = hasPlus ? written.replace(/^0/, '') : written;
	const isWhole = /^\d{8,15}$/.test(dialled);
	const isNumber = hasPlus || isLink || /[\s()]/.test(visible);
	const found = isInternational && isNumber ? trunkIn(dialled) : undefined;
	if (found && (isWhole || found.without !== undefined))
		return { identifier: text, problem: withTrunk(found) };
	// Two lines: `55 11 3333-4444/5555`.
	const first = digitsOf(visible.split('/').slice(0, -1).join());
	const hasLines = isInternational ? isPhoneNumber(first) : first.length >= 8;
	const isDoubtful = hasLines || dialled !== written;
	if (!isWhole || (isDoubtful && !isPhoneNumber(dialled))) return noNumber(text);
	return isNumber ? { identifier: dialled } : { identifier: text, isUnclear: true };
}

function noNumber(text: string): ReadRecipient {
	if (hasMoreBehind(text)) return { identifier: text, problem: SEVERAL };
	return { identifier: text, ...(isLikeNumber(text) ? { isUnclear: true } : {}) };
}

/** A recipient as it leaves. Order and records of what was sent go by it, too. */
export const identifierOf = (given: string): string => readRecipient(given).identifier;

/** What is wrong with a recipient in a list, also if a channel of IDs could have it. */
export function problemIn(given: unknown): RecipientProblem | undefined {
	const { identifier, problem } = readRecipient(given);
	return (
		problem ?? (writtenNumberIn(identifier)?.digits.startsWith('0') ? LEADING_ZERO : undefined)
	);
}

/** A recipient that looks like a phone number, also a mistyped one. For hints alone. */
export function lookAt(recipient: string): { isNumber: boolean; mayLackCountry: boolean } {
	const { digits = '', hasPlus = true } = writtenNumberIn(recipient) ?? {};
	const isNumber = /^\d{1,15}$/.test(digits);
	const { isUnclear = false } = readRecipient(recipient);
	const isShort = !hasPlus && (digits.length < 11 || digits.startsWith('0'));
	return { isNumber, mayLackCountry: isNumber && (isShort || isUnclear) };
}

/** What is neither a text nor a number, in words. Undefined for these, and for nothing. */
function kindOf(given: unknown): string | undefined {
	if (given === undefined || given === null || typeof given === 'string') return undefined;
	if (typeof given === 'number')
		return Number.isFinite(given) ? undefined : `is ${given}, which is no number`;
	if (typeof given !== 'object') return `is ${String(given)}`;
	return Array.isArray(given) ? 'is a list' : 'is an object';
}

/** What a spreadsheet did to a number. Nobody can undo it. */
function damageOf(given: unknown, text: string): RecipientProblem | undefined {
	if (E_NOTATION.test(text) && Math.abs(Number(text.replace(',', '.'))) >= TEN_DIGITS) return LOST;
	if (DECIMALS.test(text)) return ADDED;
	if (typeof given !== 'number') return undefined;
	if (Number.isInteger(given) && !Number.isSafeInteger(given)) return LOST;
	return /^\d{5,}0{6}$/.test(text) ? ROUNDED : undefined;
}
