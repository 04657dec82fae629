/** Time as sending sees it, so that tests can play it. */
export interface Clock {
	/** Milliseconds. */
	now(): number;
	/** Resolves after the milliseconds, or as soon as the work is cancelled. */
	sleep(milliseconds: number): Promise<void>;
}

const WINDOW = 1000;
/** Milliseconds that clocks, which count whole ones, may disagree by. */
const CLOCK_GUARD = 1;

/** A started request's place in the count. */
export interface Slot {
	settle(finishedAt: number): void;
}

/**
 * Decides when the next request may start: at most so many in any window of one second, and none while the service asked to wait.
 *
 * The window must hold where requests arrive, not where they leave, and how long one is on its way is not known. But it arrived before its answer
 * came: so the request N places later starts a second after that answer. The price is one answer's time in every second.
 */
export class Gate {
	private pausedUntil = 0;
	private closed?: { until: number; reason: unknown };
	private started = 0;
	private readonly answers: Array<Promise<number>> = [];

	/** @param maxPerSecond 0 for no limit. */
	constructor(
		private readonly maxPerSecond: number,
		private readonly clock: Clock,
	) {}

	/**
	 * Waits for a place and takes it. Undefined when the signal aborts first. The caller settles the slot by `leave`.
	 * @throws what the gate was closed with, while it is
	 */
	async enter(signal?: AbortSignal): Promise<Slot | undefined> {
		let settle: (finishedAt: number) => void = () => {};
		if (this.maxPerSecond > 0) {
			const place = this.started++ % this.maxPerSecond;
			const earlierAnswer = this.answers[place];
			this.answers[place] = new Promise((resolve) => (settle = resolve));
			if (earlierAnswer) await this.sleepUntil(async () => (await earlierAnswer) + WINDOW + CLOCK_GUARD, signal);
		}
		await this.sleepUntil(() => this.pausedUntil, signal);
		const isClosed = this.closed && this.closed.until > this.clock.now();
		if (!signal?.aborted && !isClosed) return { settle };
		settle(this.clock.now());
		if (isClosed && !signal?.aborted) throw this.closed?.reason;
		return undefined;
	}

	/** Gives the place back after the answer, or after none came. */
	leave(slot: Slot): void {
		slot.settle(this.clock.now());
	}

	/** Lets nothing start for so many milliseconds from now. */
	pause(milliseconds: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + milliseconds);
	}

	/** Turns everything away for so many milliseconds: too long to wait. */
	close(milliseconds: number, reason: unknown): void {
		this.closed = { until: this.clock.now() + milliseconds, reason };
	}

	/** Sleeps until a time that may move while it sleeps. */
	private async sleepUntil(time: () => number | Promise<number>, signal?: AbortSignal): Promise<void> {
		for (;;) {
			const rest = (await time()) - this.clock.now();
			if (rest <= 0 || signal?.aborted) return;
			await this.clock.sleep(Math.ceil(rest));
		}
	}
}
