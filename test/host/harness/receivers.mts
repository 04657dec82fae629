/**
 * Published workflows of one node that receives: this package's trigger, or n8n's own Webhook node.
 */
import { randomUUID } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';

import { deriveToken } from '#nodes/trigger/registration/token.ts';
import { CREDENTIAL_TYPE } from '#scripts/n8n/provision.mts';
import { until } from '#scripts/until.mts';
import { type Delivery, messageBody, signed, withIds } from '../../core/harness/deliveries.mts';
import type { Host } from './host.mts';
import { createAccount, Listener } from './listener.mts';
import { readNodeState } from './staticData.mts';

const LIMIT_MS = 30_000;

export interface Receiver {
	workflowId: string;
	url: string;
	/** The secret that signs its deliveries. */
	secret: string;
	/** Their other headers. */
	token: string;
}

/** Reads what the trigger stored in n8n's database. */
export type ReadState = (
	workflowId: string,
	nodeName: string,
) => Promise<{ secret: string } | undefined>;

/**
 * A published workflow of the trigger alone, registered as usual.
 * @param readState for an n8n whose database is not in its home
 */
export async function publishTrigger(
	host: Host,
	parameters: INodeParameters = {},
	readState: ReadState = async (...node) => readNodeState(host.underTest.home, ...node),
): Promise<Receiver> {
	const { secretKey, channels } = await createAccount(host, ['Receiving']);
	const credential = await host.client.createCredential(
		`Receiving ${randomUUID()}`,
		CREDENTIAL_TYPE,
		{ baseUrl: host.underTest.sandboxUrl, secretKey },
	);
	const [channelId = ''] = channels;
	const listener = await Listener.create(host, secretKey, channelId, credential, parameters);
	await host.client.publish(listener.workflow.id);
	// The account is new, so every listed webhook is the trigger's.
	const { url } = await until(
		'the trigger to register',
		async () => (await listener.list(channelId)).find(({ status }) => status === 'ENABLED'),
		LIMIT_MS,
	);
	const state = await readState(listener.workflow.id, listener.nodeName);
	if (!state) throw new Error('the trigger stored no signing secret');
	const [node] = listener.workflow.nodes;
	const token = deriveToken(secretKey, JSON.stringify([new URL(url).origin, node?.webhookId]));
	return { workflowId: listener.workflow.id, url, secret: state.secret, token };
}

/**
 * A published workflow of n8n's Webhook node alone. It checks nothing, so any secret will do.
 * @param typeVersion from version 2 on, n8n 2 makes no isolate for expressions when its own Webhook
 * node receives a request (`webhookPhaseNeedsIsolate`). Every other node's webhook costs one, and
 * so
 * does version 1 of the Webhook node.
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
	return {
		workflowId: workflow.id,
		url: `${host.underTest.n8nUrl}/webhook/${path}`,
		secret: 'any',
		token: 'any',
	};
}

export const RECEIVERS = {
	trigger: {
		what: 'This trigger: signature checked, redeliveries kept out',
		publish: async (host: Host) => await publishTrigger(host),
	},
	webhook: {
		what: "n8n's Webhook node, version 2: nothing checked",
		publish: async (host: Host) => await publishWebhook(host, 2),
	},
	webhook1: {
		what: "n8n's Webhook node, version 1: nothing checked",
		publish: async (host: Host) => await publishWebhook(host, 1),
	},
};
export type ReceiverName = keyof typeof RECEIVERS;

let delivered = 0;

/** A delivery of a new message. @param bytes of its body */
export function newDelivery(receiver: Receiver, bytes: number): Delivery {
	const text = 'x'.repeat(bytes - JSON.stringify(messageBody({ text: '' })).length);
	return deliveryOf(receiver, messageBody({ text }));
}

/** An event's first delivery. Sending it again makes a redelivery. */
export function deliveryOf({ secret, token }: Receiver, body: unknown): Delivery {
	delivered += 1;
	return signed(withIds(body, delivered), {
		secret,
		key: `messages:0:${delivered}`,
		headers: { authorization: `Bearer ${token}` },
	});
}
