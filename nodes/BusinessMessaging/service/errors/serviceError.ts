import type { Failure, FailureReason } from './failure';

/** A failed request: what was tried, what happened and what to do. It holds no secret. */
export class ServiceError extends Error {
	readonly failure: Failure;

	constructor(
		/** What was tried, to follow "Could not ": "send the text". */
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

	/** The hint, and the service's own message unless the error's message quotes it. Not escaped. */
	get description(): string {
		const { serviceMessage } = this.failure;
		if (!serviceMessage || this.message.includes(serviceMessage)) return this.hint;
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

/**
 * Whether the service may have done it. Other errors happen before a request.
 * @param orUnlikely whether `unlikely` counts, too: under a key, nothing may be sent twice
 */
export const mayBeDone = (error: unknown, { orUnlikely = false } = {}): error is ServiceError =>
	error instanceof ServiceError &&
	(error.failure.effect === 'unknown' || (orUnlikely && error.failure.effect === 'unlikely'));
