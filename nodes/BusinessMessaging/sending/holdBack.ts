import { ServiceError } from '../service/errors';
import type { RateLimiter } from './rateLimiter';
import type { NoWaiting, Pause } from './refusals';

/** Longest `Retry-After` that is waited for, in milliseconds. A longer one fails the message. */
export const LONGEST_WAIT = 15 * 60_000;
/** Shortest wait, because a `Retry-After` of 0 s would flood the service. */
const SHORTEST_WAIT = 1000;

export interface HeldBack extends Pause {
	/** Milliseconds to wait. More than those of the pause if it is too long. */
	wait: number;
}

/**
 * Holds back what a refusal is about: a 503 with `Retry-After` the channel, a 429 the recipient or
 * the channel. Both mean that nothing was done.
 * @param recipient in one spelling
 * @returns undefined if the message must not be offered again
 */
export function holdBack(
	limiter: RateLimiter,
	recipient: string,
	error: unknown,
): HeldBack | undefined {
	if (!(error instanceof ServiceError)) return undefined;
	const { retryAfter } = error.failure;
	const asked =
		retryAfter === undefined
			? undefined
			: Math.min(Math.max(retryAfter, SHORTEST_WAIT), LONGEST_WAIT);
	if (error.reason === 'rate_limited') {
		const pause = limiter.refusals.refuse(recipient, asked);
		return pause && { ...pause, wait: retryAfter ?? pause.milliseconds };
	}
	if (error.reason !== 'service_unavailable' || asked === undefined) return undefined;
	limiter.pause(asked);
	return { of: 'channel', milliseconds: asked, wait: retryAfter ?? asked };
}

const CAUSES: Record<NoWaiting, string> = {
	inVain: 'the service asks to slow down, and waiting did not help',
	crowded: 'the service asks to slow down, and three executions already wait for this recipient',
};

/** The error of a message that is not sent, because it must not wait. */
export const mustNotWait = (name: string, why: NoWaiting): ServiceError =>
	new ServiceError(`send the ${name}`, {
		reason: 'rate_limited',
		effect: 'none',
		cause: CAUSES[why],
		hint: 'Nothing was sent. Try again in some minutes. To send more slowly, use the option "Max per Second".',
	});
