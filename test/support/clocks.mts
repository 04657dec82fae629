import type { Clock } from '#nodes/shared/tools/clock.ts';

/** Lets everything that is resolved go on as far as it can. */
export const settled = async (): Promise<void> => await new Promise(setImmediate);

type Sleeper = { until: number; wake: () => void; isNeeded: () => boolean };

/** A clock that moves only on request. */
export class PlayedClock implements Clock {
	protected readonly sleepers: Sleeper[] = [];

	/** @param time milliseconds. Those of a process have fractions */
	constructor(protected time = 0) {}

	now(): number {
		return this.time;
	}

	async sleep(milliseconds: number, isNeeded = () => true): Promise<void> {
		await new Promise<void>((wake) => {
			this.sleepers.push({ until: this.time + Math.max(0, milliseconds), wake, isNeeded });
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
			const next = this.takeNext(end);
			if (!next) break;
			this.time = next.until;
			next.wake();
		}
		this.time = end;
	}

	protected takeNext(end = Infinity): Sleeper | undefined {
		const [next] = this.sleepers.sort((left, right) => left.until - right.until);
		return next && next.until <= end ? this.sleepers.shift() : undefined;
	}
}

/**
 * A clock that jumps to the next sleeper when nothing else is left to do. Hours pass in
 * milliseconds, in a fixed order.
 */
export class VirtualClock extends PlayedClock {
	private jumping = false;

	/** @param signal wakes all sleepers */
	constructor(private readonly signal?: AbortSignal) {
		super();
		signal?.addEventListener('abort', () => this.sleepers.splice(0).forEach(({ wake }) => wake()));
	}

	/** Timers that somebody needs. */
	get timers(): number {
		return this.sleepers.filter(({ isNeeded }) => isNeeded()).length;
	}

	override async sleep(milliseconds: number, isNeeded?: () => boolean): Promise<void> {
		if (this.signal?.aborted) return;
		const slept = super.sleep(milliseconds, isNeeded);
		this.jumpWhenIdle();
		await slept;
	}

	private jumpWhenIdle(): void {
		if (this.jumping) return;
		this.jumping = true;
		setImmediate(() => {
			this.jumping = false;
			const next = this.takeNext();
			if (!next) return;
			if (next.isNeeded()) this.time = next.until;
			next.wake();
			if (this.sleepers.length > 0) this.jumpWhenIdle();
		});
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
