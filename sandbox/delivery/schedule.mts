import { createHash } from 'node:crypto';

import { DELIVERY_SCHEDULE } from '../contract.mts';

/** Longest Retry-After that is honoured: the last wait of the schedule. */
const LONGEST_WAIT = DELIVERY_SCHEDULE[DELIVERY_SCHEDULE.length - 1]!;
/** Waits vary by a tenth, so that a receiver that recovers does not get everything at once. */
const JITTER = 0.1;

/** The seconds of a Retry-After header: a number or an HTTP date; undefined for anything else. */
export function parseRetryAfter(value: string | undefined, realNow: number): number | undefined {
	if (value === undefined) return undefined;
	if (/^\d{1,10}$/.test(value.trim())) return Math.min(Number(value), LONGEST_WAIT);
	const date = /\bGMT$/.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(date)
		? undefined
		: Math.min(LONGEST_WAIT, Math.max(0, Math.ceil((date - realNow) / 1000)));
}

/**
 * Milliseconds to wait before the next attempt after `attempts` failed ones; undefined if none is
 * left. The jitter depends on the idempotency key, so a delivery waits the same in every run.
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
