import { idKey } from '../service/contract';
import type { ServiceError } from '../service/errors';
import { asError } from '../service/errors';
import { identifierOf } from '../service/recipient';
import type { Clock } from '../shared/clock';
import type { Held } from './holds';
import type { SendJob } from './job';
import { targetOf } from './job';
import type { WhyNot } from './notSent';
import { notSent, pauseOf, triedLater } from './notSent';
import type { ClaimWaits } from './once/keys';
import type { Owner, Pace, Passenger } from './pace';

/** Longest time that an item waits because it, or what it follows, was refused or held. */
const LONGEST_WAIT = 15 * 60_000;
/** Milliseconds after which a key that others wait for is tried again. */
const TRY_AGAIN = 60_000;
const LIMITED = { of: 'recipient', reason: 'rate_limited' } as const;

export interface SenderBounds {
	/** Messages under way at most. */
	maxConcurrency: number;
	/** 0 for no limit. */
	maxPerSecond: number;
	/** Milliseconds in which a message must leave. Left out: see `LONGEST_WAIT`. */
	within?: number;
}

export interface RequestPorts<Job extends SendJob> {
	/** Resolves to the message ID, or rejects with a ServiceError. */
	request(job: Job): Promise<string>;
	/** Gives the pace that all executions of the process share for the job's channel. */
	paceFor(job: Job): Pace;
	/** Gets milliseconds in which messages waited for the service. Waits that overlap count once. */
	onWait?: (milliseconds: number) => void;
	signal?: AbortSignal;
	clock: Clock;
	/** Of the times in errors. Left out: UTC. */
	timeZone?: () => string;
}

/** What all messages of an execution share: its places, and where it tries no more. */
export class Sender<Job extends SendJob> implements Owner {
	isStopped = false;
	/** Those that did not end, in order. */
	readonly errands = new Set<Errand<Job>>();
	readonly stopped: Promise<void>;
	/** By name of a hold: a pause that is too long for this execution. */
	private readonly closed = new Map<string, { until: number; error: ServiceError }>();
	private readonly paces = new Set<Pace>();
	/** Errands that have their turn; of these, those with a place, and those that are held. */
	private readonly counts = { begun: 0, underWay: 0, held: 0 };
	private heldFrom = 0;
	private round: Promise<void> = Promise.resolve();
	private tellStopped = () => {};
	private tellChange = () => {};

	constructor(
		readonly bounds: SenderBounds,
		readonly ports: RequestPorts<Job>,
	) {
		this.stopped = new Promise((resolve) => (this.tellStopped = resolve));
		ports.signal?.addEventListener('abort', this.stop);
		if (ports.signal?.aborted) this.stop();
	}

	/** Errands that wait for nothing but a place or the limit. */
	get ready(): number {
		const { begun, underWay, held } = this.counts;
		return begun - underWay - held;
	}

	async while(lasts: () => boolean): Promise<void> {
		while (lasts()) await new Promise<void>((resolve) => (this.tellChange = resolve));
	}

	hasPlace(): boolean {
		return this.counts.underWay < this.bounds.maxConcurrency;
	}

	/** Lets nothing more leave, and ends all that waits. */
	readonly stop = (): void => {
		this.isStopped = true;
		this.tellStopped();
		for (const pace of this.paces) pace.withdraw(this);
		this.tellChange();
	};

	end(): void {
		this.ports.signal?.removeEventListener('abort', this.stop);
	}

	count(what: keyof typeof this.counts, by: 1 | -1): void {
		const { counts, ports } = this;
		const now = ports.clock.now();
		if (what === 'held' && counts.held === 0) this.heldFrom = now;
		counts[what] += by;
		if (what === 'held' && counts.held === 0) ports.onWait?.(now - this.heldFrom);
		if (what === 'underWay' && by === -1) this.look();
		this.tellChange();
	}

	paceFor(job: Job): Pace {
		const pace = this.ports.paceFor(job);
		this.paces.add(pace);
		return pace;
	}

	close(name: string, until: number, error: ServiceError): void {
		this.closed.set(name, { until, error });
		this.look();
	}

	errorOfClosed(now: number, names: Record<Held['of'], string>): ServiceError | undefined {
		if (this.closed.size === 0) return undefined;
		const known = Object.values(names).map((name) => this.closed.get(name));
		return known.find((closed) => closed && closed.until > now)?.error;
	}

	/**
	 * Lets one request begin in each round of Node.js's event loop. Twenty that begin in one round
	 * get their responses in one round, too, and each then waits while the others are handled.
	 */
	async nextRound(): Promise<void> {
		const isFree = this.round;
		this.round = isFree.then(async () => await this.ports.clock.sleep(0));
		await isFree;
	}

	private look(): void {
		for (const pace of this.paces) pace.look();
	}
}

/** The messages of one item, which leave one after the other, and what they wait for. */
export class Errand<Job extends SendJob> implements Passenger, ClaimWaits {
	order?: number;
	departure = 0;
	readonly recipient: string;
	readonly maxPerSecond: number;
	readonly latest: number;
	private readonly names: Record<Held['of'], string>;
	private pace: Pace;
	private heldBy: Held['of'] | undefined;
	/** The first moment at which it, or what it follows, was refused or held. */
	private heldSince: number | undefined;
	private hasPlace = false;

