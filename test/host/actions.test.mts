import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	DEMO_BUSINESS_NUMBER,
	DEMO_CHANNEL_ID,
	DEMO_CHANNEL_NAME,
	DEMO_SECRET_KEY,
} from '../../sandbox/seed.mts';
import { ACTION, byId, Host } from './harness/host.mts';
import { createTenant, issueConnectionData } from './harness/tenants.mts';

const host = new Host();
const { credential } = host.underTest;
const channelId = byId(DEMO_CHANNEL_ID);
const ID = /^[0-9A-Fa-f]{32}$/;
const UNKNOWN_ID = 'F'.repeat(32);

afterEach(async () => await host.cleanUp());

async function succeed(
	parameters: INodeParameters,
	items: IDataObject[] = [{}],
): Promise<IDataObject[]> {
	const run = await host.runAction(parameters, { items });
	expect(run.error).toBeUndefined();
	return run.items;
}

async function onlyItem(parameters: INodeParameters): Promise<IDataObject & { id: string }> {
	const [item, ...more] = await succeed(parameters);
	expect(more).toEqual([]);
	return item as IDataObject & { id: string };
}

describe('Channel', () => {
	test('Create makes a channel of the chosen type. Get Many lists it without its token, and the list search finds it', async () => {
		const parameters = { resource: 'channel', operation: 'create', name: 'Host Test' };
		const types = await host.client.searchList({
			parameter: 'type',
			methodName: 'searchChannelTypes',
			node: { type: ACTION, typeVersion: 2, parameters },
			credential,
			filter: 'official',
		});
		expect(types.results).toContainEqual(expect.objectContaining({ value: 'OFFICIAL_CHATAPP' }));
		// n8n 1 itself refuses an empty field, before the node runs.
		const none = await host.runAction({ ...parameters, type: byId('={{ "" }}') });
		expect(none.error?.message).toContain('"Type" is empty.');
		const run = await host.runAction({ ...parameters, type: byId('OFFICIAL_CHATAPP') });
		expect(run.error).toBeUndefined();
		const created = run.items[0] as IDataObject & { id: string };
		expect(created).toEqual({
			id: expect.stringMatching(ID) as string,
			name: 'Host Test',
			type: 'OFFICIAL_CHATAPP',
		});

		const channels = await succeed({
			resource: 'channel',
			operation: 'getAll',
			returnAll: true,
			filters: {},
		});
		expect(channels.map(({ id }) => id)).toEqual(
			expect.arrayContaining([created.id, DEMO_CHANNEL_ID]),
		);
		for (const channel of channels) expect(channel).not.toHaveProperty('token');

		const { results } = await host.client.searchList({
			parameter: 'channelId',
			methodName: 'searchChannels',
			node: {
				type: ACTION,
				typeVersion: 2,
				parameters: { resource: 'message', operation: 'sendText' },
			},
			credential,
			filter: 'Host',
		});
		expect(results).toEqual([
			expect.objectContaining({
				name: 'Host Test (OFFICIAL_CHATAPP, not connected)',
				value: created.id,
			}),
		]);
	});

	test('Connect completes the connection once, with the data of the connection SDK', async () => {
		const { id } = await onlyItem({
			resource: 'channel',
			operation: 'create',
			name: 'To Connect',
			type: 'OFFICIAL_CHATAPP',
		});
		const { wabaId, phoneId, code, coexistence } = await issueConnectionData(host, id);
		const parameters = {
			resource: 'channel',
			operation: 'connect',
			connectionData: 'fields',
			channelId: byId(id),
			wabaId,
			phoneId,
			code,
			coexistence,
		};
		expect(await onlyItem(parameters)).toEqual({ success: true, channelId: id });
		const again = await host.runAction(parameters);
		expect(again.execution.status).toBe('error');
		expect(again.items).toEqual([]);
	});
});

