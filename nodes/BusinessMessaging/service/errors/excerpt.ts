import { cutText } from '../cutText';
import { DIRECTIONS } from '../log';

/** Characters of a response that are read. */
const EXCERPT_READ_MAX = 65_536;
/** Characters of the service's own message that are quoted. */
const QUOTED_MAX = 2000;

/** Hides secrets in a text. */
export type Clean = (text: string) => string;

/** The start of a text, in one line. Secrets are hidden before the cut, which could split one. */
export function quoteOf(text: string, clean: Clean): string {
	const hidden = clean(cutText(text, EXCERPT_READ_MAX));
	return cutText(
		hidden.replace(DIRECTIONS, '').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
		QUOTED_MAX,
	);
}

/** The start of a text on one line, without markup and secrets. Each pattern is linear. */
function oneLineOf(text: string, length: number, clean: Clean): string {
	const plain = clean(cutText(text, EXCERPT_READ_MAX))
		.replace(DIRECTIONS, '')
		.replace(/<(script|style)[^]*?(?:<\/\1>|$)/gi, ' ')
		.replace(/<[^<>]*>/g, ' ')
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim();
	// Again, because markup may have split a secret.
	return cutText(clean(plain), length);
}

/** The start of an unexpected body. Of JSON, only its fields' names: a value may be secret. */
export function excerptOf(body: unknown, clean: Clean): string {
	if (body === undefined || body === null) return '';
	if (Array.isArray(body)) return 'a JSON list';
	if (typeof body === 'object')
		return `a JSON object with the fields ${oneLineOf(Object.keys(body).slice(0, 5).join(', '), 80, clean)}`;
	const text = String(body);
	return /^\s*[[{]/.test(text) ? 'JSON that is not whole' : oneLineOf(text, 120, clean);
}
