/** What the measurements in a real n8n share. */
import { DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import type { Generation } from '../../scripts/n8n/host.mts';
import { messageBody } from '../core/harness/deliveries.mts';
import { number } from '../host/harness/conversations.mts';
import type { Host } from '../host/harness/host.mts';
import { type OwnN8n, startOwnN8n } from '../host/harness/ownN8n.mts';
import { deliveryOf, type Receiver } from '../host/harness/receivers.mts';
import { allEnded, sqliteQuery } from '../load/executions.mts';
import { load, type LoadRequest } from './load.mts';

/** n8n 2 makes isolates for expressions when the first one is evaluated. */
export const LAZY = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

const LIMIT_MS = 120_000;
const LOOK_MS = 20;
const CUSTOMERS = 200;
/** Bytes of a body. */
const SIZE = 1000;
const ROOM = SIZE - JSON.stringify(messageBody({ text: '' })).length;

/** Works with an n8n of its own, which is removed then. */
export async function inOwnN8n<T>(
	env: NodeJS.ProcessEnv,
	work: (n8n: OwnN8n) => Promise<T>,
	generation: Generation = 'current',
): Promise<T> {
	const n8n = await startOwnN8n(DEMO_SECRET_KEY, env, generation);
	try {
		return await work(n8n);
	} finally {
		await n8n.remove();
	}
}

/** Has the service answer sends late. */
export async function delaySends(host: Host, ms: number): Promise<void> {
	const fault = { on: 'route', operation: 'sendMessage', kind: 'latency', ms };
	await host.sandbox.post('/_sandbox/faults', fault);
}

/** A first delivery of a customer's message, by default of a kilobyte. */
export function requestOf(
	receiver: Receiver,
	customer: number,
	text = 'x'.repeat(ROOM),
): LoadRequest {
	const body = messageBody({ text });
	body.message.sender = { identifier: number(customer), name: 'Customer' };
	const delivery = deliveryOf(receiver, body);
	return {
		path: new URL(receiver.url).pathname,
		body: String(delivery.body),
		headers: delivery.headers as Record<string, string>,
	};
}

export const ended = async ({ underTest: { home } }: Host): Promise<void> =>
	await allEnded(sqliteQuery(home), LIMIT_MS, { lookMs: LOOK_MS });

/** Events a second of many customers, until each was answered 2xx and no execution goes on. */
export async function rateOf(
	host: Host,
	receiver: Receiver,
	events: number,
	connections: number,
): Promise<number> {
	const requests = Array.from({ length: events }, (_, at) => requestOf(receiver, at % CUSTOMERS));
	const began = performance.now();
	await load(new URL(receiver.url).origin, events, connections, (n) => requests[n - 1]!);
	await ended(host);
	return (events / (performance.now() - began)) * 1000;
}
