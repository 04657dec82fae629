/** What the measurements in a real n8n share. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import type { Generation } from '#scripts/n8n/host.mts';
import type { StoredWorkflow, WorkflowNode } from '#scripts/n8n/types.mts';
import { until } from '#scripts/until.mts';
import { messageBody } from '../core/harness/deliveries.mts';
import { number } from '../host/harness/conversations.mts';
import type { Host } from '../host/harness/host.mts';
import { type OwnN8n, startOwnN8n, WITH_EDITOR } from '../host/harness/ownN8n.mts';
import { deliveryOf, type Receiver } from '../host/harness/receivers.mts';
import { allEnded, type Query, sqliteQuery } from '../load/executions.mts';
import { plainNode } from '../queue/workflows.mts';
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
	const n8n = await startOwnN8n(DEMO_SECRET_KEY, { ...WITH_EDITOR, ...env }, generation);
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

export const ended = async (
	{ underTest: { home } }: Host,
	query: Query = sqliteQuery(home),
): Promise<void> => await allEnded(query, LIMIT_MS, { lookMs: LOOK_MS });

/**
 * Events a second of many customers, until each was answered 2xx and no execution goes on.
 *
 * @param query where n8n's database is not in its home
 */
export async function rateOf(
	host: Host,
	receiver: Receiver,
	events: number,
	connections: number,
	query?: Query,
): Promise<number> {
	const requests = Array.from({ length: events }, (_, at) => requestOf(receiver, at % CUSTOMERS));
	const began = performance.now();
	await load(new URL(receiver.url).origin, events, connections, (n) => requests[n - 1]!);
	await ended(host, query);
	return (events / (performance.now() - began)) * 1000;
}

/** A service that answers at once. */
export async function startInstantService() {
	let sent = 0;
	const server = createServer((request, response) => {
		request.resume().on('end', () => {
			const messageId = (++sent).toString(16).toUpperCase().padStart(32, '0');
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ messageId }));
		});
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const PEOPLE = 200;

/** A workflow that sends texts to so many people, and starts when its webhook is called. */
export async function batchOf(
	host: Host,
	count: number,
	node: WorkflowNode,
	people = PEOPLE,
): Promise<StoredWorkflow> {
	const path = randomUUID();
	const items = `={{ { item: [...Array(${count}).keys()].map((at) => ({ to: String(5511900000000 + at % ${people}), text: 'text ' + at })) } }}`;
	const workflow = await host.createWorkflow('Batch', [
		{ ...plainNode('Start', 'webhook', 2, { httpMethod: 'POST', path }), webhookId: path },
		plainNode('Items', 'set', 3.4, { mode: 'raw', jsonOutput: items, options: {} }),
		plainNode('Split', 'splitOut', 1, { fieldToSplitOut: 'item', options: {} }),
		node,
	]);
	await host.client.publish(workflow.id);
	return workflow;
}

/** Runs a batch. @param origin where webhooks are served @returns the ID of its execution */
export async function executionOf(
	{ client, underTest }: Host,
	workflow: StoredWorkflow,
	origin = underTest.n8nUrl,
) {
	const [before] = await client.listExecutions(workflow.id);
	const path = String(workflow.nodes[0]?.parameters.path);
	await fetch(`${origin}/webhook/${path}`, { method: 'POST' });
	return await until(
		'the batch to be sent',
		async () => {
			const [last] = await client.listExecutions(workflow.id);
			return last && last.id !== before?.id && last.stoppedAt && last.id;
		},
		LIMIT_MS,
	);
}

/** The seconds that n8n recorded of the node. Fails unless it handled all texts. */
export async function sentIn(host: Host, id: string, count: number): Promise<number> {
	const { resultData } = await host.client.finishedExecution(id);
	const [run] = resultData.runData.Action ?? [];
	const sent = (run?.data?.main[0] ?? []).filter(({ json }) => json.messageId ?? json.alreadySent);
	if (sent.length !== count) throw new Error(`${sent.length} of ${count} texts were sent`);
	return (run?.executionTime ?? 0) / 1000;
}
