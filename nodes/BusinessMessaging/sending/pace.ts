import { idKey } from '../service/contract';
import type { Clock } from '../shared/clock';
import { steadyClock } from '../shared/clock';
import { perName } from '../shared/perName';
import type { Held } from './holds';
import { Holds } from './holds';

const WINDOW = 1000;
/** Clocks that count whole milliseconds can disagree by this many. */
const CLOCK_GUARD = 1;
/** After this many milliseconds, requests of nodes with a higher limit no longer overtake. */
const PATIENCE = 5000;
/** Executions that wait for one hold at most, because each takes a place in n8n. */
const MAX_WAITING = 3;
/** Milliseconds of a channel's pause for which any number of executions wait. */
const SHORT_PAUSE = 2 * 60_000;

/** Whose message waits: an execution. */
export interface Owner {
	/** Whether it may have one more message under way. */
	hasPlace(): boolean;
}

/** A message that waits until it may leave, or is under way. */
export interface Passenger {
	readonly owner: Owner;
	/** 0 for no limit. */
	readonly maxPerSecond: number;
	/** In one spelling. */
	readonly recipient: string;
	/** When `judge` must be asked again. */
	readonly latest: number;
	/** Its place among those that wait. It keeps it if it is refused. */
	order?: number;
	/** From 1 on. 0: it is not under way. */
	departure: number;
	/** It may leave. */
	takePlace(): void;
	/**
	 * Says why it must not wait any longer.
	 * @param held undefined: it waits for its turn
	 * @param isCrowded whether three other executions already wait for that
	 */
	judge(now: number, held: Held | undefined, isCrowded: boolean): Error | undefined;
}

interface Waiter {
	passenger: Passenger;
	/** Since when nothing but the limit keeps it. */
	since?: number | undefined;
	resolve: () => void;
	reject: (error: Error) => void;
}

/**
 * Decides when the next request to a channel may start, for all executions of the process.
 * docs/decisions/pace.md says what counts against a limit, and why.
 */
export class Pace {
	private inFlight = 0;
	/** When the responses of the last second came, ascending. */
	private readonly responses: number[] = [];
	private entered = 0;
	private waiting: Waiter[] = [];
	private wakesAt = Infinity;
	private isLooking = false;
	private mustLook = false;
	readonly holds = new Holds();

	constructor(private readonly clock: Clock) {}

	/** Whether nothing waits or counts any more. */
	get isIdle(): boolean {
		const now = this.clock.now();
		this.forgetResponses(now);
		const counted = this.inFlight + this.responses.length + this.waiting.length;
		return counted === 0 && this.holds.isIdle(now);
	}

	/**
	 * Waits until a message is under way, or was withdrawn.
	 * @throws what `judge` returns
	 */
	async enter(passenger: Passenger): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			const order = (passenger.order ??= ++this.entered);
			let at = this.waiting.length;
			while (at > 0 && (this.waiting[at - 1]?.passenger.order ?? 0) > order) at--;
			this.waiting.splice(at, 0, { passenger, resolve, reject });
			this.look();
		});
	}

	/** Takes back everything that waits for this owner. */
	withdraw(owner: Owner): void {
		const taken = this.waiting.filter(({ passenger }) => passenger.owner === owner);
		this.waiting = this.waiting.filter(({ passenger }) => passenger.owner !== owner);
		for (const { resolve } of taken) resolve();
		this.look();
	}

	/** Its response came, or certainly will not come. */
	leave(passenger: Passenger): void {
		if (passenger.departure === 0) return;
		passenger.departure = 0;
		this.inFlight--;
		this.responses.push(this.clock.now());
		this.look();
	}

	/** Starts all that may start now, and wakes when time lets more start. */
	look(): void {
		this.mustLook = true;
		if (this.isLooking) return;
		this.isLooking = true;
		while (this.mustLook && this.waiting.length > 0) this.lookOnce();
		this.isLooking = false;
	}

	private lookOnce(): void {
		this.mustLook = false;
		const now = this.clock.now();
		this.forgetResponses(now);
		const isCrowded = crowdOf();
		const left: Waiter[] = [];
		let isClosed = false;
		const limits: number[] = [];
		let next = Infinity;
		for (const waiter of this.waiting) {
			const { passenger, resolve, reject } = waiter;
			const { owner, maxPerSecond } = passenger;
			const held = this.holds.of(passenger.recipient, now);
			const error = passenger.judge(
				now,
				held,
				held !== undefined && isCrowded(passenger, held, now),
			);
			if (error) {
				reject(error);
				continue;
			}
			if (held) waiter.since = undefined;
			const mayStart = !held && owner.hasPlace();
			if (mayStart && (maxPerSecond === 0 || (!isClosed && this.freeAt(maxPerSecond) <= now))) {
				passenger.departure = this.holds.depart();
				this.inFlight++;
				passenger.takePlace();
				resolve();
				continue;
			}
			left.push(waiter);
			next = Math.min(next, passenger.latest, held?.next ?? Infinity);
			if (!mayStart) continue;
			// Behind a request that nobody may overtake, the others wait for its start, not for a time.
			if (!isClosed) limits.push(maxPerSecond);
			isClosed ||= now - (waiter.since ??= now) >= PATIENCE;
		}
		this.waiting = left;
		this.wakeAt(Math.min(next, ...limits.map((limit) => this.freeAt(limit))));
	}

	/** When one more request may start. Infinity: not before a response. */
	private freeAt(maxPerSecond: number): number {
		const tooMany = this.inFlight + this.responses.length - maxPerSecond;
		if (tooMany < 0) return 0;
		const response = this.responses[tooMany];
		return response === undefined ? Infinity : response + WINDOW + CLOCK_GUARD;
	}

	private forgetResponses(now: number): void {
		const kept = this.responses.findIndex((at) => at > now - WINDOW - CLOCK_GUARD);
		this.responses.splice(0, kept < 0 ? this.responses.length : kept);
	}

	private wakeAt(time: number): void {
		if (time >= this.wakesAt) return;
		this.wakesAt = time;
		void this.clock.sleep(Math.max(1, Math.ceil(time - this.clock.now()))).then(() => {
			if (this.wakesAt === time) this.wakesAt = Infinity;
			this.look();
		});
	}
}

/** Counts, in order of arrival, the executions that wait for a recipient or for a long pause. */
function crowdOf(): (passenger: Passenger, held: Held, now: number) => boolean {
	const owners = new Map<string, Set<Owner>>();
	return ({ owner, recipient }, { of, until }, now) => {
		if (of === 'channel' && until - now <= SHORT_PAUSE) return false;
		const key = of === 'channel' ? of : `to ${recipient}`;
		const waiting = owners.get(key) ?? new Set();
		owners.set(key, waiting);
		if (waiting.has(owner)) return false;
		return waiting.size >= MAX_WAITING || !waiting.add(owner);
	};
}

const paces = perName(() => new Pace(steadyClock));

/**
 * The pace of a channel that all executions of this process share.
 * @param account identifies service and account
 */
export const paceOf = (account: string, channelId: string): Pace =>
	paces(`${account} ${idKey(channelId)}`);
