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

test('publishing registers one signed webhook that names its owner', async () => {
	const workflow = await createListener();
	await host.client.publish(workflow.id);
	const [own, ...more] = await ownWebhooks();
	expect(more).toEqual([]);
	expect(own).toMatchObject({
		events: ['MESSAGE_RECEIVED'],
		status: 'ENABLED',
		signing: true,
		auth: { type: 'BEARER', configured: true },
		description: expect.stringContaining('A listener') as string,
		customAttributes: { n8n: { workflowId: workflow.id, nodeId: workflow.nodes[0]?.id } },
	});
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

test.each<[string, Record<string, string>]>([
	['nothing that proves it', {}],
	['a made-up token', { authorization: 'Bearer made-up' }],
	[
		'a made-up signature',
		{
			'x-webhook-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
			'x-idempotency-key': 'messages:0:1',
		},
	],
])('refuses an event with %s with 401, and starts nothing', async (_name, headers) => {
	const workflow = await createListener();
	await host.client.publish(workflow.id);
	const [own] = await ownWebhooks();
	const forged = await fetch(own?.url ?? '', {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify({
			message: { _id: '0'.repeat(32), channel_id: DEMO_CHANNEL_ID },
			messageEventType: 'NEW_MESSAGE',
		}),
	});
	expect(forged.status).toBe(401);
	// A genuine event comes afterwards. Once its execution is there, a forged event's would be too.
	await host.sandbox.customerWrites({
		channelId: DEMO_CHANNEL_ID,
		from: newCustomer(),
		name: 'Cai',
		text: 'Genuine',
	});
	await firstExecution(workflow);
	expect(await host.client.listExecutions(workflow.id)).toHaveLength(1);
});

test("unpublishing removes the webhook, and leaves a stranger's alone", async () => {
	const workflow = await createListener();
	await host.client.publish(workflow.id);
	const [own] = await ownWebhooks();
	await host.client.unpublish(workflow.id);
	await until('the webhook to be removed', async () => (await ownWebhooks()).length === 0, 15_000);
	expect(await listWebhooks()).toEqual([
		expect.objectContaining({ id: stranger.id, url: stranger.url, status: 'ENABLED' }),
	]);
	expect((await fetch(own?.url ?? '', { method: 'POST', body: '{}' })).status).toBe(404);
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
