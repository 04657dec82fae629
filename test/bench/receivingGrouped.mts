/**
 * What grouping gives and costs: events a second, and by arrival the time of a single event and the
 * memory of n8n meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { deliver } from '../core/harness/deliveries.mts';
import type { Host } from '../host/harness/host.mts';
import type { OwnN8n } from '../host/harness/ownN8n.mts';
import {
	newDelivery,
	publishTrigger,
	type Receiver,
	RECEIVERS,
} from '../host/harness/receivers.mts';
import { inOwnN8n, LAZY, rateOf } from './n8n.mts';
import { atLeast, atMost, type Bound } from './report.mts';
import { byTurns, medianOf, ratiosOf } from './statistics.mts';

const ROUNDS = 7;
const CONNECTIONS = 50;
const PAIRS = 200;
const SIZE = 1000;
const MEMORY_ROUNDS = 3;
const LOOK_MS = 200;

const PUBLISH = {
	webhook: RECEIVERS.webhook.publish,
	none: RECEIVERS.trigger.publish,
	arrival: async (host: Host) => await publishTrigger(host, { grouping: 'arrival' }),
	customer: async (host: Host) => await publishTrigger(host, { grouping: 'customer' }),
};

/** Milliseconds until a single event is stored. */
async function latencyOf(receiver: Receiver): Promise<number> {
	const delivery = newDelivery(receiver, SIZE);
	const began = performance.now();
	await deliver(receiver.url, delivery);
	return performance.now() - began;
}

/** Megabytes of n8n's process, with what it has not collected yet. */
async function megabytes({ host }: OwnN8n): Promise<number> {
	const metrics = await (await fetch(`${host.underTest.n8nUrl}/metrics`)).text();
	const bytes = Number(/^n8n_process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
	if (!(bytes > 0)) throw new Error('n8n does not say how much memory it has');
	return bytes / 1e6;
}

/** The highest, until the work is done. */
async function peakWhile(work: Promise<unknown>, n8n: OwnN8n): Promise<number> {
	let isOver = false;
	const ended = work.finally(() => (isOver = true));
	// The await below reports a failure.
	ended.catch(() => {});
	let highest = await megabytes(n8n);
	while (!isOver) {
		await sleep(LOOK_MS);
		highest = Math.max(highest, await megabytes(n8n));
	}
	await ended;
	return highest;
}

/** The most memory of an n8n that was just started, in megabytes, while one kind receives. */
async function peakOf(
	kind: 'none' | 'arrival',
	env: NodeJS.ProcessEnv,
	events: number,
): Promise<number> {
	return await inOwnN8n({ N8N_METRICS: 'true', ...env }, async (n8n) => {
		const receiver = await PUBLISH[kind](n8n.host);
		const working = rateOf(n8n.host, receiver, 2 * events, CONNECTIONS);
		return await peakWhile(working, n8n);
	});
}

/** @param least events a second by arrival, in those of the Webhook node */
async function measureCase(
	what: string,
	env: NodeJS.ProcessEnv,
	events: number,
	least: number,
): Promise<Bound[]> {
	const { name, added, rates } = await inOwnN8n(env, async ({ host }) => {
		const receivers = {
			webhook: await PUBLISH.webhook(host),
			none: await PUBLISH.none(host),
			arrival: await PUBLISH.arrival(host),
		};
		const single = await byTurns(
			['none', 'arrival'],
			PAIRS,
			async (kind) => await latencyOf(receivers[kind]),
		);
		return {
			name: `${host.underTest.version}${what}`,
			added: single.arrival.map((time, pair) => time - single.none[pair]!),
			rates: await byTurns(
				['webhook', 'arrival'],
				ROUNDS,
				async (kind) => await rateOf(host, receivers[kind], events, CONNECTIONS),
			),
		};
	});
	const peaks = await byTurns(
		['none', 'arrival'],
		MEMORY_ROUNDS,
		async (kind) => await peakOf(kind, env, events),
		0,
	);
	const memory = medianOf(peaks.arrival) / medianOf(peaks.none);
	return [
		atMost(`Delay of a single event, ${name}`, added, 5, { unit: ' ms' }),
		atLeast(`Rate, ${name} / Webhook node`, ratiosOf(rates.arrival, rates.webhook), least),
		atMost(`Peak memory, ${name} / ungrouped`, memory, 1.1),
	];
}

/** Many customers at once, whose deliveries are held for the pause. */
async function byCustomer(): Promise<Bound> {
	return await inOwnN8n({}, async ({ host }) => {
		const receivers = {
			webhook: await PUBLISH.webhook(host),
			customer: await PUBLISH.customer(host),
		};
		const rates = await byTurns(
			['webhook', 'customer'],
			ROUNDS,
			async (kind) => await rateOf(host, receivers[kind], 200, CONNECTIONS),
		);
		const name = `Rate by customer, ${host.underTest.version} / Webhook node`;
		return atLeast(name, ratiosOf(rates.customer, rates.webhook), 0.55);
	});
}

export const benchReceivingGrouped = async (): Promise<Bound[]> => [
	await byCustomer(),
	...(await measureCase('', {}, 100, 1.3)),
	...(await measureCase(' lazy', LAZY, 400, 3.5)),
];
