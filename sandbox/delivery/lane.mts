import { Heap } from '../core/heap.mts';
import type { DeliveryOrder } from '../store/webhooks.mts';

export interface QueuedDelivery {
	id: number;
	/** When it is due, on the sandbox's clock. */
	nextAt: number;
}

/** The queue of one webhook. The bodies stay in the data file: this holds only what is due when. */
export class Lane {
	readonly webhookId: string;
	readonly #ready = new Heap<QueuedDelivery>((left, right) => left.id - right.id);
	readonly #waiting = new Heap<QueuedDelivery>((left, right) => left.nextAt - right.nextAt || left.id - right.id);
	readonly #inFlight = new Map<number, AbortController>();

	constructor(webhookId: string) {
		this.webhookId = webhookId;
	}

	get size(): number {
		return this.#ready.size + this.#waiting.size + this.#inFlight.size;
	}

	get inFlight(): number {
		return this.#inFlight.size;
	}

	/** When the next waiting one is due; undefined when none waits. */
	get nextDue(): number | undefined {
		return this.#waiting.peek()?.nextAt;
	}

	add(delivery: QueuedDelivery, now: number): void {
		(delivery.nextAt <= now ? this.#ready : this.#waiting).push(delivery);
	}

	/** Takes what may start now, in the order asked for; undefined when nothing may. */
	take(order: DeliveryOrder, now: number, limit: number): QueuedDelivery | undefined {
		for (let next = this.#waiting.peek(); next && next.nextAt <= now; next = this.#waiting.peek()) {
			this.#ready.push(next);
			this.#waiting.pop();
		}
		if (this.#inFlight.size >= (order === 'kept' ? 1 : limit)) return undefined;
		// Order kept: what failed and waits for its next attempt holds everything after it.
		if (order === 'kept' && this.#waiting.size > 0) return undefined;
		return order === 'shuffled' ? this.#ready.removeAt(Math.floor(Math.random() * this.#ready.size)) : this.#ready.pop();
	}

	/** Notes that a delivery is under way, and gives the signal that stops it. */
	start(id: number): AbortController {
		const controller = new AbortController();
		this.#inFlight.set(id, controller);
		return controller;
	}

	finish(id: number): void {
		this.#inFlight.delete(id);
	}

	isInFlight(id: number): boolean {
		return this.#inFlight.has(id);
	}

	/** Takes a delivery out of the queue, wherever it stands. */
	withdraw(id: number): void {
		const isIt = (delivery: QueuedDelivery) => delivery.id === id;
		if (!this.#ready.remove(isIt)) this.#waiting.remove(isIt);
	}

	/** Stops what is under way. */
	abort(): void {
		for (const controller of this.#inFlight.values()) controller.abort(new Error('the webhook was deleted'));
	}
}
