/**
 * Executions a second of a workflow behind this package's trigger, and behind n8n's own Webhook
 * node: same n8n, same deliveries, by turns.
 */
import type { Host } from '../host/harness/host.mts';
import { type Receiver, type ReceiverName, RECEIVERS } from '../host/harness/receivers.mts';
import { inOwnN8n, LAZY, rateOf } from './n8n.mts';
import { atLeast, type Bound } from './report.mts';
import { byTurns, ratiosOf } from './statistics.mts';

const ROUNDS = 9;
/** Deliveries of a round: some seconds' worth. */
const EVENTS = { slow: 120, fast: 600 };
const CONNECTIONS = 20;
const LEAST = 0.95;
/** Of the Webhook node as n8n 2 comes, which spares that node alone an isolate for expressions. */
const LEAST_SPARED = 0.55;

/** Executions a second of each receiver of one n8n, round by round. */
async function measure(
	host: Host,
	names: ReceiverName[],
	events: number,
): Promise<Record<ReceiverName, number[]>> {
	const receivers = new Map<ReceiverName, Receiver>();
	for (const name of names) receivers.set(name, await RECEIVERS[name].publish(host));
	const rates = await byTurns(
		names,
		ROUNDS,
		async (name) => await rateOf(host, receivers.get(name)!, events, CONNECTIONS),
	);
	await host.cleanUp();
	return rates;
}

async function besideWebhook(host: Host, events: number, what = ''): Promise<Bound> {
	const { trigger, webhook } = await measure(host, ['trigger', 'webhook'], events);
	const name = `Rate, ${host.underTest.version}${what} / Webhook node`;
	return atLeast(name, ratiosOf(trigger, webhook), LEAST);
}

/**
 * By default n8n makes an isolate for expressions ready for each call of a webhook. n8n 2 spares
 * its own Webhook node that, from version 2 on, by its name (`webhookPhaseNeedsIsolate`), so
 * version 1 shows what any other trigger gets.
 */
export async function benchReceiving(host: Host): Promise<Bound[]> {
	const names: ReceiverName[] = ['trigger', 'webhook', 'webhook1'];
	const { trigger, webhook, webhook1 } = await measure(host, names, EVENTS.slow);
	const { version } = host.underTest;
	return [
		atLeast(`Rate, ${version} / any other trigger`, ratiosOf(trigger, webhook1), LEAST),
		atLeast(`Rate, ${version} / Webhook node`, ratiosOf(trigger, webhook), LEAST_SPARED),
		await inOwnN8n(LAZY, async (own) => await besideWebhook(own.host, EVENTS.fast, ' lazy')),
		await inOwnN8n({}, async (own) => await besideWebhook(own.host, EVENTS.slow), 'oldest'),
	];
}
