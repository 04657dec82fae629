import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod';

import { ServiceError } from './errors';
import {
	codesIn,
	hasErrorList,
	isSendForm,
	readMediaSubCode,
	readServiceMessage,
	type Clean,
	excerptOf,
	quoteOf,
} from './errors/serviceMessage';
import type { Failure } from './errors/serviceError';
import { failureOfResponse } from './errors/failureOfResponse';
import { kindOf, type RequestKind } from './errors/response';
import { countingFaults, readableOf, type ListPlace } from './leftOut';
import { jsonOrText } from './parseJson';
import { isByteStream, readBody } from './readBody';
import { HIDDEN, secretRemover, signaturesIn } from './secrets';

/** Bytes of a response, after decompression. The longest lists have some hundred thousand. */
export const ANSWER_MAX = 8 * 1024 ** 2;

const CHECK_ROOT =
	'Check that the Base URL in the credential is the root of the messaging service.';

/** Faults of a response that are looked at. */
const FAULTS_MAX = 2000;

/** A response as n8n's helper gives it. */
export interface FullResponse {
	statusCode: number;
	headers: IDataObject;
	/** A stream, and once it is read, what JSON holds, or a text. Empty: ''. */
	body: unknown;
}

/** Reads the body. What is not JSON stays a text. @throws ServiceError if it is too large */
export async function withBody(
	action: string,
	response: FullResponse,
	signal: AbortSignal,
): Promise<FullResponse> {
	const { statusCode, headers, body } = response;
	if (!isByteStream(body)) return response;
	// One that is not read at all keeps its connection in n8n 2.41.
	const most = Number(headers['content-length']) > ANSWER_MAX ? 0 : ANSWER_MAX;
	const bytes = await readBody(body, most, signal);
	if (bytes) return { statusCode, headers, body: jsonOrText(bytes.toString()) };
	const cause = `the service answered with more than ${ANSWER_MAX / 1024 ** 2} MB`;
	throw new ServiceError(action, unreadable(statusCode, cause));
}

/** Its status says that it was done. */
const unreadable = (status: number, cause: string): Failure => ({
	reason: 'unexpected_response',
	effect: 'unknown',
	cause,
	hint: CHECK_ROOT,
	status,
});

/**
 * What the request asked for.
 * @param ofCredential its secrets, which an error shows as little as those of the request
 * @param warn is told which entries of a list were left out
 * @throws ServiceError, and nothing else: other errors could quote what is not to be quoted
 */
export function resultOf<Result>(
	wanted: ServiceRequest<Result>,
	response: FullResponse,
	ofCredential: readonly unknown[],
	warn: (words: string) => void,
): Result {
	const clean = () => removerFor(wanted, ofCredential);
	let failure: Failure | undefined;
	try {
		const { statusCode: status } = response;
		if (status < 200 || status > 299) failure = refusalOf(wanted, response, clean());
		else if (!wanted.response) return undefined as Result;
		else {
			const parsed = wanted.response.safeParse(response.body, {
				errorMap: countingFaults(FAULTS_MAX),
			});
			if (parsed.success) return parsed.data;
			const { entries } = wanted;
			const rest = entries && readableOf(response.body, parsed.error.issues, entries, clean());
			const again = rest && wanted.response.safeParse(rest.body);
			if (again?.success) {
				warn(
					`The service's answer to "${wanted.action}" has entries in an unexpected form, which are left out: ${rest?.leftOut} is missing or of another type`,
				);
				entries?.onLeftOut?.();
				return again.data;
			}
			const path = parsed.error.issues[0]?.path ?? [];
			failure = unexpected(wanted, response, path, clean());
		}
	} catch {
		const cause = 'the response of the service could not be read';
		failure = unreadable(response.statusCode, cause);
	}
	throw new ServiceError(wanted.action, failure);
}

/** Signatures that are searched for in a response. Each takes time, and more are in no message. */
const SIGNATURES_MAX = 200;

