import type { Clock } from '#nodes/shared/tools/clock.ts';

/** Lets everything that is resolved go on as far as it can. */
export const settled = async (): Promise<void> => await new Promise(setImmediate);

/** A clock that moves only on request. */
export class PlayedClock implements Clock {
	private sleepers: Array<{ until: number; wake: () => void }> = [];

	/** @param time milliseconds. Those of a process have fractions */
	constructor(private time = 0) {}

	now(): number {
		return this.time;
	}

	async sleep(milliseconds: number): Promise<void> {
		await new Promise<void>((wake) => {
			this.sleepers.push({ until: this.time + milliseconds, wake });
		});
	}

	/** Sleepers that were not woken yet. */
	get sleeping(): number {
		return this.sleepers.length;
	}

	/** Moves forward, and stops at each time at which somebody wakes. */
	async pass(milliseconds: number): Promise<void> {
		const end = this.time + milliseconds;
		for (;;) {
			await settled();
			const [next] = this.sleepers.toSorted((left, right) => left.until - right.until);
			if (!next || next.until > end) break;
			this.time = Math.max(this.time, next.until);
			this.sleepers = this.sleepers.filter((sleeper) => sleeper !== next);
			next.wake();
		}
		this.time = end;
	}
}

/** Lets the clock move the timeouts of requests, too. */
export function playTimeouts(clock: PlayedClock): void {
	const timed = jest.spyOn(AbortSignal, 'timeout');
	timed.mockImplementation((milliseconds) => {
		const controller = new AbortController();
		void clock.sleep(milliseconds).then(() => controller.abort());
		return controller.signal;
	});
}
