import { idKey } from '../service/contract';
import { asError, mayBeDone, ServiceError } from '../service/errors';
import { identifierOf } from '../service/recipient';
import type { GiveBack } from './byteBudget';
import { type Doing, type Batch, type Member, type SendJob, targetOf } from './batch';
import type { Held } from './holds';
import { type Failed, notSent, triedLater, TRY_AGAIN, type Wait, waitsUntil } from './mayLeave';
import type { ClaimWaits, KeyHolder } from './once/keyLocks';
import type { Outage, Trier } from './outage';
import type { Pace, Queued } from './pace';

/** A hold began, or sending stopped, before the request. */
class HeldBack extends Error {}

/** The messages of one item, which leave one after the other, and what they wait for. */
export class OutgoingItem<Job extends SendJob> implements Queued, Member, ClaimWaits, Trier {
	order: number | undefined;
	number = 0;
	heldSince: number | undefined;
	readonly recipient: string;
	readonly maxPerSecond: number;
	readonly latest: number;
	readonly isDeadline: boolean;
	readonly sentKeys: ClaimWaits['sentKeys'];
	readonly names: Member['names'];
	heldBy: Held['of'] | undefined;
	private pace: Pace;
	private does: Doing | undefined;
	private giveBack: GiveBack | undefined;
	private readonly outage: Outage;
	/** Of its Send Once Key, while it waits for it. */
	private holder: KeyHolder | undefined;
	waitsLong = false;
	private hasBegun = false;

	constructor(
		readonly batch: Batch<Job>,
		private job: Job,
	) {
		const { bounds, counts, members, sentKeys } = batch;
		this.recipient = identifierOf(job.recipient);
		this.outage = batch.outageOf(idKey(job.channelId));
		this.names = { channel: idKey(job.channelId), recipient: targetOf(job) };
		this.pace = batch.paceFor(job);
		this.maxPerSecond = bounds.maxPerSecond;
		this.sentKeys = sentKeys;
		this.isDeadline = bounds.isDeadline === true;
		this.latest = bounds.within === undefined ? Infinity : this.now() + bounds.within;
		if (counts.held > 0)
			for (const { heldBy, names } of members)
				if (heldBy && names[heldBy] === this.names[heldBy]) this.holdFrom(this.now());
		batch.add(this);
	}

	get hasFreePlace(): boolean {
		const { counts, bounds } = this.batch;
		return this.does === 'underWay' || counts.underWay < bounds.maxConcurrency;
	}

	get waitsForKey() {
		return this.holder?.waitsLong ? 'long' : this.holder !== undefined;
	}

	get isUncounted(): boolean {
		const { batch, does } = this;
		return batch.ports.isTest === true || batch.canLeaveBeside(does);
	}

	/** What began is finished. */
	opensIn(): number {
		return this.hasBegun ? 0 : (this.job.hours?.opensIn() ?? 0);
	}

	get fileId(): string | undefined {
		return this.job.fileId;
	}

	inOutage(now: number): Held | undefined {
		return this.outage.holds(this, now, this.pace.holds.acceptances);
	}

	get closed() {
		const { closed } = this.batch;
		if (closed.size === 0) return undefined;
		const [one, other] = Object.values(this.names).map((name) => closed.get(name));
		return !one || (other && other.until > one.until) ? other : one;
	}

	async run<Result>(work: () => Promise<Result>): Promise<Result> {
		this.begin('ready');
		return await work().finally(() => {
			this.rest();
			this.pace.places.give(this.batch, this);
			this.batch.remove(this);
			this.begin(undefined);
		});
	}

	/** Gives back what others wait for. */
	rest(): void {
		this.leaveQueue();
		if (this.does) this.begin('ready');
	}

	enters(order: number): void {
		this.order = order;
	}

	leaves(number: number): void {
		this.waitsLong = false;
		this.outage.leaves(this);
		this.begin('underWay');
		this.number = number;
	}

	returns(): void {
		this.number = 0;
	}

	holdFrom(now: number): void {
		this.heldSince ??= now;
	}

	/** One of its messages was accepted, now or before. */
	noteAccepted(): void {
		this.hasBegun = true;
	}

	waitFor(wait: Wait, now: number): void {
		this.waitsLong = wait.isLong === true;
		if (wait.for !== 'service') return this.begin(wait.for === 'key' ? 'waiting' : 'ready');
		const { held } = wait;
		this.giveRoom();
		if (held.of !== this.heldBy) this.mark(held.of, now);
		this.begin('held', held);
	}

	errorOf({ fail, held, opensIn }: Failed, now: number): Error {
		const { batch, names, job } = this;
		if (fail === 'closed') return this.closed!.error;
		const until = { until: now + (opensIn ?? 0), reason: 'outside_hours' } as const;
		const why = opensIn === undefined ? held : until;
		const error = notSent(job.name, fail, why, now, batch.ports.timeZone?.());
		if (fail === 'long' && held) batch.close(names[held.of], held.until, error);
		return error;
	}

