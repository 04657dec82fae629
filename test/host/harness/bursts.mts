/**
 * Customers who write several messages in a row, and a service that delivers each until it is
 * acknowledged.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { deliver, messageBody } from '../../core/harness/deliveries.mts';
import { accountFor, eventText, type ExecutionRecord, oncePerLife } from '../../load/records.mts';
import { number } from './conversations.mts';
import { deliveryOf, type Receiver } from './receivers.mts';

/**
 * Lowest number of milliseconds between two messages, because the service orders by whole
 * milliseconds.
 */
const PAUSE_MS = 20;
/** Milliseconds until the service repeats an unacknowledged delivery. */
const AGAIN_MS = 200;

export interface Bursts {
	customers: number;
	/** Bursts of each customer. */
	rounds: number;
	/** Messages of a burst. */
	messages: number;
	/** Longest time from its first message to its last, in milliseconds. */
	withinMs: number;
}

/**
 * Bursts that did not become one execution each, in order, and what happened to their events
 * instead.
 */
export function splitBursts(
	bursts: readonly number[][],
	executions: readonly ExecutionRecord[],
): Array<{ burst: number[]; became: Array<readonly number[]> }> {
	const whole = new Set(executions.map(({ events }) => events.join()));
	return bursts
		.filter((burst) => !whole.has(burst.join()))
		.map((burst) => ({
			burst,
			became: executions
				.map(({ events }) => events)
				.filter((events) => events.some((event) => burst.includes(event))),
		}));
}

/**
 * Executions that hold a later event of a customer before an earlier one, or start after one that
 * does. Events are numbered as they were written.
 */
export function outOfOrder(
	bursts: readonly number[][],
	executions: readonly ExecutionRecord[],
): string[] {
	const started = [...executions].sort((one, other) => Number(one.id) - Number(other.id));
	const wrong: string[] = [];
	for (const burst of bursts) {
		const seen = started
			.flatMap(({ events }) => events)
			.filter((event) => burst.includes(event))
			.join();
		if (seen !== [...burst].sort((one, other) => one - other).join()) wrong.push(seen);
	}
	return wrong;
}

/** What happened to the events. Each was acknowledged in the end. */
export const accountOf = (events: number, executions: ExecutionRecord[], restarts: number[] = []) =>
	accountFor(
		Array.from({ length: events }, (_, event) => ({ event, acknowledged: true, attempts: 1 })),
		executions,
		oncePerLife(restarts),
	);

export class Service {
	/** Events that were acknowledged, and milliseconds from writing one until then. */
	readonly acknowledged = new Map<number, number>();
	private written = 0;

	constructor(private readonly receiver: Receiver) {}

	/**
	 * A customer writes. Resolves once that is acknowledged.
	 *
	 * @returns the event, as executions name it
	 */
	async write(customer: number): Promise<number> {
		const event = this.written++;
		const writtenAt = Date.now();
		const body = messageBody({ text: eventText(event) });
		body.message.metadata.moment = writtenAt;
		body.message.sender = { identifier: number(customer), name: 'Customer' };
		const delivery = deliveryOf(this.receiver, body);
		for (;;) {
			const status = await deliver(this.receiver.url, delivery).then(
				(response) => response.status,
				// The connection was cut or refused.
				() => 0,
			);
			if (status >= 200 && status <= 299) break;
			await sleep(AGAIN_MS);
		}
		this.acknowledged.set(event, Date.now() - writtenAt);
		return event;
	}

	/**
	 * A customer writes several messages within a time.
	 *
	 * @returns the events, once all are acknowledged
	 */
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

	/**
	 * Customers who write side by side, each one burst after the other.
	 *
	 * @returns the bursts, once all are acknowledged
	 */
	async bursts({ customers, rounds, messages, withinMs }: Bursts): Promise<number[][]> {
		const written = Array.from({ length: customers }, async (_, customer) => {
			const own: number[][] = [];
			await sleep(Math.random() * withinMs);
			for (let round = 0; round < rounds; round++)
				own.push(await this.burst(customer, messages, withinMs));
			return own;
		});
		return (await Promise.all(written)).flat();
	}

	/** Writes messages of 50 customers, with a limited number in flight. */
	async load(messages: number, connections: number): Promise<void> {
		const end = this.written + messages;
		const connection = async (): Promise<void> => {
			while (this.written < end) await this.write(this.written % 50);
		};
		await Promise.all(Array.from({ length: connections }, connection));
	}
}
