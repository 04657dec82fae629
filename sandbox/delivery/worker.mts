import { setTimeout as sleep } from 'node:timers/promises';

import type { Bus } from '../core/bus.mts';
import type { Clock } from '../core/clock.mts';
import type { Database } from '../core/database.mts';
import { isAllowedHost } from '../core/loopback.mts';
import type { Faults } from '../faults/faults.mts';
import type { WebhookFault } from '../faults/schema.mts';
import { type Attempt, type Deliveries, type Delivery, type DeliveryState, FINISHED_KEPT } from '../store/deliveries.mts';
import type { StoredWebhook, Webhooks } from '../store/webhooks.mts';
import { Lane } from './lane.mts';
import { buildRequest } from './request.mts';
import { parseRetryAfter, waitAfter } from './schedule.mts';
import { type Answer, Sender } from './send.mts';

/** Deliveries under way at once, to one webhook and in all. */
const PER_WEBHOOK = 16;
const IN_ALL = 64;
/** Longest sleep of a timer; the clock is looked at again then. */
const LONGEST_SLEEP = 60_000;

export interface WorkerParts {
	db: Database;
	clock: Clock;
	bus: Bus;
	deliveries: Deliveries;
	webhooks: Webhooks;
	faults: Faults;
	/** Hosts besides this machine that may be called. */
	allowedHosts: readonly string[];
	/** Milliseconds that a receiver has for its answer. */
	timeout: number;
}

interface Outcome {
	lane: Lane;
	delivery: Delivery;
	attempts: Attempt[];
	/** Undefined: it was taken back before it was tried, and stays as it is. */
	state: DeliveryState;
	nextAt: number;
}

/**
 * Delivers what the queue in the data file holds, at least once each: an attempt is recorded after it was made, so one that the end of the
 * process cut off is made again.
 */
export class DeliveryWorker {
	readonly #parts: WorkerParts;
	readonly #sender: Sender;
	#lanes = new Map<string, Lane>();
	#underWay = 0;
	#outcomes: Outcome[] = [];
	#finished = 0;
	#pumpDue = false;
	#closed = false;
	#timer: NodeJS.Timeout | undefined;

	constructor(parts: WorkerParts) {
		this.#parts = parts;
		this.#sender = new Sender(parts.timeout, PER_WEBHOOK);
		parts.clock.onMove(() => this.wake());
		this.reload();
	}

