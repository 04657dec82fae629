import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

/** Why a request to the service did not do what was asked. Workflows branch on it as `details.reason`. */
export type FailureReason =
	| 'invalid_request'
	| 'unauthorized'
	| 'address_not_allowed'
	| 'forbidden'
	| 'role_required'
	| 'window_closed'
	| 'not_found'
	| 'method_not_allowed'
	| 'media_rejected'
	| 'media_failed'
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
	| 'too_large'
	| 'key_reused'
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
	/** HTTP status, where there was a response. */
	status?: number;
	/** The service's own words. */
	serviceMessage?: string;
	/** Its code of an error about media. */
	subCode?: string;
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
	get details(): {
		reason: FailureReason;
		hint: string;
		status?: number;
		serviceMessage?: string;
		subCode?: string;
		retryAfter?: number;
	} {
		const { reason, hint, status, serviceMessage, subCode, retryAfter } = this.failure;
		return {
			reason,
			hint,
			...(status === undefined ? {} : { status }),
			...(serviceMessage ? { serviceMessage } : {}),
			...(subCode === undefined ? {} : { subCode }),
			...(retryAfter === undefined ? {} : { retryAfter }),
		};
	}
}

/** Turns what went wrong into the error that n8n shows: its message says what happened, its description what to do. */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		if (itemIndex !== undefined) error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (error instanceof ServiceError) {
		const { message, description, details, status } = error;
		// The error is made from plain fields: the response itself, with its headers and request, must not reach the execution's record.
		const nodeError = new NodeApiError(
			node,
			{ message, ...details },
			{
				message,
				description,
				...(status === undefined ? {} : { httpCode: String(status) }),
				...(itemIndex === undefined ? {} : { itemIndex }),
			},
		);
		nodeError.context.data = details;
		return nodeError;
	}
	return new NodeOperationError(node, asError(error), itemIndex === undefined ? {} : { itemIndex });
}

/** Whether what failed may have been done all the same. What is no ServiceError failed before a request. */
export const mayBeDone = (error: unknown): error is ServiceError =>
	error instanceof ServiceError && error.failure.effect !== 'none';

/** What was thrown, as an error: anything can be thrown. */
export function asError(error: unknown): Error {
	return error instanceof Error ? error : new Error(String(error));
}
