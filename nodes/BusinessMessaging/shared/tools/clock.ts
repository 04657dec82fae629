import { sleep } from 'n8n-workflow';

/** Milliseconds after which a sleeper looks whether it must go on. */
const LOOK = 1000;

/** Time, which tests can replace. */
export interface Clock {
	/** Milliseconds, by the date or since some moment: see `hostClock` and `steadyClock`. */
	now(): number;
	/** Resolves in time, or once it is cancelled, or a second after `isNeeded` gives false. */
	sleep(milliseconds: number, isNeeded?: () => boolean): Promise<void>;
}

/** When to try again, for programs and people. @param timeZone of the workflow, or UTC */
export function laterBy(wait: number, timeZone?: string): { iso: string; said: string } {
	const at = new Date(hostClock.now() + Math.max(0, Math.ceil(wait)));
	const iso = at.toISOString();
	const form = { dateStyle: 'short', timeStyle: 'short', timeZone: timeZone ?? 'UTC' } as const;
	try {
		// This locale has the form of ISO dates.
		const [date, time] = new Intl.DateTimeFormat('sv-SE', form).format(at).split(' ');
		const day = wait > 12 * 3_600_000 ? `${date} ` : '';
		return { iso, said: `${day}${time}${timeZone ? '' : ' UTC'}` };
	} catch {
		// A workflow that was imported can name any zone.
		return laterBy(wait);
	}
}

/**
 * Runs work with a clock whose sleepers wake when the signal aborts. It listens once, and only
 * while the work runs: an execution has one signal, and Node.js reports many listeners as a leak.
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

/** The sleep of n8n cannot be ended, so a long one is many short ones. */
async function sleepWhile(milliseconds: number, isNeeded?: () => boolean): Promise<void> {
	if (!isNeeded || milliseconds <= LOOK) return await sleep(milliseconds);
	const until = performance.now() + milliseconds;
	for (let rest = milliseconds; rest > 0 && isNeeded(); rest = until - performance.now())
		await sleep(Math.ceil(Math.min(rest, LOOK)));
}

/** A clock by the date, for comparisons with dates of others. It cannot be cancelled. */
export const hostClock: Clock = { now: () => Date.now(), sleep: sleepWhile };

/**
 * A clock for durations. It does not follow the machine's date. It counts from the start of the
 * process, and some systems stop it while they are suspended, so compare it only with itself.
 */
export const steadyClock: Clock = { now: () => performance.now(), sleep: sleepWhile };
