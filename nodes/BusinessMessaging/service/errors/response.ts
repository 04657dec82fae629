import type { Failure } from './serviceError';

export const TEMPLATE_CHANGES = ['templateCreate', 'templateChange', 'templateUpload'] as const;
/** On these routes alone, the chat application's refusals come as a list. */
export const OF_TEMPLATES = ['templateRead', ...TEMPLATE_CHANGES] as const;

/** What a request does. Only a message can have an effect although its response is an error. */
export type RequestKind = 'read' | 'change' | 'message' | (typeof OF_TEMPLATES)[number];

export const kindOf = ({ kind, method }: { kind?: RequestKind; method: string }): RequestKind =>
	kind ?? (method === 'GET' ? 'read' : 'change');

export interface ErrorResponse {
	method: string;
	/** Segments of the request's path, from `v1` on. */
	path: readonly string[];
	kind: RequestKind;
	status: number;
	/** The service's own message, if the body has one of its error shapes. */
	serviceMessage: string | undefined;
	/** The code of an error about media. */
	subCode: string | undefined;
	/** Whether the body is the error of a send, `{error: <the status>, message}`. */
	isSendForm: boolean;
	/** Whether the body carries a list of the chat application's errors. */
	hasErrorList: boolean;
	/** The start of any other body. */
	excerpt: string;
	/** If they are given, of the response only they and the status are quoted. */
	codes?: readonly string[];
	/** Milliseconds that the service asks to wait. */
	retryAfter: number | undefined;
}

/** The response, ready to be quoted. */
export interface QuotableResponse extends ErrorResponse {
	/** What the response is recognised by. Not quoted. */
	said: string;
	/** The service's own message, or the status and the start of the body. */
	quote: string;
	isFromService: boolean;
	/** A sentence about the wait that the service asks for, with a blank before it. */
	wait: string;
}

/** What a response means. Without an effect, nothing was done. */
export type Diagnosis = Pick<Failure, 'reason' | 'cause' | 'hint'> &
	Partial<Pick<Failure, 'effect'>>;

export interface Rule {
	/** The statuses that it is about, or the first and the last of them. */
	status: readonly number[] | { from: number; to: number };
	/** The requests that it is about. If left out, all of them. */
	of?: readonly RequestKind[];
	when?: (response: QuotableResponse) => boolean;
	says: Diagnosis | ((response: QuotableResponse) => Diagnosis);
}

export const RETRY_LATER = 'Try again later, or turn on "Retry On Fail" in the node\'s settings.';

/** The hint and the effect of what ended before the service was done. */
export const MAYBE_DONE = {
	hint: 'It may have been done anyway. Check before you repeat it.',
	effect: 'unknown',
} as const;

export const isFromService = (response: QuotableResponse): boolean => response.isFromService;
/** Whether the service's own words have this. */
export const says =
	(pattern: RegExp) =>
	({ isFromService: isOwn, said }: QuotableResponse): boolean =>
		isOwn && pattern.test(said);
/** What a refusal is quoted as, if nothing more is known of it. */
export const asQuoted = ({ isFromService: isOwn, codes, quote }: QuotableResponse): string =>
	isOwn && !codes ? quote : `the service answered with ${quote}`;
export const failed = ({ quote }: QuotableResponse): string => `the service failed (${quote})`;
