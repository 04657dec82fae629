import { ADDRESS_REFUSED_PATTERN, KEY_REFUSED_PATTERN, WINDOW_CLOSED_PATTERN } from './contract';
import type { Effect, Failure, FailureReason } from './errors';
import { mediaHint } from './mediaHints';
import { askedFor, roleHint } from './route';
import { withoutSignatures } from './signedUrl';

const CHECK_BASE_URL = 'Check the Base URL in the credential.';
const CHECK_FIELDS = "Check the values of the node's fields.";
const RETRY_LATER = 'Try again later, or turn on "Retry On Fail" in the node\'s settings.';

export interface ErrorResponse {
	method: string;
	/** Segments of the path that was asked for, from `v1` on. */
	path: readonly string[];
	status: number;
	/** The service's own words, where the body has one of its error shapes. */
	serviceMessage: string | undefined;
	/** Of an error about media. */
	subCode: string | undefined;
	/** What a body of no shape begins with. */
	excerpt: string;
	/** Milliseconds that the service asks to wait. */
	retryAfter: number | undefined;
}

/** The response with its words as they are quoted. */
interface Answer extends ErrorResponse {
	/** The service's own words, or else the status and what the body begins with. */
	said: string;
	inShape: boolean;
	/** A sentence about the wait that the service asks for, with a blank before it. */
	wait: string;
}

type Meaning = [reason: FailureReason, cause: string, hint: string, effect?: Effect];

const KEY_REFUSED: Meaning = [
	'unauthorized',
	'the service refused the secret key',
	'Check the Secret Key in the credential: it is generated in the security panel of the service, and is not the public key.',
];

/**
 * What a response with an error status means. A status above 499 can come from a server in between that does not know what became of the request: only
 * the service's own words, or its asking to wait, say that nothing was done.
 */
export function failureOfResponse(response: ErrorResponse): Failure {
	const { status, excerpt, retryAfter, subCode } = response;
	const inShape = response.serviceMessage !== undefined;
	// It may repeat the URL of a webhook.
	const serviceMessage = withoutSignatures(response.serviceMessage ?? '');
	const body = excerpt ? `"${excerpt}"` : 'an empty body';
	const answer: Answer = {
		...response,
		inShape,
		said: inShape ? serviceMessage : withoutSignatures(`status ${status} with ${body}`),
		wait: retryAfter === undefined ? '' : ` It asks to wait for ${Math.ceil(retryAfter / 1000)} s.`,
	};
	const [reason, cause, hint, effect = 'none'] =
		meaningOfMedia(answer) ??
		(status >= 500
			? meaningOfServerError(answer)
			: status >= 400
				? meaningOfRefusal(answer)
				: meaningOfOther(answer));
	return {
		reason,
		effect,
		cause,
		hint,
		status,
		...(inShape ? { serviceMessage } : {}),
		...(subCode === undefined ? {} : { subCode }),
		...(retryAfter === undefined ? {} : { retryAfter }),
	};
}

/** Only the service itself tells such codes, and each means that nothing was sent. */
function meaningOfMedia({ status, subCode, inShape, said }: Answer): Meaning | undefined {
	if (subCode === undefined) return undefined;
	const words = inShape ? said : subCode;
	if (status === 400)
		return ['media_rejected', `the service did not accept the file (${words})`, mediaHint(subCode)];
	if (status !== 502) return undefined;
	return [
		'media_failed',
		`the service could not send the file (${words})`,
		`${mediaHint(subCode)} Nothing was sent, so it may be tried again: "Retry On Fail" in the node's settings does.`,
	];
}

function meaningOfRefusal(answer: Answer): Meaning {
	const { method, path, status, said, inShape, wait } = answer;
	switch (status) {
		case 400:
			return meaningOfBadRequest(answer);
		case 401:
			return KEY_REFUSED;
		case 403:
			return [
				'forbidden',
				`the service forbids it (${said})`,
				`Check what the secret key is allowed to do. ${CHECK_BASE_URL}`,
			];
		case 404: {
			if (!inShape)
				return [
					'unexpected_response',
					`nothing answers at this address (${said})`,
					`${CHECK_BASE_URL} It must be the root of the service, without /v1.`,
				];
			const { named, hint } = askedFor(path, said);
			return ['not_found', `${said}${named}`, hint];
		}
		case 405:
			return methodNotAllowed(said);
		case 422:
			if (/ENTERPRISE role/i.test(said))
				return ['role_required', 'the account lacks the ENTERPRISE role', roleHint(method, path)];
			if (inShape && WINDOW_CLOSED_PATTERN.test(said))
				return [
					'window_closed',
					'the 24-hour conversation window is closed',
					"A free-form message can be sent only within 24 hours of the customer's last message. Use the operation Send Template: an approved template works while the window is closed. Or wait until the customer writes again.",
				];
			break;
		case 429:
			return [
				'rate_limited',
				'the service asks to slow down',
				`Try again later. To send more slowly, use the option "Max per Second".${wait}`,
			];
	}
	return meaningOfOther(answer);
}

function meaningOfBadRequest({ said, inShape }: Answer): Meaning {
	const refused = inShape ? ADDRESS_REFUSED_PATTERN.exec(said) : null;
	if (refused) {
		const address = refused[1] ?? 'of this n8n';
		return [
			'address_not_allowed',
			`the account does not allow requests from the address ${address}`,
			`Add the address ${refused[1] ?? 'under which this n8n reaches the internet'} to the account's list of allowed addresses at the service. It is the public address of this n8n, or of the proxy that it goes out through.`,
		];
	}
	if (inShape && KEY_REFUSED_PATTERN.test(said)) return KEY_REFUSED;
	return ['invalid_request', `the service did not accept the request (${said})`, CHECK_FIELDS];
}

function meaningOfServerError({ status, said, inShape, retryAfter, wait }: Answer): Meaning {
	if (status === 501) return methodNotAllowed(said);
	if (status === 503 && (inShape || retryAfter !== undefined))
		return [
			'service_unavailable',
			`the service is not available at the moment (${said})`,
			`${RETRY_LATER}${wait}`,
		];
	if (status === 502 || status === 504 || !inShape)
		return [
			'service_error',
			`a server on the way answered with ${said}`,
			'The request may have reached the service. Check before you repeat it.',
			'unknown',
		];
	return ['service_error', `the service failed (${said})`, RETRY_LATER];
}

function meaningOfOther({ method, status, said, inShape }: Answer): Meaning {
	if (status >= 300 && status < 400)
		return [
			'redirected',
			'the service answered with a redirect, which is not followed so that the secret key stays with the service',
			CHECK_BASE_URL,
			// "Done, look there" is a way to answer a request that changes something.
			method !== 'GET' && status <= 303 ? 'unknown' : 'none',
		];
	return ['rejected', inShape ? said : `the service answered with ${said}`, CHECK_FIELDS];
}

function methodNotAllowed(said: string): Meaning {
	return [
		'method_not_allowed',
		`the service does not offer this operation (${said})`,
		'The service may not support it yet. Its other operations are not affected.',
	];
}
