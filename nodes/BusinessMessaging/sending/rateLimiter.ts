import { idKey } from '../service/contract';
import type { Clock } from '../shared/clock';
import { steadyClock } from '../shared/clock';
import { Refusals } from './refusals';

const WINDOW = 1000;
/** Clocks that count whole milliseconds can disagree by this many. */
const CLOCK_GUARD = 1;
/** After this many milliseconds, requests of nodes with a higher limit no longer overtake. */
const PATIENCE = 5000;

/** A request that may start. */
export interface Slot {
	/** Call it when the response came, or certainly will not come. */
	leave(): void;
}

interface Waiter {
	/** 0 for no limit. */
	maxPerSecond: number;
	owner: object;
	since: number;
	resolve: (mayStart: boolean) => void;
}

/**
 * Decides when the next request to a channel may start. A limit holds for any window of one second.
 * No request starts during a pause that the service asked for. All executions' requests to the
 * channel count. Each waits by the limit of its own node.
 *
 * The limit must hold where requests arrive, and nobody knows how long a request is on its way. But
 * it arrived before its response came. So requests count that are under way, or got their response
 * less than a second ago. The cost is one response time in every second.
 */
export class RateLimiter {
	private pausedUntil = 0;
	private inFlight = 0;
	/** When the responses of the last second came, ascending. */
	private readonly responses: number[] = [];
	/** In order of arrival. */
	private waiting: Waiter[] = [];
	private wakesAt = Infinity;
	/** What 429s hold. */
	readonly refusals: Refusals;

	constructor(private readonly clock: Clock) {
		this.refusals = new Refusals(clock, {
			pause: (milliseconds) => this.pause(milliseconds),
			wakeAll: () => this.takeOut(() => true),
		});
	}

	/** Whether nothing waits or counts any more. */
	get isIdle(): boolean {
		this.forgetOldResponses();
		const isPaused = this.pausedUntil > this.clock.now() || !this.refusals.isIdle;
		return !isPaused && this.inFlight + this.responses.length + this.waiting.length === 0;
	}

	/**
	 * Waits until a request may start.
	 * @param maxPerSecond 0 for no limit
	 * @param owner see `withdraw`
	 * @returns undefined if it was withdrawn first, or must look whether it may still wait
	 */
	async enter(maxPerSecond: number, owner: object): Promise<Slot | undefined> {
		const mayStart = await new Promise<boolean>((resolve) => {
			this.waiting.push({ maxPerSecond, owner, since: this.clock.now(), resolve });
			this.startNext();
		});
		return mayStart ? { leave: () => this.leave() } : undefined;
	}

	/** Takes back everything that waits for this owner. */
	withdraw(owner: object): void {
		this.refusals.withdraw(owner);
		this.takeOut((waiter) => waiter.owner === owner);
	}

	/** Lets nothing start for some milliseconds from now. */
	pause(milliseconds: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + milliseconds);
	}

	private takeOut(isMeant: (waiter: Waiter) => boolean): void {
		const taken = this.waiting.filter(isMeant);
		this.waiting = this.waiting.filter((waiter) => !isMeant(waiter));
		for (const { resolve } of taken) resolve(false);
		this.startNext();
	}

	private leave(): void {
		this.inFlight--;
		this.responses.push(this.clock.now());
		this.startNext();
	}

	/** Starts all that may start now, and wakes when time lets more start. */
	private startNext(): void {
		if (this.waiting.length === 0) return;
		const now = this.clock.now();
		if (this.pausedUntil > now) return this.wakeAt(this.pausedUntil);
		this.forgetOldResponses();
		const left: Waiter[] = [];
		let isClosed = false;
		let open = 0;
		for (const waiter of this.waiting) {
			if (waiter.maxPerSecond === 0 || (!isClosed && this.freeAt(waiter) <= now)) {
				this.inFlight++;
				waiter.resolve(true);
				continue;
			}
			left.push(waiter);
			// Behind a request that nobody may overtake, the others wait for its start, not for a time:
			// the timer looks at those before it only.
			if (!isClosed) open = left.length;
			isClosed ||= now - waiter.since >= PATIENCE;
		}
		this.waiting = left;
		this.wakeAt(Math.min(...left.slice(0, open).map((waiter) => this.freeAt(waiter))));
	}

	/** When one more request may start. Infinity: not before a response. */
	private freeAt({ maxPerSecond }: Waiter): number {
		const tooMany = this.inFlight + this.responses.length - maxPerSecond;
		if (tooMany < 0) return 0;
		const response = this.responses[tooMany];
		return response === undefined ? Infinity : response + WINDOW + CLOCK_GUARD;
	}

	private forgetOldResponses(): void {
		const oldest = this.clock.now() - WINDOW - CLOCK_GUARD;
		const kept = this.responses.findIndex((response) => response > oldest);
		this.responses.splice(0, kept < 0 ? this.responses.length : kept);
	}

	private wakeAt(time: number): void {
		if (time >= this.wakesAt) return;
		this.wakesAt = time;
		void this.clock.sleep(Math.max(1, Math.ceil(time - this.clock.now()))).then(() => {
			if (this.wakesAt === time) this.wakesAt = Infinity;
			this.startNext();
		});
	}
}

/** Channels that are remembered. Over this number, idle ones are forgotten. */
const MAX_LIMITERS = 1000;
const limiters = new Map<string, RateLimiter>();

/**
 * The limiter of a channel that all executions of this process share.
 * @param account identifies service and account
 */
export function limiterOf(account: string, channelId: string): RateLimiter {
	const channel = `${account} ${idKey(channelId)}`;
	const known = limiters.get(channel);
	if (known) return known;
	if (limiters.size >= MAX_LIMITERS)
		for (const [name, limiter] of limiters) if (limiter.isIdle) limiters.delete(name);
	const limiter = new RateLimiter(steadyClock);
	limiters.set(channel, limiter);
	return limiter;
}
