import { randomUUID } from 'node:crypto';

import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import type { FinishedExecution, StoredWorkflow } from '../../scripts/n8n/types.mts';
import { until } from '../../scripts/until.mts';
import { byId, Host, TRIGGER } from './harness/host.mts';

const host = new Host();
const { n8nUrl, credential } = host.underTest;

interface Webhook {
	id: string;
	url: string;
	events: string[];
	status: string;
	signing: boolean;
	auth: { type: string; configured: boolean };
	description: string | null;
	customAttributes: Record<string, unknown>;
}

const listWebhooks = async (): Promise<Webhook[]> =>
	await host.callService(`/v1/channels/${DEMO_CHANNEL_ID}/webhooks`, DEMO_SECRET_KEY);

/** The webhooks at this n8n's address. */
const ownWebhooks = async (): Promise<Webhook[]> =>
	(await listWebhooks()).filter(({ url }) => url.startsWith(n8nUrl));

const newCustomer = (): string =>
	`55119${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;

async function createStrangersWebhook(): Promise<Webhook> {
	return await host.callService(`/v1/channels/${DEMO_CHANNEL_ID}/webhooks`, DEMO_SECRET_KEY, {
		method: 'POST',
		body: {
			url: `http://127.0.0.1:9/${randomUUID()}`,
			events: ['MESSAGE_RECEIVED'],
			description: 'Of somebody else',
		},
	});
}

/** A workflow of the trigger alone, so the execution ends with the trigger's output. */
async function createListener(parameters = {}): Promise<StoredWorkflow> {
	const trigger = host.node('Trigger', TRIGGER, {
		source: 'channel',
		channelId: byId(DEMO_CHANNEL_ID),
		...parameters,
	});
	return await host.createWorkflow('A listener', [trigger]);
}

async function firstExecution(workflow: StoredWorkflow): Promise<FinishedExecution> {
	const { id } = await until(
		'an execution',
		async () => (await host.client.listExecutions(workflow.id))[0],
		30_000,
	);
	return await host.client.finishedExecution(id);
}

let stranger: Webhook;
beforeAll(async () => {
	stranger = await createStrangersWebhook();
});
afterEach(async () => await host.cleanUp());
afterAll(async () => {
	await host.callService(
		`/v1/channels/${DEMO_CHANNEL_ID}/webhooks/${stranger.id}`,
		DEMO_SECRET_KEY,
		{ method: 'DELETE' },
	);
});

test('a signed event becomes an item in the simplified form', async () => {
	const workflow = await createListener();
	await host.client.publish(workflow.id);
	const from = newCustomer();
	await host.sandbox.customerWrites({ channelId: DEMO_CHANNEL_ID, from, name: 'Bea', text: 'Hi' });
	const { status, resultData } = await firstExecution(workflow);
	expect(status).toBe('success');
	expect(resultData.runData.Trigger?.[0]?.data?.main[0]?.map(({ json }) => json)).toEqual([
		{
			event: 'MESSAGE_RECEIVED',
			channelId: DEMO_CHANNEL_ID,
			messageId: expect.stringMatching(/^[0-9A-F]{32}$/) as string,
			timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
			fromMe: false,
			forwarded: false,
			sender: { identifier: from, key: from, name: 'Bea' },
			recipient: expect.objectContaining({ identifier: expect.any(String) as string }) as object,
			type: 'TEXT',
			text: 'Hi',
			status: expect.any(String) as string,
			attachments: [],
		},
	]);
});

test('publishing fails with the reason if the service refuses the key', async () => {
	const wrong = await host.client.createCredential('A wrong key', credential.type, {
		baseUrl: host.underTest.sandboxUrl,
		secretKey: 'sandbox_sk_wrong',
	});
	const trigger = host.node(
		'Trigger',
		TRIGGER,
		{ source: 'channel', channelId: byId(DEMO_CHANNEL_ID) },
		wrong,
	);
	const workflow = await host.createWorkflow('A listener with a wrong key', [trigger]);
	await expect(host.client.publish(workflow.id)).rejects.toThrow(/secret key/i);
	expect(await ownWebhooks()).toEqual([]);
});
