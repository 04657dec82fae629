import { idKey } from '../service/contract';
import type { Clock } from '../shared/clock';
import { hostClock } from '../shared/clock';

const WINDOW = 1000;
/** Milliseconds that clocks, which count whole ones, may disagree by. */
const CLOCK_GUARD = 1;
/** Milliseconds after which a request that waits for its node's limit is no longer overtaken by requests of nodes with a higher one. */
const PATIENCE = 5000;

/** The place of a request that may start. */
export interface Place {
	/** To be called once the response came, or it is certain that none comes. */
	leave(): void;
}

interface Waiter {
	/** 0 for no limit. */
	maxPerSecond: number;
	owner: object;
	since: number;
	settle: (isAdmitted: boolean) => void;
}

/**
 * Decides when the next request to a channel may start: at most so many in any window of one second, and none while the service asked to wait. All
 * requests of the channel count, of whatever execution; each waits by the limit of its own node.
 *
 * The window must hold where requests arrive, not where they leave, and how long one is on its way is not known. But it arrived before its response
 * came: so what counts is under way, or was answered less than a second ago. The price is one response's time in every second.
 */
export class RateLimiter {
	private pausedUntil = 0;
	private underWay = 0;
	/** When the responses of the last second came, ascending. */
	private readonly responses: number[] = [];
	/** In the order in which they came. */
	private waiting: Waiter[] = [];
	private wakesAt = Infinity;

	constructor(private readonly clock: Clock) {}

	/** Nothing waits or counts any more. */
	get isIdle(): boolean {
		this.forgetOldResponses();
		const isPaused = this.pausedUntil > this.clock.now();
		return !isPaused && this.underWay + this.responses.length + this.waiting.length === 0;
	}

	/**
	 * Waits for a place and takes it.
	 * @param maxPerSecond 0 for no limit
	 * @param owner on whose behalf: see `withdraw`
	 * @returns undefined when it was withdrawn first
	 */
	async enter(maxPerSecond: number, owner: object): Promise<Place | undefined> {
		const isAdmitted = await new Promise<boolean>((settle) => {
			this.waiting.push({ maxPerSecond, owner, since: this.clock.now(), settle });
			this.admit();
		});
		return isAdmitted ? { leave: () => this.leave() } : undefined;
	}

	/** Takes back all that waits on somebody's behalf. */
	withdraw(owner: object): void {
		const withdrawn = this.waiting.filter((waiter) => waiter.owner === owner);
		this.waiting = this.waiting.filter((waiter) => waiter.owner !== owner);
		for (const { settle } of withdrawn) settle(false);
		this.admit();
	}

	/** Lets nothing start for so many milliseconds from now. */
	pause(milliseconds: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + milliseconds);
	}

	private leave(): void {
		this.underWay--;
		this.responses.push(this.clock.now());
		this.admit();
	}

	/** Starts all that may start now, and comes back when that changes with time. */
	private admit(): void {
		if (this.waiting.length === 0) return;
		const now = this.clock.now();
		if (this.pausedUntil > now) return this.wakeAt(this.pausedUntil);
		this.forgetOldResponses();
		const left: Waiter[] = [];
		let isClosed = false;
		let open = 0;
		for (const waiter of this.waiting) {
			if (waiter.maxPerSecond === 0 || (!isClosed && this.freeAt(waiter) <= now)) {
				this.underWay++;
				waiter.settle(true);
				continue;
			}
			left.push(waiter);
			// For those behind one that is not overtaken, there may be room already: time alone lets none of them start.
			if (!isClosed) open = left.length;
			isClosed ||= now - waiter.since >= PATIENCE;
		}
		this.waiting = left;
		this.wakeAt(Math.min(...left.slice(0, open).map((waiter) => this.freeAt(waiter))));
	}

	/** When so few requests count that one more may start. Infinity: not before a response. */
	private freeAt({ maxPerSecond }: Waiter): number {
		const tooMany = this.underWay + this.responses.length - maxPerSecond;
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
			this.admit();
		});
	}
}

/** Channels that are kept in mind at once, before those are forgotten at which nothing happens. */
const MOST_KEPT = 1000;
const limiters = new Map<string, RateLimiter>();

/**
 * The limiter of a channel that all executions of this process share.
 * @param account tells service and account
 */
export function limiterOf(account: string, channelId: string): RateLimiter {
	const channel = `${account} ${idKey(channelId)}`;
	const known = limiters.get(channel);
	if (known) return known;
	if (limiters.size >= MOST_KEPT)
		for (const [name, limiter] of limiters) if (limiter.isIdle) limiters.delete(name);
	const limiter = new RateLimiter(hostClock);
	limiters.set(channel, limiter);
	return limiter;
}