	/** Starts from what the data file holds. */
	reload(): void {
		for (const lane of this.#lanes.values()) lane.abort();
		this.#lanes = new Map();
		for (const { id, webhookId, nextAt } of this.#parts.deliveries.pending()) this.enqueue(webhookId, id, nextAt);
		const { PENDING: _pending, ...finished } = this.#parts.deliveries.counts();
		this.#finished = Object.values(finished).reduce((sum, count) => sum + count, 0);
	}

	enqueue(webhookId: string, id: number, nextAt: number): void {
		let lane = this.#lanes.get(webhookId);
		if (!lane) this.#lanes.set(webhookId, (lane = new Lane(webhookId)));
		lane.add({ id, nextAt }, this.#parts.clock.now());
		this.wake();
	}

	/** How many deliveries are not finished. */
	get pending(): number {
		let sum = 0;
		for (const lane of this.#lanes.values()) sum += lane.size;
		return sum;
	}

	/** Whether a delivery is being made right now. */
	isUnderWay(webhookId: string, id: number): boolean {
		return this.#lanes.get(webhookId)?.isInFlight(id) ?? false;
	}

	/** Makes a delivery due now, whatever its place in the queue. */
	hurry(webhookId: string, id: number): void {
		this.#lanes.get(webhookId)?.withdraw(id);
		this.enqueue(webhookId, id, this.#parts.clock.now());
	}

	/** Stops everything to a webhook at once. */
	drop(webhookId: string): void {
		this.#lanes.get(webhookId)?.abort();
		this.#lanes.delete(webhookId);
	}

	/** Looks soon whether something can start: a delivery came, a webhook changed, the clock moved. */
	wake(): void {
		if (this.#pumpDue || this.#closed) return;
		this.#pumpDue = true;
		setImmediate(() => {
			this.#pumpDue = false;
			this.#pump();
		});
	}

	/** Stops; what is under way is broken off and stays in the queue. */
	async close(): Promise<void> {
		this.#closed = true;
		clearTimeout(this.#timer);
		this.#record();
		for (const lane of this.#lanes.values()) lane.abort();
		await this.#sender.close();
	}

	#pump(): void {
		if (this.#closed) return;
		const { clock, webhooks, faults } = this.#parts;
		const now = clock.now();
		let wakeAt = Infinity;
		for (const lane of [...this.#lanes.values()]) {
			const webhook = webhooks.get(lane.webhookId);
			if (!webhook) {
				this.drop(lane.webhookId);
				continue;
			}
			const routing = webhooks.effectiveRouting(webhook);
			if (routing?.status !== 'ENABLED') {
				// A template webhook that its routing does not know yet is looked at again when it does.
				if (now < webhook.routesFrom) wakeAt = Math.min(wakeAt, webhook.routesFrom);
				continue;
			}
			const order = faults.reorders(webhook.id) ? 'shuffled' : webhook.order;
			while (this.#underWay < IN_ALL) {
				const next = lane.take(order, now, PER_WEBHOOK);
				if (!next) break;
				this.#start(lane, next.id, { ...webhook, url: routing.url });
			}
			wakeAt = Math.min(wakeAt, lane.nextDue ?? Infinity);
			// The next round begins with another lane, so that a long queue does not starve the others.
			if (this.#underWay >= IN_ALL) {
				this.#lanes.delete(lane.webhookId);
				this.#lanes.set(lane.webhookId, lane);
			}
		}
		this.#sleepUntil(wakeAt);
	}

	#sleepUntil(time: number): void {
		clearTimeout(this.#timer);
		const delay = time === Infinity ? undefined : this.#parts.clock.realDelayUntil(time);
		if (delay === undefined) return;
		this.#timer = setTimeout(() => this.wake(), Math.min(delay, LONGEST_SLEEP));
		this.#timer.unref();
	}

	#start(lane: Lane, id: number, webhook: StoredWebhook): void {
		const delivery = this.#parts.deliveries.get(id);
		if (!delivery || delivery.state !== 'PENDING') return;
		const controller = lane.start(id);
		this.#underWay += 1;
		void this.#deliver(delivery, webhook, controller).then((attempts) => {
			this.#underWay -= 1;
			if (this.#closed || !this.#lanes.has(lane.webhookId)) return;
			this.#outcomes.push(this.#judge(lane, delivery, attempts));
			if (this.#outcomes.length === 1) setImmediate(() => this.#record());
		});
	}

	/** One attempt; with the duplicate fault, several. Never rejects. */
	async #deliver(delivery: Delivery, webhook: StoredWebhook, controller: AbortController): Promise<Attempt[]> {
		const faults = this.#parts.faults.takeForWebhook(webhook.id);
		const attempts: Attempt[] = [];
		const copies = faults.find((fault) => fault.kind === 'duplicate')?.copies ?? 0;
		for (let copy = 0; copy <= copies; copy += 1) {
			attempts.push(await this.#attempt(delivery, webhook, faults, controller, delivery.attempts + 1 + copy));
		}
		return attempts;
	}

	async #attempt(
		delivery: Delivery,
		webhook: StoredWebhook,
		faults: readonly WebhookFault[],
		controller: AbortController,
		number: number,
	): Promise<Attempt> {
		for (const fault of faults) {
			const delay = fault.kind === 'latency' ? fault.ms : fault.kind === 'reorder' ? Math.random() * fault.withinMs : 0;
			// An aborted wait is met again by the call below, which then fails at once.
			if (delay > 0) await sleep(delay, undefined, { signal: controller.signal }).catch(() => undefined);
		}
		const at = Date.now();
		const request = buildRequest(delivery, webhook, faults, Math.floor(at / 1000));
		const answer = await this.#answer(webhook, request, faults, controller);
		return {
			number,
			at,
			duration: Date.now() - at,
			url: webhook.url,
			requestHeaders: request.headers,
			requestGzip: request.gzipped ? request.body : null,
			faults: faults.map((fault) => fault.kind),
			status: answer.status,
			responseHeaders: answer.headers,
			responseBody: answer.body,
			error: answer.error,
		};
	}

	async #answer(
		webhook: StoredWebhook,
		request: { headers: Record<string, string>; body: Buffer },
		faults: readonly WebhookFault[],
		controller: AbortController,
	): Promise<Answer> {
		const { hostname } = new URL(webhook.url);
		if (!isAllowedHost(hostname, this.#parts.allowedHosts)) {
			const error = `not sent: ${hostname} is not this machine. Start the sandbox with --allow-delivery-to ${hostname} to call it`;
			return { status: null, headers: null, body: null, error };
		}
		const status = faults.find((fault) => fault.kind === 'status');
		if (status) {
			const headers: Record<string, string> = status.retryAfter === undefined ? {} : { 'retry-after': String(status.retryAfter) };
			return { status: status.status, headers, body: null, error: `fault: counts as answered ${status.status}` };
		}
		if (faults.some((fault) => fault.kind === 'dropBefore'))
			return { status: null, headers: null, body: null, error: 'fault: dropped before sending' };
		const answer = await this.#sender.call({ url: webhook.url, headers: request.headers, body: request.body, controller });
		if (faults.some((fault) => fault.kind === 'dropAfter')) return { ...answer, error: 'fault: the answer was dropped' };
		return answer;
	}

	#judge(lane: Lane, delivery: Delivery, attempts: Attempt[]): Outcome {
		const last = attempts[attempts.length - 1]!;
		if (attempts.some((attempt) => attempt.error === null))
			return { lane, delivery, attempts, state: 'DELIVERED', nextAt: delivery.nextAt };
		const retryAfter = parseRetryAfter(last.responseHeaders?.['retry-after'], Date.now());
		const wait = waitAfter(last.number, delivery.idempotencyKey, retryAfter);
		if (wait === undefined) return { lane, delivery, attempts, state: 'FAILED', nextAt: delivery.nextAt };
		return { lane, delivery, attempts, state: 'PENDING', nextAt: this.#parts.clock.now() + wait };
	}

	/** Writes down what was tried since the last time, in one transaction, and goes on. */
	#record(): void {
		const { db, deliveries, bus } = this.#parts;
		const outcomes = this.#outcomes.filter(({ lane }) => this.#lanes.get(lane.webhookId) === lane);
		this.#outcomes = [];
		db.transaction(() => {
			for (const { delivery, attempts, state, nextAt } of outcomes) {
				for (const attempt of attempts) deliveries.record(delivery.id, attempt, state, nextAt);
			}
		});
		for (const { lane, delivery, state, nextAt } of outcomes) {
			lane.finish(delivery.id);
			if (state === 'PENDING') lane.add({ id: delivery.id, nextAt }, this.#parts.clock.now());
			else this.#finished += 1;
			bus.publish('delivery', () => ({ id: delivery.id, webhookId: delivery.webhookId, event: delivery.event, state }));
		}
		while (this.#finished > FINISHED_KEPT) {
			const pruned = deliveries.prune();
			if (pruned === 0) break;
			this.#finished -= pruned;
		}
		this.wake();
	}
}
