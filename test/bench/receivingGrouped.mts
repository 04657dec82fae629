/**
 * What grouping gives and costs: events a second, the time of a single event, and the memory of n8n
 * meanwhile.
 */
import { DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import type { Generation } from '../../scripts/n8n/host.mts';
import { deliver } from '../core/harness/deliveries.mts';
import type { Host } from '../host/harness/host.mts';
import { startOwnN8n } from '../host/harness/ownN8n.mts';
import { newDelivery, type Receiver } from '../host/harness/receivers.mts';
import { sqliteQuery, allEnded } from '../load/executions.mts';
import { type Kind, KIND_NAMES, KINDS, requestsOf, SIZE } from './groupingKinds.mts';
import { peakWhile, processMemory } from './holding.mts';
import { load } from './load.mts';
import { atLeast, atMost, type Bound, type Measured } from './report.mts';
import { medianOf, showSpread, spreadOf, table } from './statistics.mts';

const ROUNDS = 7;
const EVENTS = { slow: 100, fast: 400 };
const CONNECTIONS = [20, 50] as const;
const PAIRS = 200;
const LIMIT_MS = 120_000;
const LOOK_MS = 20;

/** Kinds whose memory is measured, and how often: each time in an n8n of its own. */
const IN_MEMORY = ['webhook', 'none', 'arrival'] as const;
const MEMORY_ROUNDS = 3;

/**
 * Events a second, from the first delivery until every one was answered 2xx and no execution goes
 * on.
 */
async function rateOf(
	host: Host,
	receiver: Receiver,
	events: number,
	connections: number,
): Promise<number> {
	const requests = requestsOf(receiver, events);
	const began = performance.now();
	await load(new URL(receiver.url).origin, events, connections, (n) => requests[n - 1]!);
	await allEnded(sqliteQuery(host.underTest.home), LIMIT_MS, { lookMs: LOOK_MS });
	return (events / (performance.now() - began)) * 1000;
}

/** Events a second of each kind, round by round, by turns. */
async function ratesOf(
	host: Host,
	receivers: Record<Kind, Receiver>,
	events: number,
	connections: number,
): Promise<Record<Kind, number[]>> {
	const rates: Record<Kind, number[]> = { webhook: [], none: [], arrival: [], customer: [] };
	for (let round = 0; round <= ROUNDS; round += 1)
		for (let turn = 0; turn < KIND_NAMES.length; turn += 1) {
			const kind = KIND_NAMES[(round + turn) % KIND_NAMES.length]!;
			const rate = await rateOf(host, receivers[kind], events, connections);
			// The first round warms up.
			if (round > 0) rates[kind].push(rate);
		}
	return rates;
}

/** Milliseconds until a single event is stored, grouped beside not grouped, in pairs. */
async function latencyOf(receivers: Record<Kind, Receiver>): Promise<number[]> {
	const timeOf = async (receiver: Receiver) => {
		const delivery = newDelivery(receiver, SIZE);
		const began = performance.now();
		await deliver(receiver.url, delivery);
		return performance.now() - began;
	};
	const added: number[] = [];
	for (let pair = 0; pair < PAIRS; pair += 1) {
		// Each goes first in every other pair.
		const first = pair % 2 === 0 ? ('none' as const) : ('arrival' as const);
		const second = first === 'none' ? ('arrival' as const) : ('none' as const);
		const times = {
			[first]: await timeOf(receivers[first]),
			[second]: await timeOf(receivers[second]),
		};
		added.push(times.arrival! - times.none!);
	}
	return added;
}

interface Case {
	what: string;
	generation: Generation;
	env: NodeJS.ProcessEnv;
	events: number;
	/** By arrival at 50 connections, in events of the Webhook node. */
	atLeast?: number;
}

/** The most memory of an n8n that was just started, in megabytes, while one kind receives. */
async function peakOf(kind: Kind, { generation, env, events }: Case): Promise<number> {
	const n8n = await startOwnN8n(DEMO_SECRET_KEY, { ...processMemory.env, ...env }, generation);
	try {
		const receiver = await KINDS[kind].publish(n8n.host);
		const working = rateOf(n8n.host, receiver, 2 * events, Math.max(...CONNECTIONS));
		return await peakWhile(working, processMemory, n8n);
	} finally {
		await n8n.remove();
	}
}

async function measureMemory(given: Case, name: string): Promise<Measured> {
	const peaks: Record<(typeof IN_MEMORY)[number], number[]> = {
		webhook: [],
		none: [],
		arrival: [],
	};
	for (let round = 0; round < MEMORY_ROUNDS; round += 1)
		for (let turn = 0; turn < IN_MEMORY.length; turn += 1) {
			const kind = IN_MEMORY[(round + turn) % IN_MEMORY.length]!;
			peaks[kind].push(await peakOf(kind, given));
		}
	const beside = (kind: keyof typeof peaks, other: keyof typeof peaks) =>
		medianOf(peaks[kind]) / medianOf(peaks[other]);
	return {
		blocks: [
			table(
				[
					'',
					'Highest memory of n8n, MB',
					"In the Webhook node's",
					'In that of the trigger ungrouped',
				],
				IN_MEMORY.map((kind) => [
					KINDS[kind].what,
					showSpread(spreadOf(peaks[kind]), 0),
					beside(kind, 'webhook').toFixed(2),
					beside(kind, 'none').toFixed(2),
				]),
			),
		],
		bounds: [atMost(`Peak memory, ${name} / ungrouped`, beside('arrival', 'none'), 1.1)],
	};
}

async function measureCase(given: Case): Promise<Measured> {
	const { what, generation, env, events, ...bound } = given;
	const n8n = await startOwnN8n(DEMO_SECRET_KEY, env, generation);
	try {
		const { host } = n8n;
		const name = `n8n ${host.underTest.version}${what}`;
		const receivers = {
			webhook: await KINDS.webhook.publish(host),
			none: await KINDS.none.publish(host),
			arrival: await KINDS.arrival.publish(host),
			customer: await KINDS.customer.publish(host),
		};
		const added = spreadOf(await latencyOf(receivers));
		const bounds: Bound[] = [
			atMost(`Delay of a single event, ${name}`, added.median, 5, {
				unit: ' ms',
			}),
		];
		const rows: string[][] = [];
		for (const connections of CONNECTIONS) {
			const rates = await ratesOf(host, receivers, events, connections);
			const beside = (kind: Kind) => rates[kind].map((rate, round) => rate / rates.webhook[round]!);
			for (const kind of KIND_NAMES)
				rows.push([
					KINDS[kind].what,
					String(connections),
					showSpread(spreadOf(rates[kind]), 1),
					kind === 'webhook' ? '1' : showSpread(spreadOf(beside(kind))),
				]);
			if (connections === 50 && bound.atLeast !== undefined)
				bounds.push(
					atLeast(`Rate, ${name} / Webhook node`, medianOf(beside('arrival')), bound.atLeast),
				);
		}
		const memory = generation === 'current' ? await measureMemory(given, name) : undefined;
		return {
			blocks: [
				`**${name}**`,
				table(['', 'Connections', 'Events a second', 'In those of the Webhook node'], rows),
				`A single event by arrival took ${showSpread(added)} ms longer than ungrouped until it was acknowledged, in ${PAIRS} alternating pairs.`,
				...(memory?.blocks ?? []),
			],
			bounds: [...bounds, ...(memory?.bounds ?? [])],
		};
	} finally {
		await n8n.remove();
	}
}

const CASES: Case[] = [
	{ what: '', generation: 'current', env: {}, events: EVENTS.slow, atLeast: 1.15 },
	{
		what: ' lazy',
		generation: 'current',
		env: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
		events: EVENTS.fast,
		atLeast: 3.5,
	},
	{ what: '', generation: 'oldest', env: {}, events: EVENTS.slow },
];

export async function benchReceivingGrouped(): Promise<Measured> {
	const measured: Measured[] = [];
	for (const given of CASES) {
		const result = await measureCase(given);
		// It takes half an hour in all.
		console.log(result.blocks.join('\n\n'));
		measured.push(result);
	}
	return {
		blocks: [
			`The same deliveries to the trigger with its two groupings, as it is dropped on the canvas, in ${ROUNDS} rounds by turns. An event counts once its delivery was answered 2xx and its execution has ended. By customer, the last of a round wait for their pause, which is a part of its time. Memory is the highest of a process that was just started for twice as many events over ${Math.max(...CONNECTIONS)} connections, in ${MEMORY_ROUNDS} rounds by turns. n8n gives each request to another node than its own an isolate of some 10 MB, unless it makes them lazily.`,
			...measured.flatMap(({ blocks }) => blocks),
		],
		bounds: measured.flatMap(({ bounds }) => bounds),
	};
}
