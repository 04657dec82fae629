/** Customers who write several messages in a row, and a service that delivers each until it is acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises';

import { deliver, messageBody } from '../../core/harness/deliveries.mts';
import { eventText } from '../../load/records.mts';
import { number } from './conversations.mts';
import { deliveryOf, type Receiver } from './receivers.mts';

/** Milliseconds between two messages of a burst at least: the service orders by whole ones. */
const PAUSE_MS = 20;
/** Milliseconds until the service delivers again what was not acknowledged. */
const AGAIN_MS = 200;

export class Service {
	/** Events that were acknowledged. */
	readonly acknowledged = new Set<number>();
	private written = 0;

	constructor(private readonly receiver: Receiver) {}

	/** A customer writes. Resolves once that is acknowledged. @returns the event, as executions name it */
	async write(customer: number): Promise<number> {
		const event = this.written++;
		const body = messageBody({ text: eventText(event) });
		body.message.metadata.moment = Date.now();
		body.message.sender = { identifier: number(customer), name: 'Customer' };
		const delivery = deliveryOf(this.receiver, body);
		for (;;) {
			const status = await deliver(this.receiver.url, delivery).then(
				(response) => response.status,
				// Its connection was cut, or nobody is there.
				() => 0,
			);
			if (status >= 200 && status <= 299) break;
			await sleep(AGAIN_MS);
		}
		this.acknowledged.add(event);
		return event;
	}

	/** A customer writes several messages within a time. @returns the events, once all are acknowledged */
	async burst(customer: number, messages: number, withinMs: number): Promise<number[]> {
		const writing: Array<Promise<number>> = [];
		const pauses = Array.from({ length: messages - 1 }, () => Math.random());
		const scale = withinMs / Math.max(1, messages - 1);
		for (const pause of [0, ...pauses]) {
			await sleep(Math.max(PAUSE_MS, pause * scale));
			writing.push(this.write(customer));
		}
		return await Promise.all(writing);
	}

	/** Writes so many messages of 50 customers, so many under way at a time. */
	async load(messages: number, connections: number): Promise<void> {
		const end = this.written + messages;
		const connection = async (): Promise<void> => {
			while (this.written < end) await this.write(this.written % 50);
		};
		await Promise.all(Array.from({ length: connections }, connection));
	}
}
