/** Why a request failed. Workflows branch on it as `details.reason`. */
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
	| 'key_waiting'
	| 'outside_hours'
	| 'question_waiting'
	| 'late'
	| 'n8n_busy'
	| 'n8n_unreachable';

/**
 * Whether the service did it: `none`, no; `unknown`, perhaps; `unlikely`, hardly, but what says so
 * is less than a refusal. A caller may repeat what is unlikely. A Send Once Key may not.
 */
export type Effect = 'none' | 'unlikely' | 'unknown';

export interface Failure {
	reason: FailureReason;
	effect: Effect;
	/** What happened, to follow "Could not send the text: ". Without a full stop. */
	cause: string;
	/** What to do next, in sentences. */
	hint: string;
	/** HTTP status, if there was a response. */
	status?: number;
	/** The service's own message. */
	serviceMessage?: string;
	/** The code of an error about media. */
	subCode?: string;
	/** Milliseconds that the service asked to wait. */
	retryAfter?: number;
	/** When a message that had to wait for too long can be tried again. ISO. */
	retryAt?: string;
}

/** A failed request: what was tried, what happened and what to do. It holds no secret. */
export class ServiceError extends Error {
	constructor(
		/** What was tried, to follow "Could not ": "send the text". */
		readonly action: string,
		readonly failure: Failure,
	) {
		super(`Could not ${action}: ${failure.cause}`);
		this.name = 'ServiceError';
	}

	/** The same error, of which something is said otherwise. */
	but(changes: Partial<Failure>): ServiceError {
		return new ServiceError(this.action, { ...this.failure, ...changes });
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

	/** The hint, and the service's own message unless the error's message quotes it. Not escaped. */
	get description(): string {
		const { serviceMessage } = this.failure;
		const isTold = (said: string) =>
			this.message.includes(said) || this.message.toLowerCase().endsWith(said.toLowerCase());
		if (!serviceMessage || isTold(serviceMessage)) return this.hint;
		return `${this.hint} The service said: "${serviceMessage}".`;
	}

	/** The `details` of a failed item. */
	get details(): Omit<Failure, 'effect' | 'cause'> {
		const details: Partial<Failure> & Pick<Failure, 'reason' | 'hint'> = { ...this.failure };
		delete details.effect;
		delete details.cause;
		if (!details.serviceMessage) delete details.serviceMessage;
		return details;
	}
}

/** The error of what was refused before it could be done. */
export const notDone = (
	action: string,
	reason: FailureReason,
	why: Pick<Failure, 'cause' | 'hint'>,
): ServiceError => new ServiceError(action, { reason, effect: 'none', ...why });

/** Whether the service may have done it. @param orUnlikely counts, too: nothing goes twice */
export const mayBeDone = (error: unknown, { orUnlikely = false } = {}): error is ServiceError =>
	error instanceof ServiceError &&
	(error.failure.effect === 'unknown' || (orUnlikely && error.failure.effect === 'unlikely'));
