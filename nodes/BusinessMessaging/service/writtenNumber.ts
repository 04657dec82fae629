import { hash } from 'node:crypto';

import { digitsOf, isPhoneNumber } from './trunk';

/** The signs that people write in a phone number, beside the plus. Some are invisible. */
const DIGITS_AND_SIGNS = /^[\d\s+()./\p{Pd}\p{Cf}−]+$/u;
const INVISIBLE = /\p{Cf}/gu;
/** Such a number can be the ID of a group. */
const IS_NEGATIVE = /^[\p{Pd}−]/u;
/** Characters of a phone number with its signs. What is longer is none. */
export const LONGEST = 100;

/** A link to call or to write to a number. */
const CALL = /^(?:tel|phone|sms):([^/?#]+)\/?(?:[?#].*)?$/is;
/** Its host needs a dot, and its path is the number. */
const PATH = /^(?:https?:\/\/)?[^\s/?#]+\.[a-z]{2,}\/([^/?#]+)\/?(?:[?#].*)?$/i;
/** Its query has the number. */
const QUERY =
	/^(?:[a-z][a-z\d.-]*:\/\/|[^\s/?#]+\.[a-z]{2,}\/)[^\s?#]*\?(?:[^#]*&)?phone=([^&#]*)/i;
/** What other gateways put before a number, and people before several of theirs. */
const LABEL = /^\p{L}[\p{L}\p{M}\d_. -]*:\s*(?=[+＋])/u;
/** As a mail program writes addresses. */
const IN_ANGLES = /^<([^<>]*)>$/;
/** As CLDR's locales write thousands, dots aside, and those of India. */
const THOUSANDS = /^\+?\d{1,3}(?=([,'’٬⹁،]))(?:(?:\1\d{3})+|(?:\1\d\d)+\1\d{3})$/u;
/** Signs that only a number this long has. With letters for a carrier: `(0xx11)`. */
const LIKE_NUMBER = /^(?:[\d\s+()./,'’٬⹁،\p{Cf}\p{Pd}−]|(?<=0)xx(?=\d))+$/iu;
/** Other gateways and libraries know a number by an address. */
const ADDRESS = /^(\d{8,15})@([^\s@]+)$/;
/** Anybody can have such an address at another host, and nobody one at what is for examples. */
const HOSTS_OF_NUMBERS = ['c.us', 'chat.example'];
/** Another one, as the start of a SHA-256, because its name is a brand. */
const HASHED_HOST = '1SJYUCDOlX1A';

/** Of several numbers, or of one with words behind it, the first. */
const FIRST = /^[\s(]*(?:\+|00)[\d\s().\p{Pd}\p{Cf}−]*/u;

/** Digits of any script as ASCII, and the wide signs that an Asian keyboard writes. */
export const withPlainDigits = (text: string): string =>
	text
		.replace(/(?!\d)\p{Nd}/gu, asciiDigit)
		.replace(/[＋（）．／]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));

/** Unicode has digits in rows from 0 to 9. Up to five rows follow each other without a gap. */
export function asciiDigit(digit: string): string {
	const code = digit.codePointAt(0) ?? 0;
	let before = 0;
	while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
	return String(before % 10);
}

/** The digits before the @ of an address, if they are a phone number there. */
export function numberInAddress(text: string): string | undefined {
	const [, digits = '', at = ''] = ADDRESS.exec(text) ?? [];
	if (!isPhoneNumber(digits)) return undefined;
	const host = at.toLowerCase();
	const isHashed = () => hash('sha256', host, 'base64url').startsWith(HASHED_HOST);
	return HOSTS_OF_NUMBERS.includes(host) || isHashed() ? digits : undefined;
}

/** What a link leads to, or the text itself, with plain digits. What is too long is cut. */
export function writtenIn(text: string): { written: string; isLink: boolean } {
	const [, inner = text] = IN_ANGLES.exec(text) ?? [];
	const [, linked] = CALL.exec(inner) ?? QUERY.exec(inner) ?? PATH.exec(inner) ?? [];
	const label = linked === undefined ? (LABEL.exec(inner)?.[0].length ?? 0) : 0;
	const entered = linked?.replace(/%2B/gi, '+').replace(/%20/g, ' ') ?? inner.slice(label);
	const written = withPlainDigits(entered.slice(0, LONGEST + 1)).trim();
	const alone = numberInAddress(written) ?? numberInThousands(written);
	return { written: alone ?? written, isLink: (linked ?? alone) !== undefined };
}

function numberInThousands(text: string): string | undefined {
	const digits = THOUSANDS.test(text) ? digitsOf(text) : '';
	return isPhoneNumber(digits) ? digits : undefined;
}

/** Whether a text that is not read may be a phone number, or two that share their beginning. */
export function isLikeNumber(text: string): boolean {
	const { written } = writtenIn(text);
	const { length } = digitsOf(written);
	const isLong = length > 15 && !written.includes('/');
	return length >= 8 && !isLong && LIKE_NUMBER.test(written) && !IS_NEGATIVE.test(written);
}

/** Undefined for what has anything but digits and signs, or these in another order. */
export function writtenNumberIn(text: string) {
	const { written, isLink } = writtenIn(text);
	if (written.length > LONGEST || !DIGITS_AND_SIGNS.test(written)) return undefined;
	/** Without invisible signs. */
	const visible = written.replace(INVISIBLE, '').trim();
	if (IS_NEGATIVE.test(visible)) return undefined;
	const [first = '', ...others] = visible.split('+');
	const hasPlus = others.length > 0;
	if (others.length > 1 || (hasPlus && /\d/.test(first))) return undefined;
	return { visible, hasPlus, isLink, digits: visible.replace(/\D/g, '') };
}

/** Whether more follows a whole number. Letters do not count behind 00: it can be an ID. */
export function hasMoreBehind(text: string): boolean {
	const { written } = writtenIn(text);
	const [first = ''] = FIRST.exec(written) ?? [];
	const isNumber = /^\d{8,15}$/.test(digitsOf(first));
	if (!isNumber || first.length === written.length) return false;
	return first.includes('+') || !/^[\p{L}_@]/u.test(written.slice(first.trimEnd().length));
}
