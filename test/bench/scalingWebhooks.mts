/**
 * Run by itself: registers triggers on one channel of a sandbox in this process, each by its own
 * lifecycle methods in n8n-core's context. Prints JSON.
 *
 *     node --expose-gc --import tsx test/bench/scalingWebhooks.mts <webhooks>
 */
import { randomUUID } from 'node:crypto';

import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { SandboxControl } from '../../scripts/n8n/sandbox.mts';
import { additionalData, callLifecycle, publish, triggerWorkflow } from '../core/harness/n8n.mts';
import { byId } from '../host/harness/host.mts';
import { builtNode } from './builtNode.mts';
import { Sink } from './sink.mts';
import { medianOf } from './statistics.mts';

export interface WebhookFigures {
	/** Seconds to register one, with the others there. */
	registration: number;
	/** Seconds from a customer's message to its last delivery. */
	fanOut: number;
	/** Bytes of the heap that the registered triggers and the sandbox hold. */
	heap: number;
}

const ROUNDS = 15;
const count = Number(process.argv[2]);
const nodeType = builtNode('BusinessMessagingTrigger');
const heap = () => {
	globalThis.gc!();
	return process.memoryUsage().heapUsed;
};

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
	const began = performance.now();
	await work();
	return (performance.now() - began) / 1000;
}

const sink = new Sink();
const address = await sink.listen();
const sandbox = await startSandbox();
const control = new SandboxControl(sandbox.url);
const data = additionalData(
	{ baseUrl: sandbox.url, secretKey: DEMO_SECRET_KEY },
	{ production: `${address}/webhook`, test: `${address}/webhook-test` },
);
const newWorkflow = () =>
	triggerWorkflow({
		parameters: { channelId: byId(DEMO_CHANNEL_ID) },
		node: { id: randomUUID(), webhookId: randomUUID() },
		workflowId: randomUUID(),
		nodeType,
	});
const message = { channelId: DEMO_CHANNEL_ID, from: '5500000000101', name: 'Customer', text: 'Hi' };
const write = async () => await control.customerWrites(message);
/** Every trigger's delivery has to come, or this does not end. */
const writeOnce = async () => await sink.untilTaken(count, write);

// Compiles what is measured, and opens the conversation.
for (let round = 0; round < ROUNDS; round += 1) {
	const workflow = newWorkflow();
	await publish(workflow, data);
	await callLifecycle('delete', workflow, data);
}
await write();

const before = heap();
const registered = [];
for (let index = 1; index < count; index += 1) {
	const workflow = newWorkflow();
	await publish(workflow, data);
	registered.push(workflow);
}
const registrations: number[] = [];
let last = newWorkflow();
for (let round = 0; round < ROUNDS; round += 1) {
	if (round > 0) await callLifecycle('delete', last, data);
	last = newWorkflow();
	registrations.push(await secondsOf(async () => await publish(last, data)));
}
registered.push(last);
await writeOnce();
const fanOuts: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) fanOuts.push(await secondsOf(writeOnce));
const figures: WebhookFigures = {
	registration: medianOf(registrations),
	fanOut: medianOf(fanOuts),
	heap: heap() - before,
};
await sandbox.close();
sink.close();
if (registered.length !== count)
	throw new Error(`${registered.length} of ${count} triggers are registered`);
console.log(JSON.stringify(figures));
