import { idKey } from '../service/contract';
import type { ServiceError } from '../service/errors';
import { asError } from '../service/errors';
import { identifierOf } from '../service/recipient';
import type { Held } from './holds';
import type { RequestPorts, SendJob } from './job';
import { targetOf } from './job';
import type { Later, WhyNot } from './notSent';
import { notSent, pauseOf, triedLater } from './notSent';
import type { ClaimWaits } from './once/keys';
import type { Owner, Pace, Passenger, Slot } from './pace';

/** Longest time that an item waits because it, or what it follows, was refused or held. */
const LONGEST_WAIT = 15 * 60_000;

const WAITING_FOR_KEY = { of: 'recipient', reason: 'rate_limited' } as const;
/** Milliseconds after which a key that others wait for is tried again. */
const TRY_AGAIN = 60_000;

export interface SenderBounds {
	/** Messages under way at most. */
	maxConcurrency: number;
	/** 0 for no limit. */
	maxPerSecond: number;
	/** Milliseconds in which a message must leave. Left out: see `LONGEST_WAIT`. */
	within?: number;
}

/** What all messages of an execution share: its places, and where it tries no more. */
export class Sender<Job extends SendJob> implements Owner {
	isStopped = false;
	/** Those that did not end, in order. */
	readonly errands = new Set<Errand<Job>>();
	/** Resolves when sending stops. */
	readonly stopped: Promise<void>;
	/** Targets and channels with a pause that is too long for this execution. */
	private readonly closed = new Map<string, { until: number; error: ServiceError }>();
	private readonly paces = new Set<Pace>();
	/** Errands that have their turn. */
	private begun = 0;
	private underWay = 0;
	private held = 0;
	private heldFrom = 0;
	/** Resolves in the next round of the event loop. */
	private round: Promise<void> = Promise.resolve();
	private tellStopped = () => {};

	/** @param onChange called when there may be room for more errands */
	constructor(
		readonly bounds: SenderBounds,
		readonly ports: RequestPorts<Job>,
		private readonly onChange = () => {},
	) {
		this.stopped = new Promise((resolve) => (this.tellStopped = resolve));
		ports.signal?.addEventListener('abort', this.stop);
		if (ports.signal?.aborted) this.stop();
	}

	/** Errands that wait for nothing but a place or the limit. */
	get ready(): number {
		return this.begun - this.underWay - this.held;
	}

	hasPlace(): boolean {
		return this.underWay < this.bounds.maxConcurrency;
	}

	/** Lets nothing more leave, and ends all that waits. */
	readonly stop = (): void => {
		this.isStopped = true;
		this.tellStopped();
		for (const pace of this.paces) pace.withdraw(this);
		this.onChange();
	};

	end(): void {
		this.ports.signal?.removeEventListener('abort', this.stop);
	}

	countBegun(by: 1 | -1): void {
		this.begun += by;
		this.onChange();
	}

	countUnderWay(by: 1 | -1): void {
		this.underWay += by;
		if (by < 0) for (const pace of this.paces) pace.look();
		this.onChange();
	}

	countHeld(by: 1 | -1): void {
		const now = this.ports.clock.now();
		if (by > 0 && this.held === 0) this.heldFrom = now;
		this.held += by;
		if (this.held === 0) this.ports.onWait?.(now - this.heldFrom);
		this.onChange();
	}

	paceFor(job: Job): Pace {
		const pace = this.ports.paceFor(job);
		this.paces.add(pace);
		return pace;
	}

	close(name: string, until: number, error: ServiceError): void {
		this.closed.set(name, { until, error });
		for (const pace of this.paces) pace.look();
	}

	errorOfClosed(now: number, ...names: string[]): ServiceError | undefined {
		if (this.closed.size === 0) return undefined;
		const known = names.map((name) => this.closed.get(name));
		return known.find((closed) => closed && closed.until > now)?.error;
	}

	/**
	 * Lets one request begin in each round of Node.js's event loop. Twenty requests that begin in one
	 * round get their responses in one round, too, and each then waits while the other nineteen are
	 * handled. That costs time with every message.
	 */
	async nextRound(): Promise<void> {
		const isFree = this.round;
		this.round = isFree.then(async () => await this.ports.clock.sleep(0));
		await isFree;
	}
}

/** The messages of one item, which leave one after the other, and what they wait for. */
export class Errand<Job extends SendJob> implements Passenger, ClaimWaits {
	order?: number;
	readonly recipient: string;
	readonly maxPerSecond: number;
	readonly latest: number;
	private readonly target: string;
	private readonly channel: string;
	/** What it waits for. */
	private heldBy: Held['of'] | undefined;
	/** The first moment at which it, or what it follows, was refused or held. */
	private heldSince: number | undefined;
	private hasPlace = false;
	private slot: Slot | undefined;

	constructor(
		readonly owner: Sender<Job>,
		private job: Job,
	) {
		this.recipient = identifierOf(job.recipient);
		this.target = targetOf(job);
		this.channel = idKey(job.channelId);
		this.maxPerSecond = owner.bounds.maxPerSecond;
		const { bounds, ports, errands } = owner;
		const now = ports.clock.now();
		this.latest = now + (bounds.within ?? Infinity);
		for (const other of errands) if (other.heldBy) this.follow(other, other.heldBy, now);
		errands.add(this);
	}