describe('Message', () => {
	const from = '5511912340000';
	const sendText = {
		resource: 'message',
		operation: 'sendText',
		channelId,
		recipient: '={{ $json.to }}',
		text: '={{ $json.text }}',
		options: {},
	};

	test('Send Text sends one message per item, in order', async () => {
		await host.sandbox.customerWrites({
			channelId: DEMO_CHANNEL_ID,
			from,
			name: 'Dora',
			text: 'Hello',
		});
		const texts = ['One', 'Two', 'Three'];
		const items = await succeed(
			sendText,
			texts.map((text) => ({ to: from, text })),
		);
		expect(items).toEqual(
			texts.map(() => ({
				messageId: expect.stringMatching(ID) as string,
				channelId: DEMO_CHANNEL_ID,
				recipient: from,
			})),
		);
		const sent = (await host.sandbox.messages(DEMO_CHANNEL_ID)).filter(
			({ customer, direction }) => customer === from && direction === 'out',
		);
		expect(sent.map(({ id }) => id)).toEqual(items.map(({ messageId }) => messageId));
		expect(sent.map(({ content }) => JSON.stringify(content))).toEqual(
			texts.map((text) => expect.stringContaining(text) as string),
		);
	});

	test("Send Text fails with the 24-hour rule if the customer's window is closed", async () => {
		const { error, execution } = await host.runAction(sendText, {
			items: [{ to: '5511900000099', text: 'Too late' }],
		});
		expect(execution.status).toBe('error');
		expect(`${error?.message} ${error?.description}`).toMatch(/24.hour/);
	});

	test('Continue On Fail gives the reason for a failed item and sends the others', async () => {
		await host.sandbox.customerWrites({
			channelId: DEMO_CHANNEL_ID,
			from,
			name: 'Dora',
			text: 'Hello again',
		});
		const { items, execution } = await host.runAction(sendText, {
			items: [
				{ to: '5511900000099', text: 'Too late' },
				{ to: from, text: 'In time' },
			],
			settings: { onError: 'continueRegularOutput' },
		});
		expect(execution.status).toBe('success');
		expect(execution.resultData.runData.Action?.[0]).toMatchObject({
			hints: [{ message: '1 of 2 was not sent: window_closed.' }],
		});
		expect(items).toEqual([
			expect.objectContaining({
				error: expect.stringMatching(/^Could not send the text to 5511900000099: /) as string,
				recipient: '5511900000099',
				channelId: DEMO_CHANNEL_ID,
				details: expect.objectContaining({ reason: 'window_closed' }) as object,
			}),
			expect.objectContaining({ messageId: expect.stringMatching(ID) as string, recipient: from }),
		]);
	});

	test('the error output gets the failed item, with the reason and its input', async () => {
		await host.sandbox.customerWrites({
			channelId: DEMO_CHANNEL_ID,
			from,
			name: 'Dora',
			text: 'Hello again',
		});
		const { items, execution } = await host.runAction(sendText, {
			items: [
				{ to: '5511900000099', text: 'Too late' },
				{ to: from, text: 'In time' },
			],
			settings: { onError: 'continueErrorOutput' },
		});
		expect(execution.status).toBe('success');
		expect(items).toEqual([
			expect.objectContaining({ messageId: expect.stringMatching(ID) as string, recipient: from }),
		]);
		const failed = execution.resultData.runData.Action?.[0]?.data?.main[1]?.map(({ json }) => json);
		expect(failed).toEqual([
			{
				to: '5511900000099',
				text: 'Too late',
				error: expect.stringMatching(/24.hour/) as string,
				message: expect.stringMatching(/24.hour/) as string,
				details: expect.objectContaining({ reason: 'window_closed' }) as object,
				recipient: '5511900000099',
				channelId: DEMO_CHANNEL_ID,
			},
		]);
	});
});

