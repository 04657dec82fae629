import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { errorASchema, errorBSchema, WINDOW_CLOSED_PATTERN } from './contract';

/** Why a request to the service did not do what was asked. Workflows branch on it as `details.reason`. */
export type FailureReason =
	| 'invalid_request'
	| 'unauthorized'
	| 'forbidden'
	| 'role_required'
	| 'window_closed'
	| 'not_found'
	| 'method_not_allowed'
	| 'rejected'
	| 'rate_limited'
	| 'service_unavailable'
	| 'service_error'
	| 'connection_refused_by_chat_app'
	| 'unexpected_response'
	| 'redirected'
	| 'unreachable'
	| 'tls'
	| 'blocked'
	| 'timeout'
	| 'connection_lost'
	| 'cancelled'
	| 'unknown_outcome'
	| 'question_waiting'
	| 'n8n_unreachable';

/**
 * What is known of the request's effect: `none`, the service did not do it; `unknown`, it may have.
 * Only `none` may be repeated without risk.
 */
export type Effect = 'none' | 'unknown';

export interface Failure {
	reason: FailureReason;
	effect: Effect;
	/** What happened, without a final full stop, fit to follow "Could not send the text: ". */
	cause: string;
	/** What to do next, in whole sentences. */
	hint: string;
	/** HTTP status, where there was an answer. */
	status?: number;
	/** The service's own words. */
	serviceMessage?: string;
	/** Milliseconds that the service asked to wait. */
	retryAfter?: number;
}

/** A failed request: says what was tried, what happened and what to do. Holds no secret. */
export class ServiceError extends Error {
	readonly failure: Failure;

	constructor(
		/** What was tried, fit to follow "Could not ": "send the text". */
		readonly action: string,
		failure: Failure,
	) {
		super(`Could not ${action}: ${failure.cause}`);
		this.name = 'ServiceError';
		this.failure = failure;
	}

	get reason(): FailureReason {
		return this.failure.reason;
	}

	get status(): number | undefined {
		return this.failure.status;
	}

	get hint(): string {
		return this.failure.hint;
	}

	get serviceMessage(): string | undefined {
		return this.failure.serviceMessage;
	}

	/** The hint, and the service's own words where the message does not quote them already. */
	get description(): string {
		const { serviceMessage } = this.failure;
		if (!serviceMessage || this.message.includes(serviceMessage)) return this.hint;
		return `${this.hint} The service said: "${serviceMessage}".`;
	}

	/** What an item of a failed request carries under `details`. */
	get details(): { reason: FailureReason; hint: string; status?: number; serviceMessage?: string; retryAfter?: number } {
		const { reason, hint, status, serviceMessage, retryAfter } = this.failure;
		return {
			reason,
			hint,
			...(status === undefined ? {} : { status }),
			...(serviceMessage ? { serviceMessage } : {}),
			...(retryAfter === undefined ? {} : { retryAfter }),
		};
	}
}

/** The service's own words in an error body of either shape (description, section 7). What stands behind `http` may use the second shape, too. */
export function readServiceMessage(body: unknown): string | undefined {
	const shapeA = errorASchema.safeParse(body);
	const shapeB = errorBSchema.safeParse(body);
	const words = shapeA.success ? shapeA.data.message : shapeB.data?.error;
	// An error without words says nothing of what became of the request.
	return words?.trim() ? words : undefined;
}

const CHECK_BASE_URL = 'Check the Base URL in the credential.';

export interface ErrorAnswer {
	method: string;
	status: number;
	/** The service's own words, where the body has one of its error shapes. */
	serviceMessage: string | undefined;
	/** What a body of neither shape begins with. */
	excerpt: string;
	/** Milliseconds that the service asks to wait. */
	retryAfter: number | undefined;
}

/**
 * What an answer with an error status means. A status above 499 can come from a server in between that does not know what became of the request: only
 * the service's own words, or its asking to wait, say that nothing was done.
 */
