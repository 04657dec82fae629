import { asError } from '../service/errors';
import type { Clock } from '../shared/clock';
import { askedWaitOf, LONGEST_WAIT, MAX_OFFERS, pauseFor } from './askedWait';
import type { SendJob } from './job';
import type { RateLimiter } from './rateLimiter';

/** What sending calls. */
export interface OfferPorts<Job extends SendJob> {
	/** Resolves to the message ID, or rejects with a ServiceError. */
	send(job: Job): Promise<string>;
	/** Gives the limiter that all executions of the process share for the job's channel. */
	limiterFor(job: Job): RateLimiter;
	/** Gets the milliseconds that a pause adds. Pauses that overlap count once. */
	onWait?: (milliseconds: number) => void;
	signal?: AbortSignal;
	clock: Clock;
}

/**
 * Offers the messages of an execution to the service until it takes them: each when the limiter of
 * its channel admits it, and again after a pause that the service asks for.
 */
export class Offers<Job extends SendJob> {
	private readonly used = new Set<RateLimiter>();
	/** Channels for which the service asked a pause that is too long. */
	private readonly closed = new Map<RateLimiter, { until: number; reason: unknown }>();
	/** Resolves when the next message may leave. */
	private turn: Promise<void> = Promise.resolve();
	/** When the last pause is over. */
	private pausedUntil = -Infinity;
	private readonly withdraw = () => this.used.forEach((limiter) => limiter.withdraw(this));

	/** @param maxPerSecond 0 for no limit */
	constructor(
		private readonly maxPerSecond: number,
		private readonly ports: OfferPorts<Job>,
	) {
		ports.signal?.addEventListener('abort', this.withdraw);
	}

	end(): void {
		this.ports.signal?.removeEventListener('abort', this.withdraw);
	}

	/** @returns undefined if the execution was cancelled before the message was sent */
	async offer(job: Job): Promise<string | undefined> {
		const { clock, signal } = this.ports;
		const limiter = this.ports.limiterFor(job);
		this.used.add(limiter);
		for (let offer = 1; ; offer++) {
			await this.takeTurn();
			this.requireOpen(limiter);
			const slot = signal?.aborted ? undefined : await limiter.enter(this.maxPerSecond, this);
			if (!slot) return undefined;
			try {
				this.requireOpen(limiter);
				return await this.ports.send(job);
			} catch (error) {
				const wait = askedWaitOf(error);
				if (wait === undefined) throw asError(error);
				const pause = pauseFor(wait);
				limiter.pause(pause);
				if (wait > LONGEST_WAIT)
					this.closed.set(limiter, { until: clock.now() + wait, reason: error });
				if (wait > LONGEST_WAIT || offer === MAX_OFFERS) throw asError(error);
				this.countPause(pause);
			} finally {
				slot.leave();
			}
		}
	}

	private countPause(pause: number): void {
		const now = this.ports.clock.now();
		const added = now + pause - Math.max(now, this.pausedUntil);
		if (added <= 0) return;
		this.pausedUntil = now + pause;
		this.ports.onWait?.(added);
	}

	/**
	 * Lets one message leave in each turn of Node.js. Messages that leave together get their
	 * responses together. Then each waits until all responses are handled and all have connected
	 * anew, so they leave together again. One by one, they stay apart.
	 */
	private async takeTurn(): Promise<void> {
		const isFree = this.turn;
		this.turn = isFree.then(async () => await this.ports.clock.sleep(0));
		await isFree;
	}

	private requireOpen(limiter: RateLimiter): void {
		const closed = this.closed.get(limiter);
		if (closed && closed.until > this.ports.clock.now()) throw asError(closed.reason);
	}
}
