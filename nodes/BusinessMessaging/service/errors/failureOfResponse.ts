import {
	ADDRESS_REFUSED_PATTERN,
	KEY_REFUSED_PATTERN,
	MESSAGE_FAILED_STATUS,
	WINDOW_CLOSED_PATTERN,
} from '../contract';
import { withoutSignatures } from '../secrets';
import type { Effect, Failure, FailureReason } from './failure';
import { mediaHint } from './mediaHints';
import { describeMissing, kindOfRequest, roleHint } from './route';

const CHECK_BASE_URL = 'Check the Base URL in the credential.';
const CHECK_FIELDS = "Check the values of the node's fields.";
/** Nothing is published about a limit. */
const MAYBE_TOO_MANY =
	'If the service allows no more webhooks here, delete those that nobody needs. Each question that waits in the chat has one.';
const RETRY_LATER = 'Try again later, or turn on "Retry On Fail" in the node\'s settings.';

/** The hint and the effect of what ended before the service was done. */
const MAYBE_DONE = [
	'It may have been done anyway. Check before you repeat it.',
	'unknown',
] as const satisfies [string, Effect];
const READ_AGAIN = [RETRY_LATER, 'none'] as const satisfies [string, Effect];

export interface ErrorResponse {
	method: string;
	/** Segments of the request's path, from `v1` on. */
	path: readonly string[];
	status: number;
	/** The service's own message, if the body has one of its error shapes. */
	serviceMessage: string | undefined;
	/** The code of an error about media. */
	subCode: string | undefined;
	/** Whether the body is the error of a send, `{error: <the status>, message}`. */
	isSendForm: boolean;
	/** The start of any other body. */
	excerpt: string;
	/** If they are given, of the response only they and the status are quoted. */
	codes?: readonly string[];
	/** Milliseconds that the service asks to wait. */
	retryAfter: number | undefined;
}

/** The response, ready to be quoted. */
interface QuotableResponse extends ErrorResponse {
	/** What the response is recognised by. Not quoted. */
	said: string;
	/** The service's own message, or the status and the start of the body. */
	quote: string;
	isFromService: boolean;
	/** A sentence about the wait that the service asks for, with a blank before it. */
	wait: string;
}

/** What a response means. */
type Diagnosis = [reason: FailureReason, cause: string, hint: string, effect?: Effect];

const KEY_REFUSED: Diagnosis = [
	'unauthorized',
	'the service refused the secret key',
	'Check the Secret Key in the credential: it is generated in the security panel of the service, and is not the public key.',
];

/**
 * The failure of a response with an error status. A status of 500 or more, without a message of the
 * service and without `Retry-After`, may come from a server in between. Its effect is unknown.
 */
export function failureOfResponse(response: ErrorResponse): Failure {
	const { status, excerpt, retryAfter, subCode, codes } = response;
	const isFromService = response.serviceMessage !== undefined;
	// It may quote the URL of a webhook.
	const message = withoutSignatures(response.serviceMessage ?? '');
	const body = excerpt ? `"${excerpt}"` : 'an empty body';
	const said = isFromService ? message : withoutSignatures(`status ${status} with ${body}`);
	const quotable: QuotableResponse = {
		...response,
		isFromService,
		said,
		quote: codes ? [`status ${status}`, ...codes].join(', ') : said,
		wait: retryAfter === undefined ? '' : ` It asks to wait for ${Math.ceil(retryAfter / 1000)} s.`,
	};
	const serviceMessage = codes ? codes.join(', ') : message;
	const [reason, cause, hint, effect = 'none'] =
		diagnoseMedia(quotable) ?? certainly(quotable, diagnose(quotable));
	return {
		reason,
		effect,
		cause,
		hint,
		status,
		...(isFromService && (serviceMessage || !codes) ? { serviceMessage } : {}),
		...(subCode === undefined ? {} : { subCode }),
		...(retryAfter === undefined ? {} : { retryAfter }),
	};
}

function diagnose(response: QuotableResponse): Diagnosis {
	if (response.status >= 500) return diagnoseServerError(response);
	return response.status >= 400 ? diagnoseRefusal(response) : diagnoseOther(response);
}

/**
 * What a response means for a message. A message that is repeated can arrive twice, so it takes a
 * refusal in one of the service's shapes to call it not sent. (assumed: docs/contract.md)
 */
function certainly(response: QuotableResponse, diagnosis: Diagnosis): Diagnosis {
	const [reason, cause, hint, effect = 'none'] = diagnosis;
	const { method, path, status, isFromService, isSendForm, retryAfter } = response;
	if (kindOfRequest(method, path) !== 'message' || effect !== 'none') return diagnosis;
	if (status === 429 || (status === 503 && retryAfter !== undefined)) return diagnosis;
	if (status < 500)
		return isFromService && status >= 400 ? diagnosis : [reason, cause, hint, 'unlikely'];
	if (status === MESSAGE_FAILED_STATUS && isSendForm) return [reason, cause, hint, 'unlikely'];
	return [reason, cause, 'The message may have been sent. Check before you repeat it.', 'unknown'];
}