export function failureOfAnswer({ method, status, serviceMessage, excerpt, retryAfter }: ErrorAnswer): Failure {
	const inShape = serviceMessage !== undefined;
	const said = serviceMessage ?? (excerpt ? `status ${status} with "${excerpt}"` : `status ${status} with an empty body`);
	const failure = (reason: FailureReason, cause: string, hint: string, effect: Effect = 'none') => ({
		reason,
		effect,
		cause,
		hint,
		status,
		...(inShape ? { serviceMessage } : {}),
		...(retryAfter === undefined ? {} : { retryAfter }),
	});

	if (status === 401) {
		return failure('unauthorized', 'the service refused the secret key', 'Check the Secret Key in the credential: it is generated in the security panel of the service, and is not the public key.');
	}
	if (status === 422 && /ENTERPRISE role/i.test(said)) {
		return failure('role_required', 'the account lacks the ENTERPRISE role', 'The service allows webhooks to be listed, created, changed and deleted only by accounts with the ENTERPRISE role. Ask the service to upgrade the account.');
	}
	if (inShape && status === 422 && WINDOW_CLOSED_PATTERN.test(said)) {
		return failure('window_closed', 'the 24-hour conversation window is closed', 'A free-form text can be sent only within 24 hours of the customer\'s last message. Wait until the customer writes again, or reach out with an approved template outside this node.');
	}
	if (status === 404 && inShape) return failure('not_found', said, 'Check the ID: it must exist in the account that the secret key belongs to.');
	if (status === 404) return failure('unexpected_response', `nothing answers at this address (${said})`, `${CHECK_BASE_URL} It must be the root of the service, without /v1.`);
	if (status === 405 || status === 501) return failure('method_not_allowed', `the service does not offer this operation (${said})`, 'The service may not support it yet. Its other operations are not affected.');
	const wait = retryAfter === undefined ? '' : ` It asks to wait for ${Math.ceil(retryAfter / 1000)} s.`;
	if (status === 429) return failure('rate_limited', 'the service asks to slow down', `Try again later. To send texts more slowly, use the option "Max per Second".${wait}`);
	if (status === 503 && (inShape || retryAfter !== undefined)) return failure('service_unavailable', `the service is not available at the moment (${said})`, `Try again later, or turn on "Retry On Fail" in the node's settings.${wait}`);
	if (status === 502 || status === 504 || (status >= 500 && !inShape)) {
		return failure('service_error', `a server on the way answered with ${said}`, 'The request may have reached the service. Check before you repeat it.', 'unknown');
	}
	if (status >= 500) return failure('service_error', `the service failed (${said})`, 'Try again later, or turn on "Retry On Fail" in the node\'s settings.');
	if (status === 400) return failure('invalid_request', `the service did not accept the request (${said})`, 'Check the values of the node\'s fields.');
	if (status === 403) return failure('forbidden', `the service forbids it (${said})`, `Check what the secret key is allowed to do. ${CHECK_BASE_URL}`);
	if (status >= 300 && status < 400) {
		// "Done, look there" is a way to answer a request that changes something.
		const effect = method !== 'GET' && status <= 303 ? 'unknown' : 'none';
		return failure('redirected', 'the service answered with a redirect, which is not followed so that the secret key stays with the service', CHECK_BASE_URL, effect);
	}
	return failure('rejected', inShape ? said : `the service answered with ${said}`, 'Check the values of the node\'s fields.');
}

/** Turns what went wrong into the error that n8n shows: its message says what happened, its description what to do. */
export function toNodeError(node: INode, error: unknown, itemIndex?: number): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		if (itemIndex !== undefined) error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (error instanceof ServiceError) {
		const { message, description, details, status } = error;
		// The error is made from plain fields: the answer itself, with its headers and request, must not reach the execution's record.
		const nodeError = new NodeApiError(node, { message, ...details }, {
			message,
			description,
			...(status === undefined ? {} : { httpCode: String(status) }),
			...(itemIndex === undefined ? {} : { itemIndex }),
		});
		nodeError.context.data = details;
		return nodeError;
	}
	return new NodeOperationError(node, asError(error), itemIndex === undefined ? {} : { itemIndex });
}

/** What was thrown, as an error: anything can be thrown. */
export function asError(error: unknown): Error {
	return error instanceof Error ? error : new Error(String(error));
}
