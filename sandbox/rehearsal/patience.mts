/** How long a step waits. Tests play the timers. */
import { now, sleep } from '../client/timers.mts';

export interface Timers {
	/** Milliseconds. */
	now: () => number;
	sleep: (milliseconds: number) => Promise<void>;
}

const REAL: Timers = { now, sleep };
const LOOK_EVERY = 25;
const PACE_EVERY = 50;
/** How many messages in a row a customer waits out. A workflow may never stop sending. */
const MOST_MESSAGES = 10;

/**
 * Polls until there is a result. While the workflow waits for words, the limit starts again.
 *
 * @param limit milliseconds; polls once more at their end
 * @param isHeldUp whether words are not delivered yet. Is told whether the first limit has passed
 * @returns the result, or undefined if the time ran out
 */
export async function pollPatiently<T>(
	look: () => Promise<T | undefined>,
	limit: number,
	isHeldUp: (isLate: boolean) => Promise<boolean>,
	{ now, sleep }: Timers = REAL,
): Promise<T | undefined> {
	const firstEnd = now() + limit;
	let end = firstEnd;
	for (;;) {
		// Before the look, so that an answer to words that were delivered meanwhile is seen.
		const isWaiting = await isHeldUp(now() >= firstEnd);
		if (isWaiting) end = now() + limit;
		const isLast = !isWaiting && now() >= end;
		const found = await look();
		if (found !== undefined || isLast) return found;
		await sleep(isWaiting ? LOOK_EVERY : Math.min(LOOK_EVERY, Math.max(0, end - now())));
	}
}

/** The last message to a customer. */
export interface LastMessage {
	number: number;
	/** Milliseconds by the sandbox's clock. */
	age: number;
}

/**
 * Waits until the last message to a customer is as old as `pace`. The sandbox's clock may stand
 * still, so the wait for each message also ends after this time here.
 */
export async function waitForPace(
	pace: number,
	lastMessage: () => Promise<LastMessage | undefined>,
	{ now, sleep }: Timers = REAL,
): Promise<void> {
	let newest = 0;
	let count = 0;
	let end = Infinity;
	for (;;) {
		const last = await lastMessage();
		if (!last || last.age >= pace) return;
		if (last.number !== newest) {
			newest = last.number;
			count += 1;
			end = now() + pace - Math.max(0, last.age);
		}
		if (now() >= end || count > MOST_MESSAGES) return;
		await sleep(Math.min(PACE_EVERY, end - now()));
	}
}