	constructor(
		readonly owner: Sender<Job>,
		private job: Job,
	) {
		this.recipient = identifierOf(job.recipient);
		this.names = { channel: idKey(job.channelId), recipient: targetOf(job) };
		this.pace = owner.paceFor(job);
		this.maxPerSecond = owner.bounds.maxPerSecond;
		const now = this.now();
		this.latest = now + (owner.bounds.within ?? Infinity);
		for (const { heldBy, names } of owner.errands)
			if (heldBy && names[heldBy] === this.names[heldBy]) this.heldSince = now;
		owner.errands.add(this);
	}

	async run<Result>(work: () => Promise<Result>): Promise<Result> {
		this.owner.count('begun', 1);
		return await work().finally(() => {
			this.rest();
			this.owner.errands.delete(this);
			this.owner.count('begun', -1);
		});
	}

	rest(): void {
		this.pace.leave(this);
		if (this.hasPlace) this.owner.count('underWay', -1);
		this.hasPlace = false;
	}

	takePlace(): void {
		this.hasPlace = true;
		this.owner.count('underWay', 1);
	}

	/**
	 * Sends a message until the service accepts it. Then the errand keeps its place until it rests.
	 * @returns undefined if sending stopped before
	 */
	async send(job: Job): Promise<string | undefined> {
		const { owner, recipient } = this;
		this.job = job;
		while (await this.toLeave()) {
			await owner.nextRound();
			if (!this.mayLeave() || owner.isStopped) continue;
			try {
				const messageId = await owner.ports.request(job);
				this.pace.holds.accept(this.now(), recipient, this.departure);
				this.pace.leave(this);
				return messageId;
			} catch (error) {
				this.pauseAfter(error);
			}
		}
		return undefined;
	}

	async toLeave(): Promise<boolean> {
		while (!this.owner.isStopped) {
			if (this.mayLeave()) return true;
			this.rest();
			// An idle one may have been forgotten meanwhile.
			this.pace = this.owner.paceFor(this.job);
			await this.pace.enter(this).finally(() => this.hold(undefined));
		}
		this.rest();
		return false;
	}

	async forHolder(ended: Promise<void>): Promise<boolean> {
		const { owner } = this;
		this.hold('recipient');
		const rest = this.waitsUntil(this.now()) - this.now();
		const isOver = owner.ports.clock.sleep(Math.ceil(rest)).then(() => !owner.isStopped);
		const mustEnd = rest <= 0 || (await Promise.race([ended, owner.stopped, isOver]));
		this.hold(undefined);
		if (mustEnd === true) throw this.notSent('key', LIMITED, TRY_AGAIN);
		return !owner.isStopped;
	}

	judge(now: number, held: Held | undefined, isCrowded: boolean): Error | undefined {
		const { owner, names } = this;
		const closed = owner.errorOfClosed(now, names);
		if (closed) return closed;
		this.hold(held?.of);
		const why = this.whyNot(now, held, isCrowded);
		if (!why) return undefined;
		const by = held ?? { ...LIMITED, until: now };
		const error = this.notSent(why, by, by.until - now);
		if (why === 'long') owner.close(names[by.of], by.until, error);
		return error;
	}

	private whyNot(now: number, held: Held | undefined, isCrowded: boolean): WhyNot | undefined {
		if (now >= this.latest) return 'late';
		if (held?.isVain) return 'vain';
		if (isCrowded) return 'crowded';
		if (!held || this.latest < Infinity) return undefined;
		return held.until > this.waitsUntil(now) ? 'long' : undefined;
	}

	/** @throws the error of a message that must not be offered again */
	private pauseAfter(error: unknown): void {
		const { owner, names, recipient, departure } = this;
		const { holds } = this.pace;
		const now = this.now();
		const pause = pauseOf(error);
		if (pause?.reason === 'rate_limited') holds.refuse(now, recipient, departure, pause.asked);
		else if (pause) holds.pause(now, pause.asked ?? 0);
		this.rest();
		if (!pause) throw asError(error);
		const held = holds.of(recipient, now);
		if (!held) return;
		this.mark(held.of, now);
		// Others wait for less than what this one was asked to.
		const until = Math.max(held.until, now + (pause.asked ?? 0));
		if (!held.isVain && until <= this.waitsUntil(now)) return;
		const later = triedLater(pause.error, until - now, owner.ports.timeZone?.());
		if (!held.isVain) owner.close(names[held.of], until, later);
		throw later;
	}

	private mayLeave(): boolean {
		const { departure, recipient } = this;
		return departure > 0 && !this.pace.holds.isHeld(recipient, departure, this.now());
	}

	private waitsUntil(now: number): number {
		return Math.min(this.latest, (this.heldSince ?? now) + LONGEST_WAIT);
	}

	private notSent(why: WhyNot, by: Pick<Held, 'of' | 'reason'>, wait: number): ServiceError {
		return notSent(this.job.name, why, by, wait, this.owner.ports.timeZone?.());
	}

	private hold(of: Held['of'] | undefined): void {
		if (of === this.heldBy) return;
		if (!of || !this.heldBy) this.owner.count('held', of ? 1 : -1);
		this.heldBy = of;
		if (of) this.mark(of, this.now());
	}

	/** What is held by the same is held from now on. */
	private mark(of: Held['of'], now: number): void {
		for (const other of this.owner.errands)
			if (other.names[of] === this.names[of]) other.heldSince ??= now;
	}

	private now(): number {
		return this.owner.ports.clock.now();
	}
}
