/**
 * What grouping by arrival gives and costs: events a second, the time of a single event, and the
 * memory of n8n meanwhile.
 */
import { deliver } from '../core/harness/deliveries.mts';
import type { Host } from '../host/harness/host.mts';
import {
	newDelivery,
	publishTrigger,
	type Receiver,
	RECEIVERS,
} from '../host/harness/receivers.mts';
import { peakWhile, processMemory } from './holding.mts';
import { inOwnN8n, LAZY, rateOf } from './n8n.mts';
import { atLeast, atMost, type Bound } from './report.mts';
import { byTurns, medianOf, ratiosOf } from './statistics.mts';

const ROUNDS = 7;
const CONNECTIONS = 50;
const PAIRS = 200;
const SIZE = 1000;
const MEMORY_ROUNDS = 3;

const PUBLISH = {
	webhook: RECEIVERS.webhook.publish,
	none: RECEIVERS.trigger.publish,
	arrival: async (host: Host) => await publishTrigger(host, { grouping: 'arrival' }),
};

/** Milliseconds until a single event is stored. */
async function latencyOf(receiver: Receiver): Promise<number> {
	const delivery = newDelivery(receiver, SIZE);
	const began = performance.now();
	await deliver(receiver.url, delivery);
	return performance.now() - began;
}

/** The most memory of an n8n that was just started, in megabytes, while one kind receives. */
async function peakOf(
	kind: 'none' | 'arrival',
	env: NodeJS.ProcessEnv,
	events: number,
): Promise<number> {
	return await inOwnN8n({ ...processMemory.env, ...env }, async (n8n) => {
		const receiver = await PUBLISH[kind](n8n.host);
		const working = rateOf(n8n.host, receiver, 2 * events, CONNECTIONS);
		return await peakWhile(working, processMemory, n8n);
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
			name: `n8n ${host.underTest.version}${what}`,
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

export const benchReceivingGrouped = async (): Promise<Bound[]> => [
	...(await measureCase('', {}, 100, 1.15)),
	...(await measureCase(' lazy', LAZY, 400, 3.5)),
];
