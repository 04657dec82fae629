/** Time as sending sees it, so that tests can play it. */
export interface Clock {
	/** Milliseconds. */
	now(): number;
	/** Resolves after the milliseconds, or as soon as the signal aborts. */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

const WINDOW = 1000;
/** Milliseconds that timers and clocks of two processes may disagree by. */
const CLOCK_GUARD = 2;
/** How much of the shortest round trip seen is taken as certain to lie between a request's arrival and its answer. */
const CERTAIN_SHARE_OF_ROUND_TRIP = 0.8;

/** A started request's place in the count. */
export interface Slot {
	startedAt: number;
	settle(finishedAt: number): void;
}

/**
 * Decides when the next request may start: at most so many in any window of one second, and none while the service asked to wait.
 *
 * The window must hold where requests arrive, not where they leave. A request arrived before its answer came, so the one N places later starts a
 * second after that answer; only the part of the round trip that surely followed the arrival is given back, which keeps slow services fast.
 */
export class Gate {
	private pausedUntil = 0;
	private started = 0;
	private shortestRoundTrip = Number.POSITIVE_INFINITY;
	private readonly answers: Array<Promise<number>> = [];

	/** @param maxPerSecond 0 for no limit. */
	constructor(
		private readonly maxPerSecond: number,
		private readonly clock: Clock,
	) {}

	/** Waits for a place and takes it. Undefined when the signal aborts first. The caller settles the slot by `leave`. */
	async enter(signal?: AbortSignal): Promise<Slot | undefined> {
		let settle: (finishedAt: number) => void = () => {};
		if (this.maxPerSecond > 0) {
			const place = this.started++ % this.maxPerSecond;
			const earlierAnswer = this.answers[place];
			this.answers[place] = new Promise((resolve) => (settle = resolve));
			if (earlierAnswer) await this.sleepUntil(async () => this.windowEnd(await earlierAnswer), signal);
		}
		await this.sleepUntil(() => this.pausedUntil, signal);
		const startedAt = this.clock.now();
		if (signal?.aborted) {
			settle(startedAt);
			return undefined;
		}
		return { startedAt, settle };
	}

	/** Gives the place back after the answer, or after none came. */
	leave(slot: Slot): void {
		const finishedAt = this.clock.now();
		this.shortestRoundTrip = Math.min(this.shortestRoundTrip, finishedAt - slot.startedAt);
		slot.settle(finishedAt);
	}

	/** Lets nothing start for so many milliseconds from now. */
	pause(milliseconds: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + milliseconds);
	}

	private windowEnd(answeredAt: number): number {
		return answeredAt + WINDOW + CLOCK_GUARD - CERTAIN_SHARE_OF_ROUND_TRIP * this.shortestRoundTrip;
	}

	/** Sleeps until a time that may move while it sleeps. */
	private async sleepUntil(time: () => number | Promise<number>, signal?: AbortSignal): Promise<void> {
		for (;;) {
			const rest = (await time()) - this.clock.now();
			if (rest <= 0 || signal?.aborted) return;
			await this.clock.sleep(Math.ceil(rest), signal);
		}
	}
}