describe.each([
	[
		'Webhook',
		'webhook',
		{ channelId },
		'MESSAGE_RECEIVED',
		`/v1/channels/${DEMO_CHANNEL_ID}/webhooks`,
	],
	['Template Webhook', 'templateWebhook', {}, 'UPDATE_TEMPLATE_STATUS', '/v1/webhooks'],
] as const)('%s', (_name, resource, owner, event, path) => {
	const url = 'http://127.0.0.1:9/host-test';
	const listed = async (): Promise<Array<{ id: string; status: string }>> =>
		await host.callService(path, DEMO_SECRET_KEY);

	test('Create, Get Many, Update and Delete work on the same webhook', async () => {
		const created = await onlyItem({
			resource,
			...owner,
			operation: 'create',
			url,
			events: [event],
			additionalFields: { description: 'Host test', signing: true },
		});
		expect(created).toMatchObject({
			id: expect.stringMatching(ID) as string,
			url,
			events: [event],
			secret: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
		});
		const webhookId = byId(created.id);

		const [found, ...more] = await succeed({
			resource,
			...owner,
			operation: 'getAll',
			returnAll: true,
			simplify: true,
			filters: { urlContains: url },
		});
		expect(more).toEqual([]);
		expect(found).toMatchObject({
			id: created.id,
			description: 'Host test',
			createdByN8n: false,
			createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.+\.\d{3}Z$/) as string,
		});
		expect(found).not.toHaveProperty('secret');

		const updated = await onlyItem({
			resource,
			...owner,
			operation: 'update',
			webhookId,
			updateFields: { description: 'Changed' },
		});
		expect(updated).toMatchObject({ id: created.id, description: 'Changed', url });
		expect(updated).not.toHaveProperty('secret');

		const deleted = await onlyItem({ resource, ...owner, operation: 'delete', webhookId });
		expect(deleted).toMatchObject({ deleted: true, id: created.id });
		expect((await listed()).map(({ id }) => id)).not.toContain(created.id);
	});

	test("Get Many without Simplify gives the service's own fields", async () => {
		const { id } = await onlyItem({
			resource,
			...owner,
			operation: 'create',
			url,
			events: [event],
			additionalFields: {},
		});
		const raw = await succeed({
			resource,
			...owner,
			operation: 'getAll',
			returnAll: true,
			simplify: false,
			filters: {},
		});
		expect(raw).toEqual(await listed());
		await succeed({ resource, ...owner, operation: 'delete', webhookId: byId(id) });
	});

	test('Delete says that an unknown webhook does not exist', async () => {
		const { error } = await host.runAction({
			resource,
			...owner,
			operation: 'delete',
			webhookId: byId(UNKNOWN_ID),
		});
		expect(`${error?.message} ${error?.description}`).toMatch(/Webhook not found/);
	});
});

test('webhook operations name the missing ENTERPRISE role, and sending works without it', async () => {
	const secretKey = 'sandbox_sk_sends-only';
	const basic = await createTenant(host, { name: 'Sends only', secretKey, enterprise: false });
	const withoutRole = await host.client.createCredential('Without the role', credential.type, {
		baseUrl: host.underTest.sandboxUrl,
		secretKey,
	});
	const { error } = await host.runAction(
		{ resource: 'templateWebhook', operation: 'getAll', returnAll: true, filters: {} },
		{ credential: withoutRole },
	);
	expect(`${error?.message} ${error?.description}`).toMatch(/ENTERPRISE role/);

	await host.sandbox.customerWrites({
		channelId: basic.channelId,
		from: '5511900000055',
		name: 'Eva',
		text: 'Hello',
	});
	const sent = await host.runAction(
		{
			resource: 'message',
			operation: 'sendText',
			channelId: byId(basic.channelId),
			recipient: '5511900000055',
			text: 'Hi',
			options: {},
		},
		{ credential: withoutRole },
	);
	expect(sent.error).toBeUndefined();
});

test('the editor names the lists of channels and webhooks as people know them', async () => {
	const { results } = await host.client.searchList({
		parameter: 'channelId',
		methodName: 'searchChannels',
		node: {
			type: ACTION,
			typeVersion: 2,
			parameters: { resource: 'webhook', operation: 'delete' },
		},
		credential,
	});
	expect(results).toEqual(
		expect.arrayContaining([
			expect.objectContaining({
				name: `${DEMO_CHANNEL_NAME} (${DEMO_BUSINESS_NUMBER}, OFFICIAL_CHATAPP)`,
				value: DEMO_CHANNEL_ID,
			}),
		]),
	);
	const webhooks = await host.client.searchList({
		parameter: 'webhookId',
		methodName: 'searchWebhooks',
		node: {
			type: ACTION,
			typeVersion: 2,
			parameters: { resource: 'webhook', operation: 'delete', channelId },
		},
		credential,
	});
	expect(Array.isArray(webhooks.results)).toBe(true);
});
