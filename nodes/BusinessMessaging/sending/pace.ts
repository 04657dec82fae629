import { idKey } from '../service/contract';
import { asError } from '../service/errors';
import { type Clock, steadyClock } from '../shared/tools/clock';
import { perName } from '../shared/tools/boundedMap';
import { Holds } from './holds';
import {
	type PacedChannel,
	COUNTED,
	type Failed,
	mayLeave,
	type PacedMessage,
	type Wait,
} from './mayLeave';

/** After this many milliseconds, requests of nodes with a higher limit no longer overtake. */
const PATIENCE = 5000;

/** Batches that wait long at a time, because the execution of each takes a place in n8n. */
const MAX_WAITING = 3;

/** The batches of a process that wait long, over all channels, and their messages that do. */
export class Places {
	private readonly taken = new Map<object, Set<object>>();

	/** Whether a batch may wait: it does already, or there is a place. */
	areOpenTo(batch: object): boolean {
		return this.taken.size < MAX_WAITING || this.taken.has(batch);
	}

	take(batch: object, message: object): void {
		this.taken.set(batch, (this.taken.get(batch) ?? new Set()).add(message));
	}

	give(batch: object, message: object): void {
		const messages = this.taken.get(batch);
		messages?.delete(message);
		if (messages?.size === 0) this.taken.delete(batch);
	}
}

/** A message in the queue, which tells it what becomes of it. */
export interface Queued extends PacedMessage {
	/** Its place among those that wait. It keeps it if it is refused. */
	readonly order: number | undefined;
	enters(order: number): void;
	leaves(number: number): void;
	/** Its request is over, or it goes back. */
	returns(): void;
	/** It stays in the queue. */
	waitFor(wait: Wait, now: number): void;
	/** It leaves the queue, because it must not wait. */
	errorOf(failed: Failed, now: number): Error;
}

interface Waiter {
	message: Queued;
	/** Since when nothing but the limit keeps it. */
	since?: number | undefined;
	resolve: () => void;
	reject: (error: Error) => void;
}

/** The queue of a channel for all executions of the process. `mayLeave` decides who leaves. */
export class Pace implements PacedChannel {
	readonly holds = new Holds();
	inFlight = 0;
	readonly responses: number[] = [];
	isClosed = false;
	private entered = 0;
	private waiting: Waiter[] = [];
	private timer = { wakesAt: Infinity };
	private isLooking = false;
	private mustLook = false;

	constructor(
		private readonly clock: Clock,
		readonly places = new Places(),
	) {}

	/** Whether nothing waits or counts any more. */
	get isIdle(): boolean {
		const now = this.clock.now();
		this.forgetResponses(now);
		const counted = this.inFlight + this.responses.length + this.waiting.length;
		return counted === 0 && this.holds.isIdle(now);
	}

	/**
	 * Waits until a message left the queue, or was withdrawn.
	 * @throws the error of a message that must not wait
	 */
	async enter(message: Queued): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			if (message.order === undefined) message.enters(++this.entered);
			const order = message.order ?? 0;
			let at = this.waiting.length;
			while (at > 0 && (this.waiting[at - 1]?.message.order ?? 0) > order) at--;
			this.waiting.splice(at, 0, { message, resolve, reject });
			this.look();
		});
	}

	/** Takes back a message that waits, or all of a batch. */
	withdraw(which: object): void {
		const stays = ({ message }: Waiter) => message !== which && message.batch !== which;
		const gone = this.waiting.filter((waiter) => !stays(waiter));
		this.waiting = this.waiting.filter(stays);
		for (const { resolve } of gone) resolve();
		// What waits for its key keeps nobody else.
		const isAlone = this.waiting.length === 0;
		if (isAlone || gone.some(({ message }) => !message.waitsForKey)) this.look();
	}

	/** Whether a message that left the queue may begin its request now. */
	isOpenTo(message: Queued): boolean {
		return message.number > 0 && mayLeave(message, this, this.clock.now()) === 'leave';
	}

	/**
	 * @param isSent its request was made, and its response came or certainly will not come
	 * @param isTold false: the response is about this message alone
	 */
	leave(message: Queued, isSent: boolean, isTold = isSent): void {
		const { number, batch } = message;
		if (number === 0) return;
		message.returns();
		this.inFlight--;
		if (isSent) {
			this.responses.push(this.clock.now());
			this.places.give(batch, message);
		}
		this.holds.end(number, isTold);
		this.look();
	}

	/** Starts all that may start now, and wakes when time lets more start. */
	look(): void {
		this.mustLook = true;
		if (this.isLooking) return;
		this.isLooking = true;
		while (this.mustLook && this.waiting.length > 0) this.lookOnce();
		this.isLooking = false;
		if (this.waiting.length === 0) this.timer = { wakesAt: Infinity };
	}

	private lookOnce(): void {
		this.mustLook = false;
		const now = this.clock.now();
		this.forgetResponses(now);
		this.isClosed = false;
		let next = Infinity;
		this.waiting = this.waiting.filter((waiter) => {
			const { message } = waiter;
			try {
				const decision = mayLeave(message, this, now);
				if (decision === 'leave') {
					message.leaves(this.holds.depart(message.recipient, now));
					this.inFlight++;
					waiter.resolve();
				} else if ('fail' in decision) throw message.errorOf(decision, now);
				else {
					this.keep(waiter, decision.wait, now);
					next = Math.min(next, decision.wait.until);
					return true;
				}
			} catch (error) {
				// It fails alone, whatever was thrown, because the queue is everybody's.
				waiter.reject(asError(error));
			}
			return false;
		});
		this.wakeAt(next);
	}

	private keep(waiter: Waiter, wait: Wait, now: number): void {
		const { message } = waiter;
		message.waitFor(wait, now);
		if (wait.isLong && !message.isUncounted) this.places.take(message.batch, message);
		if (wait.for === 'limit') this.isClosed ||= now - (waiter.since ??= now) >= PATIENCE;
		if (wait.for !== 'service') return;
		waiter.since = undefined;
	}

	private forgetResponses(now: number): void {
		const kept = this.responses.findIndex((at) => at > now - COUNTED);
		this.responses.splice(0, kept < 0 ? this.responses.length : kept);
	}

	/** Only the last timer is needed, and none once nothing waits. */
	private wakeAt(wakesAt: number): void {
		if (wakesAt >= this.timer.wakesAt) return;
		const timer = (this.timer = { wakesAt });
		const wait = Math.max(1, Math.ceil(wakesAt - this.clock.now()));
		const isNeeded = () => this.timer === timer;
		void this.clock.sleep(wait, isNeeded).then(() => {
			if (!isNeeded()) return;
			this.timer = { wakesAt: Infinity };
			this.look();
		});
	}
}

const places = new Places();
const paces = perName(() => new Pace(steadyClock, places));

/**
 * The pace of a channel that all executions of this process share.
 * @param account identifies service and account
 */
export const paceOf = (account: string, channelId: string): Pace =>
	paces(`${account} ${idKey(channelId)}`);