	/**
	 * Sends a message until the service accepts it. Then it keeps its place until it rests.
	 * @returns undefined if sending stopped before
	 */
	async send(job: Job): Promise<string | undefined> {
		const { batch, recipient } = this;
		this.job = job;
		const check = () => {
			if (!this.isOpen()) throw new HeldBack();
		};
		while (await this.toLeave()) {
			await batch.nextRound();
			if (!this.isOpen()) continue;
			this.outage.begin(this);
			try {
				const messageId = await batch.ports.request(job, check);
				this.pace.holds.accept(this.now(), recipient, this.number);
				this.noteAccepted();
				this.endRequest();
				this.pace.leave(this, true);
				return messageId;
			} catch (error) {
				this.endRequest(outcomeOf(error));
				if (!(error instanceof HeldBack)) this.pauseAfter(error);
			}
		}
		return undefined;
	}

	async toLeave(): Promise<boolean> {
		const { batch, job } = this;
		const { takeRoom } = batch.ports;
		while (!batch.isStopped) {
			if (!this.isOpen()) {
				// Its place it keeps, because it can leave at once, as a template instead of it does.
				if (this.does === 'underWay') this.leaveQueue();
				// An idle one may have been forgotten meanwhile.
				this.pace = batch.paceFor(job);
				await this.pace.enter(this);
				continue;
			}
			if (this.giveBack || !takeRoom) return true;
			const taken = takeRoom(job);
			if (typeof taken === 'function') {
				this.giveBack = taken;
				return true;
			}
			this.rest();
			this.begin('bytes');
			this.giveBack = await batch.unlessStopped(taken);
		}
		this.rest();
		return false;
	}

	async forHolder(turn: Promise<void>, holder: KeyHolder): Promise<boolean> {
		const { batch, job } = this;
		if (batch.isStopped) return false;
		const pace = (this.pace = batch.paceFor(job));
		this.holdFrom(this.now());
		this.holder = holder;
		void turn.then(() => pace.withdraw(this));
		await pace.enter(this).finally(() => (this.holder = undefined));
		return !batch.isStopped;
	}

	private isOpen(): boolean {
		return !this.batch.isStopped && this.pace.isOpenTo(this);
	}

	/** @throws the error of a message that must not be offered again */
	private pauseAfter(error: unknown): void {
		const { batch, names, recipient, number } = this;
		const { holds } = this.pace;
		const now = this.now();
		const failed = error instanceof ServiceError ? error : undefined;
		const asked = failed?.failure.retryAfter;
		const isLimited = failed?.reason === 'rate_limited';
		const isBusy = failed?.reason === 'service_unavailable' && asked !== undefined;
		if (isLimited) holds.refuse(now, recipient, number, asked);
		if (isBusy) holds.pause(now, asked);
		const isPaused = isLimited || isBusy;
		this.pace.leave(this, true, isPaused || mayBeDone(error, { orUnlikely: true }));
		if (!failed || !isPaused) throw asError(error);
		const held = holds.of(recipient, 0, now);
		if (!held) return;
		this.mark(held.of, now);
		// Others wait for less than what this one was asked to.
		const until = Math.max(held.until, now + (asked ?? 0));
		if (!held.isVain && until <= waitsUntil(this, now)) return;
		const later = triedLater(failed, until - now, batch.ports.timeZone?.());
		if (!held.isVain) batch.close(names[held.of], until, later);
		throw later;
	}

	private endRequest(outcome?: 'unknown' | 'refused'): void {
		const { batch, outage, names, job } = this;
		const now = this.now();
		if (!outage.end(this, now, this.pace.holds.acceptances, outcome)) return;
		const held = { until: now + TRY_AGAIN, reason: 'outage' } as const;
		const error = notSent(job.name, 'outage', held, now, batch.ports.timeZone?.());
		batch.close(names.channel, Infinity, error);
	}

	private leaveQueue(): void {
		this.endRequest();
		this.pace.leave(this, false);
		this.giveRoom();
	}

	private giveRoom(): void {
		this.giveBack?.();
		this.giveBack = undefined;
	}

	private begin(does: Doing | undefined, held?: Held): void {
		const before = this.does;
		this.does = does;
		this.heldBy = held?.of;
		if (before !== does) this.batch.count(before, does, held);
	}

	/** What is held by the same is held from now on. */
	private mark(of: Held['of'], now: number): void {
		for (const other of this.batch.members)
			if (other.names[of] === this.names[of]) other.holdFrom(now);
	}

	private now(): number {
		return this.batch.ports.clock.now();
	}
}

/** What an error says of an outage: a pause, and what did not reach the service, say nothing. */
function outcomeOf(error: unknown): 'unknown' | 'refused' | undefined {
	if (mayBeDone(error, { orUnlikely: true })) return 'unknown';
	const { reason, failure } = error instanceof ServiceError ? error : {};
	const isPause = reason === 'rate_limited' || reason === 'service_unavailable';
	return isPause || failure?.status === undefined ? undefined : 'refused';
}
