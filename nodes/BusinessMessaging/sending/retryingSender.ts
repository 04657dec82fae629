import { idKey } from '../service/contract';
import { asError } from '../service/errors';
import { identifierOf } from '../service/recipient';
import type { Clock } from '../shared/clock';
import { MAX_ATTEMPTS } from './hold';
import type { HeldBack } from './holdBack';
import { holdBack, LONGEST_WAIT, mustNotWait } from './holdBack';
import type { SendJob } from './job';
import { targetOf } from './job';
import type { RateLimiter, Slot } from './rateLimiter';

/** What sending calls. */
export interface RequestPorts<Job extends SendJob> {
	/** Resolves to the message ID, or rejects with a ServiceError. */
	request(job: Job): Promise<string>;
	/** Gives the limiter that all executions of the process share for the job's channel. */
	limiterFor(job: Job): RateLimiter;
	/** Gets the milliseconds that a pause adds. Pauses that overlap count once. */
	onWait?: (milliseconds: number) => void;
	signal?: AbortSignal;
	clock: Clock;
}

/** Lets another message take the place of one that waits. */
export type LendPlace = <Result>(wait: () => Promise<Result>) => Promise<Result>;

/**
 * Sends the messages of an execution: each when the limiter of its channel lets it, and again after
 * the pause that follows a 429 or 503, until the service accepts it.
 */
export class RetryingSender<Job extends SendJob> {
	private readonly used = new Set<RateLimiter>();
	/** Targets and channels for which the service asked a pause that is too long. */
	private readonly closed = new Map<string, { until: number; reason: unknown }>();
	/** Resolves in the next round of the event loop. */
	private round: Promise<void> = Promise.resolve();
	/** When the last pause is over. */
	private pausedUntil = -Infinity;
	private readonly withdraw = () => this.used.forEach((limiter) => limiter.withdraw(this));

	/** @param maxPerSecond 0 for no limit */
	constructor(
		private readonly maxPerSecond: number,
		private readonly ports: RequestPorts<Job>,
		private readonly lendPlace: LendPlace,
	) {
		ports.signal?.addEventListener('abort', this.withdraw);
	}

	end(): void {
		this.ports.signal?.removeEventListener('abort', this.withdraw);
	}

	/** @returns undefined if the execution was cancelled before the message was sent */
	async sendUntilAccepted(job: Job): Promise<string | undefined> {
		const limiter = this.ports.limiterFor(job);
		const recipient = identifierOf(job.recipient);
		this.used.add(limiter);
		for (let attempt = 1; ; attempt++) {
			const slot = await this.enter(limiter, recipient, job);
			if (!slot) return undefined;
			try {
				const messageId = await this.ports.request(job);
				limiter.refusals.accept(recipient);
				return messageId;
			} catch (error) {
				const pause = holdBack(limiter, recipient, error);
				if (!pause) throw asError(error);
				if (pause.wait > LONGEST_WAIT) this.close(job, pause, error);
				if (pause.wait > LONGEST_WAIT || attempt === MAX_ATTEMPTS) throw asError(error);
				this.countPause(pause.milliseconds);
			} finally {
				slot.leave();
			}
		}
	}

	/**
	 * Waits for the recipient, and then for the channel.
	 * @returns undefined if the execution was cancelled
	 */
	private async enter(
		limiter: RateLimiter,
		recipient: string,
		job: Job,
	): Promise<Slot | undefined> {
		const { refusals } = limiter;
		const isCancelled = () => this.ports.signal?.aborted === true;
		while (!isCancelled()) {
			const closed = this.closedBy(job);
			if (closed) throw asError(closed.reason);
			if (refusals.isHeld(recipient)) {
				// Others need its place, because it may wait for long.
				const state = await this.lendPlace(async () => await refusals.untilOpen(recipient, this));
				if (state === 'inVain' || state === 'crowded') throw mustNotWait(job.name, state);
			}
			await this.nextRound();
			if (isCancelled() || this.closedBy(job)) continue;
			const slot = await limiter.enter(this.maxPerSecond, this);
			if (slot && !refusals.isHeld(recipient) && !this.closedBy(job)) return slot;
			slot?.leave();
		}
		return undefined;
	}

	private close(job: Job, { of, wait }: HeldBack, reason: unknown): void {
		const name = of === 'channel' ? idKey(job.channelId) : targetOf(job);
		this.closed.set(name, { until: this.ports.clock.now() + wait, reason });
	}

	private closedBy(job: Job): { reason: unknown } | undefined {
		if (this.closed.size === 0) return undefined;
		const now = this.ports.clock.now();
		return [idKey(job.channelId), targetOf(job)]
			.map((name) => this.closed.get(name))
			.find((closed) => closed && closed.until > now);
	}

	private countPause(pause: number): void {
		const now = this.ports.clock.now();
		const added = now + pause - Math.max(now, this.pausedUntil);
		if (added <= 0) return;
		this.pausedUntil = now + pause;
		this.ports.onWait?.(added);
	}

	/**
	 * Lets one request begin in each round of Node.js's event loop. Twenty requests that begin in one
	 * round get their responses in one round, too, and each then waits while the other nineteen are
	 * handled. That costs time with every message.
	 */
	private async nextRound(): Promise<void> {
		const isFree = this.round;
		this.round = isFree.then(async () => await this.ports.clock.sleep(0));
		await isFree;
	}
}
