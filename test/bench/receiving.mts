/** Executions a second of a workflow behind this package's trigger, and behind n8n's own Webhook node: same n8n, same deliveries, by turns. */
import { randomUUID } from 'node:crypto';

import { until } from '../../scripts/until.mts';
import { messageBody, signed } from '../core/harness/deliveries.mts';
import type { Host } from '../host/harness/host.mts';
import { createAccount, Listener } from '../host/harness/listener.mts';
import { countSuccesses, readNodeState } from '../host/harness/staticData.mts';
import { CREDENTIAL_TYPE } from '../../scripts/n8n/provision.mts';
import { load } from './load.mts';
import { atLeast, type Measured } from './report.mts';
import { medianOf, showSpread, spreadOf, table } from './statistics.mts';

const ROUNDS = 9;
const EVENTS = 150;
const CONNECTIONS = 20;
/** Bytes of a body. */
const SIZE = 1_000;
const LIMIT_MS = 120_000;
const LOOK_MS = 50;

interface Receiver {
	workflowId: string;
	url: string;
	/** What its deliveries are signed with. */
	secret: string;
}

/** A published workflow of the trigger alone, registered as always. */
async function publishTrigger(host: Host): Promise<Receiver> {
	const { secretKey, channels } = await createAccount(host, ['Receiving']);
	const credential = await host.client.createCredential(`Receiving ${randomUUID()}`, CREDENTIAL_TYPE, { baseUrl: host.underTest.sandboxUrl, secretKey });
	const [channelId = ''] = channels;
	const listener = await Listener.create(host, secretKey, channelId, credential);
	await host.client.publish(listener.workflow.id);
	const { url } = await listener.registered(channelId);
	const state = readNodeState(host.underTest.home, listener.workflow.id, listener.nodeName);
	if (!state) throw new Error('the trigger stored no signing secret');
	return { workflowId: listener.workflow.id, url, secret: state.secret };
}

/**
 * A published workflow of n8n's Webhook node alone. It checks nothing, so that any secret will do.
 * @param typeVersion n8n 2 spares its own Webhook node from version 2 on the isolate for expressions that it makes ready for every other node's
 * webhook (`webhookPhaseNeedsIsolate`). In version 1 it is treated as all others are.
 */
async function publishWebhook(host: Host, typeVersion: number): Promise<Receiver> {
	const path = randomUUID();
	const node = {
		id: randomUUID(),
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion,
		position: [0, 0] as [number, number],
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
		webhookId: path,
	};
	const workflow = await host.createWorkflow(`A webhook, version ${typeVersion}`, [node]);
	await host.client.publish(workflow.id);
	return { workflowId: workflow.id, url: `${host.underTest.n8nUrl}/webhook/${path}`, secret: 'any' };
}

let delivered = 0;

/** Delivers events, each one new, and waits until n8n recorded the success of as many executions. Gives how many a second that were. */
async function rateOf(host: Host, { workflowId, url, secret }: Receiver): Promise<number> {
	const { home } = host.underTest;
	const text = 'x'.repeat(SIZE - JSON.stringify(messageBody({ text: '' })).length);
	const requests = Array.from({ length: EVENTS }, () => {
		const { body, headers } = signed(messageBody({ text }), { secret, key: `messages:0:${++delivered}` });
		return { path: new URL(url).pathname, body: String(body), headers: headers as Record<string, string> };
	});
	const before = countSuccesses(home, workflowId);
	const began = performance.now();
	await load(new URL(url).origin, EVENTS, CONNECTIONS, (n) => requests[n - 1]!);
	await until('every delivery to be executed', () => countSuccesses(home, workflowId) === before + EVENTS, LIMIT_MS, LOOK_MS);
	return (EVENTS / (performance.now() - began)) * 1000;
}

export async function benchReceiving(host: Host): Promise<Measured> {
	const receivers = { trigger: await publishTrigger(host), webhook: await publishWebhook(host, 2), webhook1: await publishWebhook(host, 1) };
	const names = Object.keys(receivers) as Array<keyof typeof receivers>;
	const rates = { trigger: [] as number[], webhook: [] as number[], webhook1: [] as number[] };
	for (let round = 0; round <= ROUNDS; round += 1) {
		// Each goes first in turn: whoever comes later finds n8n writing down what those before caused.
		for (let turn = 0; turn < names.length; turn += 1) {
			const name = names[(round + turn) % names.length]!;
			const rate = await rateOf(host, receivers[name]);
			// The first round warms up.
			if (round > 0) rates[name].push(rate);
		}
	}
	await host.cleanUp();
	const beside = (name: keyof typeof receivers) => rates[name].map((rate, round) => rate / rates.webhook[round]!);
	const besideEqual = rates.trigger.map((rate, round) => rate / rates.webhook1[round]!);
	const row = (name: keyof typeof receivers, what: string) => [what, showSpread(spreadOf(rates[name]), 1), name === 'webhook' ? '1' : showSpread(spreadOf(beside(name)))];
	return {
		blocks: [
			[
				`A workflow of the one node, which n8n answers once it has stored the execution. ${ROUNDS} rounds by turns of ${EVENTS} signed deliveries of ${SIZE.toLocaleString('en')} bytes over ${CONNECTIONS} connections,`,
				"from the first delivery to the record of the last execution's success.",
			].join(' '),
			table(
				['', 'Executions a second', 'In those of the Webhook node'],
				[
					row('trigger', 'This trigger: signature checked, redeliveries kept out'),
					row('webhook', "n8n's Webhook node, version 2: nothing checked"),
					row('webhook1', "n8n's Webhook node, version 1: nothing checked"),
				],
			),
			[
				`In those of the Webhook node's version 1, this trigger takes ${showSpread(spreadOf(besideEqual))}. n8n 2 makes an isolate for expressions ready for each call of a webhook, and spares only its own Webhook node,`,
				'from version 2 on, by its name (`webhookPhaseNeedsIsolate`). No other node can have that. What is left is what n8n does for a node with a credential (it checks in its database that the workflow may use it), and this trigger.',
			].join(' '),
		],
		bounds: [
			atLeast('Executions a second, in those of the Webhook node', medianOf(beside('trigger')), 0.95),
			atLeast("Executions a second, in those of the Webhook node's version 1", medianOf(besideEqual), 0.95),
		],
	};
}
