import { type Attempt, type DeliveryState, FINISHED_KEPT } from '../store/deliveries.mts';
import type { Stores } from '../stores.mts';
import { attemptsAt, judge, type UnderWay } from './attempt.mts';
import { PER_WEBHOOK, Queue } from './queue.mts';
import { Sender } from './send.mts';

/** Highest number of deliveries in flight. */
const IN_ALL = 64;
/** Longest sleep of a timer. The worker looks at the clock again afterwards. */
const LONGEST_SLEEP = 60_000;

interface WorkerParts extends Stores {
	/** Milliseconds until a receiver's response counts as missing. */
	timeout: number;
}

interface Outcome extends UnderWay {
	queue: Queue;
	attempts: Attempt[];
	state: DeliveryState;
	nextAt: number;
}

/**
 * Delivers what waits in the data file, at least once each. An attempt is recorded after it was
 * made, so an attempt that the end of the process interrupted is made again.
 */
export class DeliveryWorker {
	readonly #parts: WorkerParts & { sender: Sender };
	#queues = new Map<string, Queue>();
	#underWay = 0;
	#outcomes: Outcome[] = [];
	#pending = 0;
	#finished = 0;
	#pumpDue = false;
	#closed = false;
	#timer: NodeJS.Timeout | undefined;

	constructor(parts: WorkerParts) {
		this.#parts = { ...parts, sender: new Sender(parts.timeout, PER_WEBHOOK) };
		parts.clock.onMove(() => this.wake());
		this.reload();
	}

	/** Starts from the data file. */
	reload(): void {
		this.#abort();
		this.#queues = new Map();
		for (const { id } of this.#parts.webhooks.all()) this.#queueOf(id);
		this.#count();
		this.wake();
	}

	/** Takes a delivery that was added to the data file. */
	enqueue(webhookId: string, nextAt: number): void {
		this.#queueOf(webhookId).expect(nextAt);
		this.#pending += 1;
		this.wake();
	}

	/** Number of unfinished deliveries. */
	get pending(): number {
		return this.#pending;
	}

	/** Whether a delivery is in flight. */
	isUnderWay(webhookId: string, id: number): boolean {
		return this.#queues.get(webhookId)?.isUnderWay(id) ?? false;
	}

	/** Takes a delivery that was made due again in the data file, whether finished or waiting. */
	hurry(webhookId: string): void {
		this.#queueOf(webhookId).expect(this.#parts.clock.now());
		this.#count();
		this.wake();
	}

	/** Stops all deliveries to a webhook at once. */
	drop(webhookId: string): void {
		this.#queues.get(webhookId)?.abort();
		this.#queues.delete(webhookId);
		this.#count();
	}

	/**
	 * Checks soon whether a delivery can start, after a new delivery, a changed webhook or a moved
	 * clock.
	 */
	wake(): void {
		if (this.#pumpDue || this.#closed) return;
		this.#pumpDue = true;
		setImmediate(() => {
			this.#pumpDue = false;
			this.#pump();
		});
	}

	/** Stops. Deliveries in flight are aborted and stay in the queue. */
	async close(): Promise<void> {
		this.#closed = true;
		clearTimeout(this.#timer);
		this.#record();
		this.#abort();
		await this.#parts.sender.close();
	}

	#abort(): void {
		for (const queue of this.#queues.values()) queue.abort();
	}

	#queueOf(webhookId: string): Queue {
		let queue = this.#queues.get(webhookId);
		if (!queue) this.#queues.set(webhookId, (queue = new Queue(webhookId, this.#parts.deliveries)));
		return queue;
	}

	#count(): void {
		const { PENDING, ...finished } = this.#parts.deliveries.counts();
		this.#pending = PENDING;
		this.#finished = Object.values(finished).reduce((sum, count) => sum + count, 0);
	}

	#pump(): void {
		if (this.#closed) return;
		const now = this.#parts.clock.now();
		let wakeAt = Infinity;
		for (const queue of [...this.#queues.values()]) {
			if (this.#underWay >= IN_ALL) break;
			// Moved to the end: the next round begins with the webhooks that had no turn in this one.
			this.#queues.delete(queue.webhookId);
			this.#queues.set(queue.webhookId, queue);
			const dueAt = this.#startFrom(queue, now);
			// What is due already starts when something in flight has finished.
			if (dueAt > now) wakeAt = Math.min(wakeAt, dueAt);
		}
		this.#sleepUntil(wakeAt);
	}

	/** Starts the deliveries of a queue that may start, and returns when to check it again. */
	#startFrom(queue: Queue, now: number): number {
		const { webhooks, faults, deliveries } = this.#parts;
		const webhook = webhooks.get(queue.webhookId);
		if (!webhook) {
			this.drop(queue.webhookId);
			return Infinity;
		}
		const routing = webhooks.effectiveRouting(webhook);
		// A template webhook that its routing does not know yet is checked when it does.
		if (routing?.status !== 'ENABLED')
			return now < webhook.routesFrom ? webhook.routesFrom : Infinity;
		const order = faults.reorders(webhook) ? 'shuffled' : webhook.deliveryOrder;
		for (const id of queue.take(order, now, IN_ALL - this.#underWay)) {
			const delivery = deliveries.get(id)!;
			const controller = queue.start(id);
			this.#start(queue, { delivery, webhook: { ...webhook, url: routing.url }, controller });
		}
		return queue.nextDue;
	}

	#sleepUntil(time: number): void {
		clearTimeout(this.#timer);
		const delay = time === Infinity ? undefined : this.#parts.clock.realDelayUntil(time);
		if (delay === undefined) return;
		this.#timer = setTimeout(() => this.wake(), Math.min(delay, LONGEST_SLEEP));
		this.#timer.unref();
	}

	#start(queue: Queue, underWay: UnderWay): void {
		this.#underWay += 1;
		void attemptsAt(underWay, this.#parts).then((attempts) => {
			this.#underWay -= 1;
			if (this.#closed || !this.#queues.has(queue.webhookId)) return;
			const now = this.#parts.clock.now();
			const { state, nextAt } = judge(underWay.delivery, attempts, now);
			this.#outcomes.push({ ...underWay, queue, attempts, state, nextAt });
			if (this.#outcomes.length === 1) setImmediate(() => this.#record());
		});
	}

	/** Records the attempts since the last time, in one transaction. */
	#record(): void {
		const { db, deliveries, bus } = this.#parts;
		const outcomes = this.#outcomes.filter(
			({ queue }) => this.#queues.get(queue.webhookId) === queue,
		);
		this.#outcomes = [];
		db.transaction(() => {
			for (const { delivery, attempts, state, nextAt } of outcomes) {
				for (const attempt of attempts) deliveries.record(delivery.id, attempt, state, nextAt);
			}
		});
		for (const { queue, delivery, state, nextAt } of outcomes) {
			queue.finish(delivery.id);
			if (state === 'PENDING') queue.expect(nextAt);
			else {
				this.#pending -= 1;
				this.#finished += 1;
			}
			const { id, webhookId, event } = delivery;
			bus.emit('notice', 'delivery', { id, webhookId, event, state });
		}
		while (this.#finished > FINISHED_KEPT) {
			const pruned = deliveries.prune();
			if (pruned === 0) break;
			this.#finished -= pruned;
		}
		this.wake();
	}
}
