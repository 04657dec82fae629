import { ServiceError } from '../service/errors';

/** Longest `Retry-After` that is waited for, in milliseconds. A longer one fails the message. */
export const LONGEST_WAIT = 15 * 60_000;
/** Shortest wait, because a `Retry-After` of 0 s would flood the service. */
const SHORTEST_WAIT = 1000;
/** How often one message is offered to a service that keeps asking to wait. */
export const MAX_OFFERS = 20;

/** Milliseconds that a 429 or 503 asks to wait. Both mean that nothing was done. */
export function askedWaitOf(error: unknown): number | undefined {
	if (!(error instanceof ServiceError)) return undefined;
	return error.reason === 'rate_limited' || error.reason === 'service_unavailable'
		? error.failure.retryAfter
		: undefined;
}

/** Milliseconds for which its channel pauses. */
export const pauseFor = (askedWait: number): number =>
	Math.min(Math.max(askedWait, SHORTEST_WAIT), LONGEST_WAIT);
