import { sleep } from 'n8n-workflow';

/** Time, so that tests can play it. */
export interface Clock {
	/** Milliseconds. */
	now(): number;
	/** Resolves after the milliseconds, or as soon as the work is cancelled. */
	sleep(milliseconds: number): Promise<void>;
}

/**
 * Runs work with a clock whose sleepers wake at once when the signal aborts. It listens to the signal once and only while the work runs: an
 * execution has one signal for all its nodes, and many listeners on it would be reported as a leak.
 */
export async function withHostClock<Result>(
	signal: AbortSignal | undefined,
	work: (clock: Clock) => Promise<Result>,
): Promise<Result> {
	const sleepers = new Set<() => void>();
	const wakeAll = () => sleepers.forEach((wake) => wake());
	const clock: Clock = {
		now: () => Date.now(),
		sleep: async (milliseconds) => {
			if (signal?.aborted) return;
			await new Promise<void>((resolve) => {
				sleepers.add(resolve);
				void sleep(milliseconds).then(() => {
					sleepers.delete(resolve);
					resolve();
				});
			});
		},
	};
	signal?.addEventListener('abort', wakeAll);
	try {
		return await work(clock);
	} finally {
		signal?.removeEventListener('abort', wakeAll);
	}
}

/** The clock of what nobody cancels. */
export const hostClock: Clock = { now: () => Date.now(), sleep };
