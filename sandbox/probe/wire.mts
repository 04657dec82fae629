import {
	cutText,
	errorASchema,
	errorBSchema,
	errorCSchema,
	errorDSchema,
	innerErrorSchema,
} from '../contract.mts';
import { type Found, WORDS_MAX } from '../facts/file.mts';
import type { Stop } from './stop.mts';

/** A response of the service. */
export interface Answer {
	status: number;
	/** Parsed JSON, or the text. Undefined: empty. */
	body: unknown;
	/** The shape of an error body. */
	shape: NonNullable<Found['shape']>;
	/** The service's words in an error body. They can hold anything. */
	words: string | undefined;
	subCode: string | undefined;
	/** Milliseconds of the service's clock, by its Date header. */
	date: number | undefined;
}

/** What an error body of any of the published shapes says. */
function errorParts(body: unknown): Pick<Answer, 'shape' | 'words' | 'subCode'> {
	const c = errorCSchema.safeParse(body).data;
	const d = errorDSchema.safeParse(body).data;
	const inner = innerErrorSchema.safeParse(d?.error.errors[0]).data;
	const said = {
		A: errorASchema.safeParse(body).data?.message,
		C: c?.message,
		B: errorBSchema.safeParse(body).data?.error,
		D: d && [inner?.code, inner?.message, inner?.description].filter(Boolean).join(' '),
		other: undefined,
	};
	const shape = (['A', 'C', 'B', 'D'] as const).find((one) => said[one] !== undefined) ?? 'other';
	return { shape, words: said[shape], subCode: (shape === 'C' && c?.subCode) || undefined };
}

async function answerOf(response: Response): Promise<Answer> {
	const text = await response.text();
	let body: unknown = text === '' ? undefined : text;
	try {
		body = text === '' ? undefined : JSON.parse(text);
	} catch {
		// Stays a text.
	}
	const date = Date.parse(response.headers.get('date') ?? '') || undefined;
	return { status: response.status, body, date, ...errorParts(body) };
}

/** What could belong to the account or a person, and what takes its place. */
const PRIVATE: ReadonlyArray<readonly [RegExp, string]> = [
	[/\b[a-z][a-z+.-]{1,20}:\/\/\S*/gi, '<address>'],
	[/[^\s@]{1,64}@[^\s@]{1,255}/g, '<address>'],
	[/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '<address>'],
	[/[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}/gi, '<id>'],
	[/(?<!\d)\d{4,}/g, '<number>'],
	[/(?<!\S)\S{40,}/g, '<text>'],
];

/** Words without secrets, identifiers, addresses and long numbers. */
export function safeWords(words: string, hide: (text: string) => string): string {
	const plain = PRIVATE.reduce(
		(text, [pattern, instead]) => text.replace(pattern, instead),
		hide(cutText(words, 2000)),
	);
	return cutText(plain.replace(/[\s\p{Cc}]+/gu, ' ').trim(), WORDS_MAX);
}

/** A name of the service for the file, or `other` if it could be something private. */
export const safeWord = (word: unknown): string =>
	typeof word === 'string' && /^[\w.@-]{0,64}$/.test(word) && !/\d{4,}/.test(word) ? word : 'other';

/** Milliseconds for a response. */
const TIMEOUT = 60_000;

export interface CallOptions {
	method?: string;
	/** Sent as JSON. A string is sent unchanged. */
	body?: unknown;
	/** Another key than the account's. */
	key?: string;
	/** Also after a signal: to remove what was made. */
	always?: boolean;
}

/** No response came. */
export class NoAnswer extends Error {}

/**
 * Calls the service as any client does.
 *
 * @throws NoAnswer, or Stopped after a signal
 */
export type Call = (path: string, options?: CallOptions) => Promise<Answer>;

/**
 * A request under way is never given up at a signal: what it makes must be known, to be removed.
 *
 * @param url Base URL without a trailing slash
 */
export const callsTo =
	(url: string, ownKey: string, stop: Stop): Call =>
	async (path, { method, body, key = ownKey, always = false } = {}) => {
		if (!always) stop.check();
		const isText = typeof body === 'string';
		try {
			const response = await fetch(url + path, {
				...{ method: method ?? (body === undefined ? 'GET' : 'POST'), redirect: 'manual' },
				signal: AbortSignal.timeout(TIMEOUT),
				headers: {
					authorization: `Bearer ${key}`,
					...(body === undefined ? {} : { 'content-type': 'application/json' }),
				},
				...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
			});
			return await answerOf(response);
		} catch (error) {
			throw new NoAnswer(reasonOf(error));
		}
	};

function reasonOf(error: unknown): string {
	const { name, cause } = error as { name?: string; cause?: { code?: unknown } };
	if (name === 'TimeoutError') return `no response within ${TIMEOUT / 1000} s`;
	return typeof cause?.code === 'string' ? `no response (${cause.code})` : 'no response';
}
