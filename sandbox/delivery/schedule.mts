import { createHash } from 'node:crypto';

import { DELIVERY_SCHEDULE } from '../contract.mts';

/** Longest Retry-After that is honoured: the last wait of the schedule. */
const LONGEST_WAIT = DELIVERY_SCHEDULE[DELIVERY_SCHEDULE.length - 1]!;
/** Waits vary by a tenth either way, so that a receiver that comes back is not met by everything at once. */
const JITTER = 0.1;

/** Seconds that a Retry-After header asks to wait: a number of seconds or an HTTP date. Undefined when it is neither. */
export function parseRetryAfter(value: string | undefined, realNow: number): number | undefined {
	if (value === undefined) return undefined;
	if (/^\d{1,10}$/.test(value.trim())) return Math.min(Number(value), LONGEST_WAIT);
	const date = /\bGMT$/.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(date)
		? undefined
		: Math.min(LONGEST_WAIT, Math.max(0, Math.ceil((date - realNow) / 1000)));
}

/**
 * Milliseconds to wait before the next attempt after `attempts` failed ones; undefined when the schedule is used up. The jitter is made of the
 * idempotency key: the same delivery waits the same in every run.
 */
export function waitAfter(
	attempts: number,
	idempotencyKey: string,
	retryAfter: number | undefined,
): number | undefined {
	const seconds = DELIVERY_SCHEDULE[attempts];
	if (seconds === undefined) return undefined;
	const fraction =
		createHash('sha256').update(`${idempotencyKey}#${attempts}`).digest().readUInt32BE(0) /
		0xffff_ffff;
	return Math.round(1000 * Math.max(seconds * (1 + JITTER * (2 * fraction - 1)), retryAfter ?? 0));
}
