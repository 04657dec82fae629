/** What grouping gives and costs: events a second, the time of a single event, and the memory of what is held. */
import { GROUPING_OPTIONS } from '../../nodes/BusinessMessaging/trigger/groupingSettings.ts';
import { DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import type { Generation } from '../../scripts/n8n/host.mts';
import { deliver, messageBody } from '../core/harness/deliveries.mts';
import { number } from '../host/harness/conversations.mts';
import type { Host } from '../host/harness/host.mts';
import { startOwnN8n } from '../host/harness/ownN8n.mts';
import {
	deliveryOf,
	newDelivery,
	publishTrigger,
	type Receiver,
	RECEIVERS,
} from '../host/harness/receivers.mts';
import { sqliteQuery, allEnded } from '../load/executions.mts';
import { type HeldFigures, measureHeld } from './holding.mts';
import { load } from './load.mts';
import { atLeast, atMost, type Bound, type Measured } from './report.mts';
import { medianOf, showSpread, spreadOf, table } from './statistics.mts';

const ROUNDS = 3;
const EVENTS = { slow: 100, fast: 400 };
const CONNECTIONS = [20, 50] as const;
const CUSTOMERS = 200;
const SIZE = 1000;
const PAIRS = 200;
const BY_DEFAULT = GROUPING_OPTIONS.mostWaiting.byDefault;
const LIMIT_MS = 120_000;
const LOOK_MS = 20;

/** Wide bounds, so that they are not what is measured. By customer without a pause: what its groups cost, and not how long they wait. */
const options = { mostWaiting: 10_000, mostEvents: 1000, quietTime: 0, longestWait: 10 };
const KINDS = {
	webhook: {
		what: "n8n's Webhook node, version 2",
		publish: async (host: Host) => await RECEIVERS.webhook.publish(host),
	},
	none: {
		what: 'This trigger, an execution for each event',
		publish: async (host: Host) => await publishTrigger(host),
	},
	arrival: {
		what: 'By arrival',
		publish: async (host: Host) => await publishTrigger(host, { grouping: 'arrival', options }),
	},
	customer: {
		what: 'By customer, without a pause',
		publish: async (host: Host) => await publishTrigger(host, { grouping: 'customer', options }),
	},
};
type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Kind[];

/** Events a second, from the first delivery until every one was answered 2xx and no execution goes on. */
async function rateOf(
	host: Host,
	receiver: Receiver,
	events: number,
	connections: number,
): Promise<number> {
	const text = 'x'.repeat(SIZE - JSON.stringify(messageBody({ text: '' })).length);
	const requests = Array.from({ length: events }, (_, index) => {
		const body = messageBody({ text });
		body.message.sender = { identifier: number(index % CUSTOMERS), name: 'Customer' };
		const delivery = deliveryOf(receiver, body);
		return {
			path: new URL(receiver.url).pathname,
			body: String(delivery.body),
			headers: delivery.headers as Record<string, string>,
		};
	});
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

async function measureCase({ what, generation, env, events, ...bound }: Case): Promise<Measured> {
	const n8n = await startOwnN8n(DEMO_SECRET_KEY, env, generation);
	try {
		const { host } = n8n;
		const name = `n8n ${host.underTest.version} ${what}`;
		const receivers = {
			webhook: await KINDS.webhook.publish(host),
			none: await KINDS.none.publish(host),
			arrival: await KINDS.arrival.publish(host),
			customer: await KINDS.customer.publish(host),
		};
		const added = spreadOf(await latencyOf(receivers));
		const bounds: Bound[] = [
			atMost(`A single event by arrival in ${name}, longer than ungrouped`, added.median, 5, {
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
					atLeast(
						`Events a second by arrival in ${name}, in those of the Webhook node`,
						medianOf(beside('arrival')),
						bound.atLeast,
					),
				);
		}
		return {
			blocks: [
				`**${name}**`,
				table(['', 'Connections', 'Events a second', 'In those of the Webhook node'], rows),
				`A single event by arrival took ${showSpread(added)} ms longer than ungrouped until it was acknowledged, in ${PAIRS} alternating pairs.`,
			],
			bounds,
		};
	} finally {
		await n8n.remove();
	}
}

const CASES: Case[] = [
	{ what: 'as it comes', generation: 'current', env: {}, events: EVENTS.slow, atLeast: 1.2 },
	{
		what: 'with `N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true`',
		generation: 'current',
		env: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
		events: EVENTS.fast,
		atLeast: 4,
	},
	{ what: 'as it comes', generation: 'oldest', env: {}, events: EVENTS.slow },
];

/** Memory of n8n 2 while deliveries wait for their group. */
export async function benchHolding(): Promise<Measured> {
	const lazy = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
	const lazily = await measureHeld('process', lazy, [1000]);
	const live = await measureHeld('live', lazy, [1000]);
	const asItComes = await measureHeld('process', {}, [BY_DEFAULT, 100]);
	const row =
		(what: string) =>
		({ held, before, highest }: HeldFigures) => [
			what,
			String(held),
			before.toFixed(0),
			highest.toFixed(0),
			((highest - before) / held).toFixed(2),
		];
	const [thousand] = live;
	const [byDefault] = asItComes;
	return {
		blocks: [
			'n8n 2 while it holds deliveries, each of 1 KB and of another customer.',
			table(
				['', 'Held', 'Before, MB', 'Highest, MB', 'MB for each'],
				[
					...asItComes.map(row('As it comes, the process')),
					...lazily.map(row('Lazily, the process')),
					...live.map(row('Lazily, what is in use')),
				],
			),
			'What is in use is what is left when garbage is collected again and again: that is what the held deliveries hold. The process grows further before V8 thinks of collecting.',
		],
		bounds: [
			atMost(
				`n8n as it comes while ${BY_DEFAULT} deliveries are held, as many as may by default`,
				byDefault!.highest,
				1000,
				{ unit: ' MB', decimals: 0 },
			),
			atMost(
				'In use for 1,000 held deliveries with lazy isolates',
				thousand!.highest - thousand!.before,
				100,
				{ unit: ' MB', decimals: 0 },
			),
		],
	};
}

export async function benchReceivingGrouped(): Promise<Measured> {
	const measured: Measured[] = [];
	for (const given of CASES) {
		const result = await measureCase(given);
		// It takes a quarter of an hour in all.
		console.log(result.blocks.join('\n\n'));
		measured.push(result);
	}
	return {
		blocks: [
			'The same deliveries to the trigger with its two groupings. An event counts once its delivery was answered 2xx and its execution has ended.',
			...measured.flatMap(({ blocks }) => blocks),
		],
		bounds: measured.flatMap(({ bounds }) => bounds),
	};
}
