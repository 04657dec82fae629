import type { Deliveries } from '../store/deliveries.mts';
import type { DeliveryOrder } from '../store/webhooks.mts';

/** Highest number of deliveries in flight to one webhook. */
export const PER_WEBHOOK = 16;
/** Deliveries per query. A shuffled queue picks any of them. */
const BATCH = 256;

function shuffled<T>(items: T[]): T[] {
	return items
		.map((item) => ({ item, place: Math.random() }))
		.sort((left, right) => left.place - right.place)
		.map(({ item }) => item);
}

/**
 * The queue of one webhook. Waiting deliveries are in the data file. This holds those in flight,
 * the next few, and the time of the next one.
 */
export class Queue {
	readonly webhookId: string;
	readonly #deliveries: Deliveries;
	readonly #underWay = new Map<number, AbortController>();
	/** Due deliveries that have not started yet. */
	#batch: number[] = [];
	#nextDue = 0;
	#order: DeliveryOrder | undefined;

	constructor(webhookId: string, deliveries: Deliveries) {
		this.webhookId = webhookId;
		this.#deliveries = deliveries;
	}

	/** No further delivery is due before this time; Infinity if none waits. */
	get nextDue(): number {
		return this.#nextDue;
	}

	/** Records that a delivery in the data file waits until a time. */
	expect(nextAt: number): void {
		this.#nextDue = Math.min(this.#nextDue, nextAt);
	}

	/** Takes up to `limit` deliveries that may start now, in the webhook's order. */
	take(order: DeliveryOrder, now: number, limit: number): number[] {
		if (order !== this.#order) {
			this.#order = order;
			this.#batch = [];
			this.#nextDue = 0;
		}
		const free = Math.min(limit, (order === 'kept' ? 1 : PER_WEBHOOK) - this.#underWay.size);
		if (free <= 0) return [];
		if (this.#batch.length < free && this.#nextDue <= now) this.#find(order, now);
		return this.#batch.splice(0, free);
	}

	#find(order: DeliveryOrder, now: number): void {
		// Order `kept`: an older delivery that waits for its next attempt blocks those after it.
		const [first, size] = order === 'kept' ? (['oldest', 1] as const) : (['due', BATCH] as const);
		const waiting = this.#deliveries
			.waiting(this.webhookId, first, size + this.#underWay.size)
			.filter(({ id }) => !this.#underWay.has(id));
		const due = waiting.filter(({ nextAt }) => nextAt <= now);
		if (due.length < size) this.#nextDue = waiting[due.length]?.nextAt ?? Infinity;
		this.#batch = (order === 'shuffled' ? shuffled(due) : due).map(({ id }) => id);
	}

	/** Records a delivery as in flight and returns its abort controller. */
	start(id: number): AbortController {
		const controller = new AbortController();
		this.#underWay.set(id, controller);
		return controller;
	}

	finish(id: number): void {
		this.#underWay.delete(id);
	}

	isUnderWay(id: number): boolean {
		return this.#underWay.has(id);
	}

	/** Aborts everything in flight. */
	abort(): void {
		for (const controller of this.#underWay.values())
			controller.abort(new Error('the webhook was deleted'));
	}
}