/** Only the service has such codes. Each means that nothing was sent. */
function diagnoseMedia({
	status,
	subCode,
	isFromService,
	quote,
}: QuotableResponse): Diagnosis | undefined {
	if (subCode === undefined) return undefined;
	const detail = isFromService ? quote : subCode;
	if (status === 400)
		return [
			'media_rejected',
			`the service did not accept the file (${detail})`,
			mediaHint(subCode),
		];
	if (status !== 502) return undefined;
	return [
		'media_failed',
		`the service could not send the file (${detail})`,
		`${mediaHint(subCode)} Nothing was sent, so you can try again, or turn on "Retry On Fail" in the node's settings.`,
	];
}

function diagnoseRefusal(response: QuotableResponse): Diagnosis {
	const { method, path, status, said, quote, isFromService, wait, codes } = response;
	switch (status) {
		case 400:
			return diagnoseBadRequest(response);
		case 401:
			return KEY_REFUSED;
		case 403:
			return [
				'forbidden',
				`the service forbids it (${quote})`,
				`Check what the secret key is allowed to do. ${CHECK_BASE_URL}`,
			];
		case 404: {
			if (!isFromService)
				return [
					'unexpected_response',
					`nothing answers at this address (${quote})`,
					`${CHECK_BASE_URL} It must be the root of the service, without /v1.`,
				];
			const { ids, hint } = describeMissing(path, said, codes ? '' : said);
			return ['not_found', `${codes ? `not found (${quote})` : quote}${ids}`, hint];
		}
		case 405:
			return methodNotAllowed(quote);
		case 408:
		case 499:
			return [
				'timeout',
				`the service stopped waiting for the request (${quote})`,
				...(kindOfRequest(method, path) === 'read' ? READ_AGAIN : MAYBE_DONE),
			];
		case 422:
			if (/ENTERPRISE role/i.test(said))
				return ['role_required', 'the account lacks the ENTERPRISE role', roleHint(method, path)];
			if (isFromService && WINDOW_CLOSED_PATTERN.test(said))
				return [
					'window_closed',
					'the 24-hour conversation window is closed',
					'A free-form message can be sent only within 24 hours of the customer\'s last message. An approved template works at any time: choose "Send a Template Instead" in "When the Window Is Closed", or use the operation Send Template.',
				];
			break;
		case 429:
			return [
				'rate_limited',
				'the service asks to slow down',
				`Try again later. To send more slowly, use the option "Max per Second".${wait}`,
			];
	}
	return diagnoseOther(response);
}

function diagnoseBadRequest(response: QuotableResponse): Diagnosis {
	const { said, quote, isFromService, codes } = response;
	const refused = isFromService ? ADDRESS_REFUSED_PATTERN.exec(said) : null;
	if (refused) {
		const named = codes ? undefined : refused[1];
		const address = named ?? 'of this n8n';
		return [
			'address_not_allowed',
			`the account does not allow requests from the address ${address}`,
			`Add the address ${named ?? 'of this n8n on the internet'} to the account's list of allowed addresses at the service. It is the public address of this n8n, or of its proxy. The list takes up to ten minutes to act.`,
		];
	}
	if (isFromService && KEY_REFUSED_PATTERN.test(said)) return KEY_REFUSED;
	return ['invalid_request', `the service did not accept the request (${quote})`, CHECK_FIELDS];
}

function diagnoseServerError(response: QuotableResponse): Diagnosis {
	const { method, path, status, quote, isFromService, retryAfter, wait } = response;
	if (status === 501) return methodNotAllowed(quote);
	if (status === 503 && (isFromService || retryAfter !== undefined))
		return [
			'service_unavailable',
			`the service is not available at the moment (${quote})`,
			`${RETRY_LATER}${wait}`,
		];
	if (!isFromService)
		return [
			'service_error',
			`a server on the way answered with ${quote}`,
			'The request may have reached the service. Check before you repeat it.',
			'unknown',
		];
	const cause = `the service failed (${quote})`;
	const kind = kindOfRequest(method, path);
	if (status === 502 && kind === 'change')
		return ['service_error', cause, `The change was not made. ${RETRY_LATER}`];
	// The service stopped waiting. The server behind it may go on.
	if (status === 504 && kind !== 'read') return ['service_error', cause, ...MAYBE_DONE];
	return ['service_error', cause, RETRY_LATER];
}

function diagnoseOther({
	method,
	path,
	status,
	quote,
	isFromService,
	codes,
}: QuotableResponse): Diagnosis {
	if (status >= 300 && status < 400)
		return [
			'redirected',
			'the service answered with a redirect, which is not followed',
			CHECK_BASE_URL,
			// 301 to 303 can mean that the change was made.
			method !== 'GET' && status <= 303 ? 'unknown' : 'none',
		];
	const cause = isFromService && !codes ? quote : `the service answered with ${quote}`;
	const isNewWebhook = method === 'POST' && path.at(-1) === 'webhooks';
	return ['rejected', cause, isNewWebhook ? `${CHECK_FIELDS} ${MAYBE_TOO_MANY}` : CHECK_FIELDS];
}

function methodNotAllowed(quote: string): Diagnosis {
	return [
		'method_not_allowed',
		`the service does not offer this operation (${quote})`,
		'The service may not support it yet.',
	];
}
