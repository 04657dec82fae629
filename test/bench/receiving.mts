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

/** A published workflow of n8n's Webhook node alone. It checks nothing, so that any secret will do. */
async function publishWebhook(host: Host): Promise<Receiver> {
	const path = randomUUID();
	const node = {
		id: randomUUID(),
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		position: [0, 0] as [number, number],
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
		webhookId: path,
	};
	const workflow = await host.createWorkflow('A webhook', [node]);
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
	const trigger = await publishTrigger(host);
	const webhook = await publishWebhook(host);
	const rates: Array<{ trigger: number; webhook: number }> = [];
	for (let round = 0; round <= ROUNDS; round += 1) {
		// Each goes first every other time: whoever comes second finds n8n writing down what the first one caused.
		const triggerFirst = round % 2 === 0 ? await rateOf(host, trigger) : undefined;
		const webhookRate = await rateOf(host, webhook);
		const triggerRate = triggerFirst ?? (await rateOf(host, trigger));
		// The first round warms up.
		if (round > 0) rates.push({ trigger: triggerRate, webhook: webhookRate });
	}
	await host.cleanUp();
	const ratios = rates.map((rate) => rate.trigger / rate.webhook);
	return {
		blocks: [
			[
				`A workflow of the one node, which n8n answers once it has stored the execution. ${ROUNDS} rounds by turns of ${EVENTS} signed deliveries of ${SIZE.toLocaleString('en')} bytes over ${CONNECTIONS} connections,`,
				"from the first delivery to the record of the last execution's success.",
			].join(' '),
			table(
				['', 'Executions a second', 'In those of the Webhook node'],
				[
					['This trigger: signature checked, redeliveries kept out', showSpread(spreadOf(rates.map((rate) => rate.trigger)), 1), showSpread(spreadOf(ratios))],
					["n8n's Webhook node: nothing checked", showSpread(spreadOf(rates.map((rate) => rate.webhook)), 1), '1'],
				],
			),
		],
		bounds: [atLeast('Executions a second, in those of the Webhook node', medianOf(ratios), 0.95)],
	};
}