/** A service or a proxy may repeat anything that it was sent. Files hold no links of ours. */
function removerFor(
	{ body, secrets = [] }: ServiceRequest<unknown>,
	ofCredential: readonly unknown[],
): Clean {
	const signatures = body && !Buffer.isBuffer(body) ? signaturesIn(body) : [];
	if (signatures.length > SIGNATURES_MAX) return () => HIDDEN;
	return secretRemover([...ofCredential, ...secrets, ...signatures]);
}

function refusalOf(
	wanted: ServiceRequest<unknown>,
	{ statusCode: status, headers, body }: FullResponse,
	clean: Clean,
): Failure {
	const { method, path, secrets = [], quotesOnlyCodes } = wanted;
	const message = readServiceMessage(body);
	const subCode = readMediaSubCode(body);
	const refusal = {
		...{ method, path, kind: kindOf(wanted), status },
		...{ isSendForm: isSendForm(body, status), hasErrorList: hasErrorList(body) },
		retryAfter: parseRetryAfter(headers['retry-after'], Date.now()),
	};
	if (quotesOnlyCodes)
		return failureOfResponse({
			...{ ...refusal, serviceMessage: message, subCode: undefined, excerpt: '' },
			codes: codesIn(message ?? '', secrets, clean),
		});
	return failureOfResponse({
		...refusal,
		serviceMessage: message === undefined ? undefined : quoteOf(message, clean),
		subCode: subCode === undefined ? undefined : quoteOf(subCode, clean),
		excerpt: excerptOf(body, clean),
	});
}

function unexpected(
	{ quotesOnlyCodes }: ServiceRequest<unknown>,
	{ statusCode: status, body }: FullResponse,
	path: ReadonlyArray<string | number>,
	clean: Clean,
): Failure {
	const described = () => {
		if (path.length > 0)
			return `: ${quoteOf(`"${path.join('.')}" is missing or of another type`, clean)}`;
		return quotesOnlyCodes ? '' : `: the body is "${excerptOf(body, clean)}"`;
	};
	return unreadable(
		status,
		body === ''
			? 'the service answered with an empty body'
			: `the service answered in an unexpected form${described()}`,
	);
}

/** Longer than every number and date. */
const LENGTH_MAX = 400;
const LONGEST_WAIT = 24 * 3_600_000;

/** Milliseconds to wait by `Retry-After`, seconds or a date, at most a day (RFC 9110, 10.2.3). */
export function parseRetryAfter(header: unknown, now: number): number | undefined {
	const value: unknown = Array.isArray(header) ? header[0] : header;
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = String(value).trim();
	if (text.length > LENGTH_MAX) return undefined;
	if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1000), LONGEST_WAIT);
	// An HTTP date starts with the day's name. `Date.parse` reads numbers such as -5 as a year.
	if (!/^[A-Za-z]{3}/.test(text)) return undefined;
	// An old form has no zone, and is meant in UTC.
	const date = Date.parse(/[A-Za-z]$|[+-]\d{4}$/.test(text) ? text : `${text} GMT`);
	return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), LONGEST_WAIT);
}

export interface ServiceRequest<Result> {
	/** What is tried, to follow "Could not ". */
	action: string;
	/** What its errors mean. If left out, those of a read or a change. */
	kind?: RequestKind;
	method: IHttpRequestMethods;
	/** Segments after the base URL, not encoded: `['v1', 'channels', channelId]`. */
	path: string[];
	query?: IDataObject;
	/** An object is sent as JSON, unless `contentType` says otherwise. */
	body?: object;
	contentType?: string;
	/** Secrets of the body, beside the signatures in it. No error shows them. */
	secrets?: readonly string[];
	/** Whether an error quotes of the response nothing but its status and codes. */
	quotesOnlyCodes?: boolean;
	/** The shape of the response. Leave it out if the service responds without a body. */
	response?: ZodType<Result, ZodTypeDef, unknown>;
	/** If the response is a list, or has one: what cannot be read of its entries is left out. */
	entries?: ListPlace;
	/** Milliseconds for all of it. */
	timeout?: number | undefined;
}
