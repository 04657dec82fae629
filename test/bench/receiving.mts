/**
 * Executions a second of a workflow behind this package's trigger, and behind n8n's own Webhook
 * node: same n8n, same deliveries, by turns.
 */
import { DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import type { Generation } from '../../scripts/n8n/host.mts';
import { until } from '../../scripts/until.mts';
import type { Host } from '../host/harness/host.mts';
import { startOwnN8n } from '../host/harness/ownN8n.mts';
import {
	newDelivery,
	type Receiver,
	type ReceiverName,
	RECEIVERS,
} from '../host/harness/receivers.mts';
import { countSuccesses } from '../host/harness/staticData.mts';
import { load } from './load.mts';
import { atLeast, type Measured } from './report.mts';
import { medianOf, showSpread, spreadOf, table } from './statistics.mts';

const ROUNDS = 9;
/** Deliveries of a round: some seconds' worth. */
const EVENTS = { slow: 120, fast: 600 };
const CONNECTIONS = 20;
/** Bytes of a body. */
const SIZE = 1_000;
const LIMIT_MS = 120_000;
const LOOK_MS = 50;

/**
 * Delivers new events and waits until n8n recorded as many successes.
 *
 * @returns executions a second
 */
async function rateOf(host: Host, receiver: Receiver, events: number): Promise<number> {
	const { workflowId, url } = receiver;
	const { home } = host.underTest;
	const requests = Array.from({ length: events }, () => {
		const { body, headers } = newDelivery(receiver, SIZE);
		return {
			path: new URL(url).pathname,
			body: String(body),
			headers: headers as Record<string, string>,
		};
	});
	const before = countSuccesses(home, workflowId);
	const began = performance.now();
	await load(new URL(url).origin, events, CONNECTIONS, (n) => requests[n - 1]!);
	await until(
		'every delivery to be executed',
		() => countSuccesses(home, workflowId) === before + events,
		LIMIT_MS,
		LOOK_MS,
	);
	return (events / (performance.now() - began)) * 1000;
}

/** Executions a second of each receiver of one n8n, round by round. */
async function measure(
	host: Host,
	names: ReceiverName[],
	events: number,
): Promise<Map<ReceiverName, number[]>> {
	const receivers = new Map<ReceiverName, Receiver>();
	for (const name of names) receivers.set(name, await RECEIVERS[name].publish(host));
	const rates = new Map(names.map((name) => [name, [] as number[]]));
	for (let round = 0; round <= ROUNDS; round += 1) {
		// Each goes first once: later ones share n8n with the writes of those before.
		for (let turn = 0; turn < names.length; turn += 1) {
			const name = names[(round + turn) % names.length]!;
			const rate = await rateOf(host, receivers.get(name)!, events);
			// The first round warms up.
			if (round > 0) rates.get(name)!.push(rate);
		}
	}
	await host.cleanUp();
	return rates;
}

/**
 * What the receivers of one n8n do, beside its Webhook node of version 2, and beside that of
 * version 1 where it took part.
 */
function report(n8n: string, rates: Map<ReceiverName, number[]>): Measured {
	const beside = (name: ReceiverName, other: ReceiverName) =>
		rates.get(name)!.map((rate, round) => rate / (rates.get(other)?.[round] ?? Number.NaN));
	const rows = [...rates].map(([name, list]) => [
		RECEIVERS[name].what,
		showSpread(spreadOf(list), 1),
		name === 'webhook' ? '1' : showSpread(spreadOf(beside(name, 'webhook'))),
	]);
	const bounds = [
		atLeast(`Rate, ${n8n} / Webhook node`, medianOf(beside('trigger', 'webhook')), 0.95),
	];
	if (rates.has('webhook1'))
		bounds.push(
			atLeast('Rate / Webhook node of version 1', medianOf(beside('trigger', 'webhook1')), 0.95),
		);
	return {
		blocks: [
			`**${n8n}**`,
			table(['', 'Executions a second', 'In those of the Webhook node'], rows),
		],
		bounds,
	};
}

export async function benchReceiving(host: Host): Promise<Measured> {
	const byDefault = report(
		`n8n ${host.underTest.version}`,
		await measure(host, ['trigger', 'webhook', 'webhook1'], EVENTS.slow),
	);
	const elsewhere = async (
		what: string,
		generation: Generation,
		env: NodeJS.ProcessEnv,
		events: number,
	): Promise<Measured> => {
		const own = await startOwnN8n(DEMO_SECRET_KEY, env, generation);
		try {
			return report(
				`n8n ${own.host.underTest.version}${what}`,
				await measure(own.host, ['trigger', 'webhook'], events),
			);
		} finally {
			await own.remove();
		}
	};
	const lazily = await elsewhere(
		' lazy',
		'current',
		{ N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
		EVENTS.fast,
	);
	const oldest = await elsewhere('', 'oldest', {}, EVENTS.slow);
	return {
		blocks: [
			[
				`A workflow of the one node, to which n8n responds once it has stored the execution. ${ROUNDS} rounds by turns of ${EVENTS.slow} signed deliveries (${EVENTS.fast} where n8n is faster) of ${SIZE.toLocaleString('en')} bytes over ${CONNECTIONS} connections,`,
				"from the first delivery to the record of the last execution's success.",
			].join(' '),
			...byDefault.blocks,
			[
				'By default n8n makes an isolate for expressions ready for each call of a webhook. n8n 2 spares its own Webhook node that, from version 2 on, by its name (`webhookPhaseNeedsIsolate`): 20 ms of processor time that no other node can',
				"escape, n8n's own of version 1 among them. Lazy, with `N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true`, n8n makes an isolate when an expression is evaluated, and receiving a delivery evaluates none. `test/host/receivingCost.deep.test.mts` counts them.",
			].join(' '),
			...lazily.blocks,
			...oldest.blocks,
			'What is left is what n8n does for a node with a credential (it checks in its database that the workflow may use it), and this trigger.',
		],
		bounds: [...byDefault.bounds, ...lazily.bounds, ...oldest.bounds],
	};
}