	/** Does its work, in its turn. */
	async run<Result>(work: () => Promise<Result>): Promise<Result> {
		this.owner.countBegun(1);
		return await work().finally(() => {
			this.rest();
			this.owner.errands.delete(this);
			this.owner.countBegun(-1);
		});
	}

	/** Gives its place to others. */
	rest(): void {
		this.slot?.leave();
		this.slot = undefined;
		if (this.hasPlace) this.owner.countUnderWay(-1);
		this.hasPlace = false;
	}

	takePlace(): void {
		this.hasPlace = true;
		this.owner.countUnderWay(1);
	}

	/**
	 * Sends a message until the service accepts it. Then the errand keeps its place until it rests.
	 * @returns undefined if sending stopped before
	 */
	async send(job: Job): Promise<string | undefined> {
		const { owner } = this;
		this.job = job;
		while (await this.toLeave()) {
			await owner.nextRound();
			const { slot } = this;
			if (!slot || slot.isHeld() || owner.isStopped) continue;
			try {
				const messageId = await owner.ports.request(job);
				slot.accept();
				slot.leave();
				this.slot = undefined;
				return messageId;
			} catch (error) {
				this.pauseAfter(error, slot);
			}
		}
		return undefined;
	}

	/** Waits until it may leave. */
	async toLeave(): Promise<boolean> {
		const { owner } = this;
		while (!owner.isStopped) {
			if (this.slot?.isHeld() === false) return true;
			this.rest();
			const entering = owner.paceFor(this.job).enter(this);
			this.slot = await entering.finally(() => this.hold(undefined));
		}
		this.rest();
		return false;
	}

	/** Waits for who has its key. */
	async forHolder(ended: Promise<void>): Promise<boolean> {
		const { clock } = this.owner.ports;
		this.hold('recipient');
		const rest = this.waitsUntil(clock.now()) - clock.now();
		const isOver = clock.sleep(Math.ceil(rest)).then(() => !this.owner.isStopped);
		const mustEnd = rest <= 0 || (await Promise.race([ended, this.owner.stopped, isOver]));
		this.hold(undefined);
		if (mustEnd === true)
			throw notSent(this.job.name, 'key', WAITING_FOR_KEY, this.later(TRY_AGAIN));
		return !this.owner.isStopped;
	}

	judge(now: number, held: Held | undefined, isCrowded: boolean): Error | undefined {
		const closed = this.owner.errorOfClosed(now, this.channel, this.target);
		if (closed) return closed;
		this.hold(held?.of);
		const why = this.mustNotWait(now, held, isCrowded);
		if (!why) return undefined;
		const by = held ?? { of: 'channel', reason: 'rate_limited', until: now };
		const error = notSent(this.job.name, why, by, this.later(by.until - now));
		if (why === 'long') this.close(by.of, by.until, error);
		return error;
	}

	private mustNotWait(now: number, held: Held | undefined, isCrowded: boolean): WhyNot | undefined {
		if (now >= this.latest) return 'late';
		if (held?.isVain) return 'vain';
		if (isCrowded) return 'crowded';
		if (!held || this.latest < Infinity) return undefined;
		return held.until > this.waitsUntil(now) ? 'long' : undefined;
	}

	/** @throws the error of a message that must not be offered again */
	private pauseAfter(error: unknown, slot: Slot): void {
		const now = this.owner.ports.clock.now();
		const pause = pauseOf(error);
		const held = pause && slot.refuse(pause.reason, pause.asked);
		this.rest();
		if (!pause) throw asError(error);
		if (!held) return;
		this.mark(held.of, now);
		// Others wait for less than what this one was asked to.
		const until = Math.max(held.until, now + (pause.asked ?? 0));
		if (!held.isVain && until <= this.waitsUntil(now)) return;
		const later = triedLater(pause.error, this.later(until - now));
		if (!held.isVain) this.close(held.of, until, later);
		throw later;
	}

	/** When its time for waiting ends. */
	private waitsUntil(now: number): number {
		return Math.min(this.latest, (this.heldSince ?? now) + LONGEST_WAIT);
	}

	private later(milliseconds: number): Later {
		return { in: milliseconds, timeZone: this.owner.ports.timeZone?.() };
	}

	private close(of: Held['of'], until: number, error: ServiceError): void {
		this.owner.close(of === 'channel' ? this.channel : this.target, until, error);
	}

	private hold(of: Held['of'] | undefined): void {
		if (of === this.heldBy) return;
		if (!of || !this.heldBy) this.owner.countHeld(of ? 1 : -1);
		this.heldBy = of;
		if (of) this.mark(of, this.owner.ports.clock.now());
	}

	/** What is held by the same is held from now on. */
	private mark(of: Held['of'], now: number): void {
		for (const other of this.owner.errands) other.follow(this, of, now);
	}

	private follow(other: Errand<Job>, of: Held['of'], now: number): void {
		const isSame = of === 'channel' ? other.channel === this.channel : other.target === this.target;
		if (isSame) this.heldSince ??= now;
	}
}
