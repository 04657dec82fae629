import {
	cutText,
	errorASchema,
	errorBSchema,
	errorCSchema,
	errorDSchema,
	innerErrorSchema,
} from '../contract.mts';
import { type Found, WORDS_MAX } from '../facts/file.mts';

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
	retryAfter: string | null;
}

type ErrorParts = Pick<Answer, 'shape' | 'words' | 'subCode'>;

/** What an error body of any of the published shapes says. */
function errorParts(body: unknown): ErrorParts {
	const none = { subCode: undefined };
	const a = errorASchema.safeParse(body).data;
	if (a) return { ...none, shape: 'A', words: a.message };
	const c = errorCSchema.safeParse(body).data;
	if (c) return { shape: 'C', words: c.message, subCode: c.subCode ?? undefined };
	const b = errorBSchema.safeParse(body).data;
	if (b) return { ...none, shape: 'B', words: b.error };
	const d = errorDSchema.safeParse(body).data;
	const inner = innerErrorSchema.safeParse(d?.error.errors[0]).data;
	if (d) {
		const words = [inner?.code, inner?.message, inner?.description].filter(Boolean).join(' ');
		return { ...none, shape: 'D', words };
	}
	return { ...none, shape: 'other', words: undefined };
}

export function answerOf(response: Response, text: string): Answer {
	const date = Date.parse(response.headers.get('date') ?? '');
	let body: unknown = text === '' ? undefined : text;
	try {
		body = text === '' ? undefined : JSON.parse(text);
	} catch {
		// Stays a text.
	}
	return {
		...{ status: response.status, body, ...errorParts(body) },
		date: Number.isNaN(date) ? undefined : date,
		retryAfter: response.headers.get('retry-after'),
	};
}

/** What could belong to the account or a person, and what takes its place. */
const PRIVATE: ReadonlyArray<readonly [RegExp, string]> = [
	[/\b[a-z][a-z+.-]{1,20}:\/\/\S*/gi, '<address>'],
	[/[^\s@]{1,64}@[^\s@]{1,255}/g, '<address>'],
	[/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '<address>'],
	[/[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}/gi, '<id>'],
	[/\d{4,}/g, '<number>'],
	[/\S{40,}/g, '<text>'],
];

/** Words without secrets, identifiers, addresses and long numbers. */
export function safeWords(words: string, hide: (text: string) => string): string {
	const plain = PRIVATE.reduce(
		(text, [pattern, instead]) => text.replace(pattern, instead),
		hide(cutText(words, 2000)),
	);
	return cutText(plain.replace(/[\s\p{Cc}]+/gu, ' ').trim(), WORDS_MAX);
}

const SAFE_WORD = /^[\w.@-]{0,64}$/;

/** A name of the service for the file, unless it could be something private. */
export const safeWord = (word: unknown): string | undefined =>
	typeof word === 'string' && SAFE_WORD.test(word) && !/\d{4,}/.test(word) ? word : undefined;
