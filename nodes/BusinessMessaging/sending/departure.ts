import { idKey } from '../service/contract';
import { asError, mayBeDone, ServiceError } from '../service/errors';
import { identifierOf } from '../service/recipient';
import type { GiveBack } from './byteBudget';
import { type Doing, type Execution, type Member, type SendJob, targetOf } from './execution';
import type { Held } from './holds';
import { type Failed, notSent, triedLater, TRY_AGAIN, type Wait, waitsUntil } from './mayLeave';
import type { ClaimWaits, KeyHolder } from './once/leases';
import type { Outage, Trier } from './outage';
import type { Pace, Queued } from './pace';

/** A hold began, or sending stopped, before the request. */
class HeldBack extends Error {}

/** The messages of one item, which leave one after the other, and what they wait for. */
export class Departure<Job extends SendJob> implements Queued, Member, ClaimWaits, Trier {
	order?: number;
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
	/** Whether one of its messages was accepted, now or before. */
	hasBegun = false;

	constructor(
		readonly execution: Execution<Job>,
		private job: Job,
	) {
		const { bounds, counts, departures, sentKeys } = execution;
		this.recipient = identifierOf(job.recipient);
		this.outage = execution.outageOf(idKey(job.channelId));
		this.names = { channel: idKey(job.channelId), recipient: targetOf(job) };
		this.pace = execution.paceFor(job);
		this.maxPerSecond = bounds.maxPerSecond;
		this.sentKeys = sentKeys;
		this.isDeadline = bounds.isDeadline === true;
		this.latest = bounds.within === undefined ? Infinity : this.now() + bounds.within;
		if (counts.held > 0)
			for (const { heldBy, names } of departures)
				if (heldBy && names[heldBy] === this.names[heldBy]) this.heldSince = this.now();
		execution.add(this);
	}

	get hasFreePlace(): boolean {
		const { counts, bounds } = this.execution;
		return this.does === 'underWay' || counts.underWay < bounds.maxConcurrency;
	}

	get waitsForKey() {
		return this.holder?.waitsLong ? 'long' : this.holder !== undefined;
	}

	get isUncounted(): boolean {
		const { execution, does } = this;
		return execution.ports.isTest === true || execution.canLeaveBeside(does);
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
		const { closed } = this.execution;
		if (closed.size === 0) return undefined;
		const [one, other] = Object.values(this.names).map((name) => closed.get(name));
		return !one || (other && other.until > one.until) ? other : one;
	}

	async run<Result>(work: () => Promise<Result>): Promise<Result> {
		this.begin('ready');
		return await work().finally(() => {
			this.rest();
			this.pace.places.give(this.execution, this);
			this.execution.remove(this);
			this.begin(undefined);
		});
	}

	/** Gives back what others wait for. */
	rest(): void {
		this.leaveQueue();
		if (this.does) this.begin('ready');
	}

	leaves(): void {
		this.waitsLong = false;
		this.outage.leaves(this);
		this.begin('underWay');
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
		const { execution, names, job } = this;
		if (fail === 'closed') return this.closed!.error;
		const until = { until: now + (opensIn ?? 0), reason: 'outside_hours' } as const;
		const why = opensIn === undefined ? held : until;
		const error = notSent(job.name, fail, why, now, execution.ports.timeZone?.());
		if (fail === 'long' && held) execution.close(names[held.of], held.until, error);
		return error;
	}

	/**
	 * Sends a message until the service accepts it. Then it keeps its place until it rests.
	 * @returns undefined if sending stopped before
	 */
	async send(job: Job): Promise<string | undefined> {
		const { execution, recipient } = this;
		this.job = job;
		const check = () => {
			if (!this.isOpen()) throw new HeldBack();
		};
		while (await this.toLeave()) {
			await execution.nextRound();
			if (!this.isOpen()) continue;
			this.outage.begin(this);
			try {
				const messageId = await execution.ports.request(job, check);
				this.pace.holds.accept(this.now(), recipient, this.number);
				this.hasBegun = true;
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
		const { execution, job } = this;
		const { takeRoom } = execution.ports;
		while (!execution.isStopped) {
			if (!this.isOpen()) {
				// Its place it keeps, because it can leave at once, as a template instead of it does.
				if (this.does === 'underWay') this.leaveQueue();
				// An idle one may have been forgotten meanwhile.
				this.pace = execution.paceFor(job);
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
			this.giveBack = await execution.unlessStopped(taken);
		}
		this.rest();
		return false;
	}

	async forHolder(turn: Promise<void>, holder: KeyHolder): Promise<boolean> {
		const { execution, job } = this;
		if (execution.isStopped) return false;
		const pace = (this.pace = execution.paceFor(job));
		this.heldSince ??= this.now();
		this.holder = holder;
		void turn.then(() => pace.withdraw(this));
		await pace.enter(this).finally(() => (this.holder = undefined));
		return !execution.isStopped;
	}

	private isOpen(): boolean {
		return !this.execution.isStopped && this.pace.isOpenTo(this);
	}

	/** @throws the error of a message that must not be offered again */
	private pauseAfter(error: unknown): void {
		const { execution, names, recipient, number } = this;
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
		const later = triedLater(failed, until - now, execution.ports.timeZone?.());
		if (!held.isVain) execution.close(names[held.of], until, later);
		throw later;
	}

	private endRequest(outcome?: 'unknown' | 'refused'): void {
		const { execution, outage, names, job } = this;
		const now = this.now();
		if (!outage.end(this, now, this.pace.holds.acceptances, outcome)) return;
		const held = { until: now + TRY_AGAIN, reason: 'outage' } as const;
		const error = notSent(job.name, 'outage', held, now, execution.ports.timeZone?.());
		execution.close(names.channel, Infinity, error);
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
		if (before !== does) this.execution.count(before, does, held);
	}

	/** What is held by the same is held from now on. */
	private mark(of: Held['of'], now: number): void {
		for (const other of this.execution.departures)
			if (other.names[of] === this.names[of]) other.heldSince ??= now;
	}

	private now(): number {
		return this.execution.ports.clock.now();
	}
}

/** What an error says of an outage: a pause, and what did not reach the service, say nothing. */
function outcomeOf(error: unknown): 'unknown' | 'refused' | undefined {
	if (mayBeDone(error, { orUnlikely: true })) return 'unknown';
	const { reason, failure } = error instanceof ServiceError ? error : {};
	const isPause = reason === 'rate_limited' || reason === 'service_unavailable';
	return isPause || failure?.status === undefined ? undefined : 'refused';
}
