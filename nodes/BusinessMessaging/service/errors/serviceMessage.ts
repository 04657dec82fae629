import {
	errorASchema,
	errorBSchema,
	errorCSchema,
	errorDSchema,
	errorListSchema,
	innerErrorSchema,
	innerErrorsSchema,
	MEDIA_SUB_CODE_PATTERN,
} from '../contract';
import { cutText, DIRECTIONS } from '../cutText';

/** The number of inner errors that are quoted. */
const INNER_MAX = 5;

/** The service's own message in an error body of any shape. The caller removes secrets from it. */
export function readServiceMessage(body: unknown): string | undefined {
	const outer =
		errorASchema.safeParse(body).data?.message ??
		errorBSchema.safeParse(body).data?.error ??
		errorCSchema.safeParse(body).data?.message;
	const quoted = innerErrors(body)
		.slice(0, INNER_MAX)
		.map(innerMessage)
		.filter((message) => message.trim())
		.join('; ');
	return [outer, quoted].filter((message) => message?.trim()).join(': ') || undefined;
}

/** Of shape D, at the top level, or beside shape B. */
function innerErrors(body: unknown): unknown[] {
	const beside = () =>
		errorBSchema.safeParse(body).success
			? innerErrorsSchema.safeParse(body).data?.value.errors
			: undefined;
	return (
		errorDSchema.safeParse(body).data?.error.errors ??
		errorListSchema.safeParse(body).data?.errors ??
		beside() ??
		[]
	);
}

/** Whether the body carries a list of the chat application's errors. */
export const hasErrorList = (body: unknown): boolean => innerErrors(body).length > 0;

/** Whether it is the body of a send's own error: shape A, with the status of the response. */
export const isSendForm = (body: unknown, status: number): boolean =>
	errorASchema.safeParse(body).data?.error === status;

/** The description first, because `message` is often just "Invalid parameter". */
function innerMessage(entry: unknown): string {
	if (typeof entry === 'string') return entry;
	const { data } = innerErrorSchema.safeParse(entry);
	if (!data) return '';
	const { message, description, code, subCode, traceId } = data;
	const reason = description.trim() ? description : message;
	if (!reason.trim()) return '';
	const said = new Set([...reason.split(/\W+/), '']);
	const codes = [code, subCode].map((given) => String(given ?? '').trim());
	const trace = traceId.trim() && `traceId ${traceId.trim()}`;
	const others = [message === reason ? '' : message, ...new Set(codes), trace];
	const rest = others.filter((other) => other.trim() && !said.has(other)).join(', ');
	return rest ? `${reason} (${rest})` : reason;
}

/** The code of an error about media. Undefined for other errors. */
export function readMediaSubCode(body: unknown): string | undefined {
	const { subCode } = errorCSchema.safeParse(body).data ?? {};
	return typeof subCode === 'string' && MEDIA_SUB_CODE_PATTERN.test(subCode) ? subCode : undefined;
}

/** Characters of a message in which codes are looked for. */
const MESSAGE_READ_MAX = 2000;
const CODES_MAX = 5;

/**
 * The codes in a message: words of capitals and underscores, such as INVALID_CODE. Without those
 * that a secret contains, or that contain one.
 * @param clean hides other secrets
 */
export function codesIn(message: string, secrets: readonly string[], clean: Clean): string[] {
	const start = message.slice(0, MESSAGE_READ_MAX);
	const words = start.split(/\W+/).filter((word) => word.length <= 64 && isCode(word, start));
	const capitals = secrets.map((secret) => secret.trim().toUpperCase()).filter(Boolean);
	return [...new Set(words)]
		.slice(0, CODES_MAX)
		.filter((word) => !capitals.some((secret) => secret.includes(word) || word.includes(secret)))
		.filter((word) => clean(word) === word);
}

/** A word of capitals alone is a code only if nothing else is there: others emphasise so. */
const isCode = (word: string, message: string) =>
	/^[A-Z]+(?:_[A-Z]+)+$/.test(word) || (word === message.trim() && /^[A-Z]{2,}$/.test(word));

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
