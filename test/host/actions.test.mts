import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	DEMO_BUSINESS_NUMBER,
	DEMO_CHANNEL_ID,
	DEMO_CHANNEL_NAME,
	DEMO_SECRET_KEY,
} from '../../sandbox/seed.mts';
import { ownAccount } from './harness/examples.mts';
import { ACTION, byId, Host, startNode } from './harness/host.mts';
import { issueConnectionData } from './harness/tenants.mts';

const host = new Host();
const { credential } = host.underTest;
const channelId = byId(DEMO_CHANNEL_ID);
const ID = expect.stringMatching(/^[0-9A-Fa-f]{32}$/) as string;

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

/** What the editor offers in a list. */
async function listed(
	parameter: string,
	methodName: string,
	parameters: INodeParameters,
	filter?: string,
): Promise<unknown[]> {
	const node = { type: ACTION, typeVersion: 2, parameters };
	return (await host.client.searchList({ parameter, methodName, node, credential, filter }))
		.results;
}

const create = { resource: 'channel', operation: 'create', name: 'Host Test' };

test('Channel: Create makes a channel of the chosen type. Get Many lists it without its token, and the list search finds it', async () => {
	expect(await listed('type', 'searchChannelTypes', create, 'official')).toContainEqual(
		expect.objectContaining({ value: 'OFFICIAL_CHATAPP' }),
	);
	// n8n 1 itself refuses an empty field, before the node runs.
	const none = await host.runAction({ ...create, type: byId('={{ "" }}') });
	expect(none.error?.message).toContain('"Type" is empty.');
	const created = await onlyItem({ ...create, type: byId('OFFICIAL_CHATAPP') });
	expect(created).toEqual({ id: ID, name: 'Host Test', type: 'OFFICIAL_CHATAPP' });

	const getAll = { resource: 'channel', operation: 'getAll', returnAll: true, filters: {} };
	const channels = await succeed(getAll);
	expect(channels.map(({ id }) => id)).toEqual(
		expect.arrayContaining([created.id, DEMO_CHANNEL_ID]),
	);
	for (const channel of channels) expect(channel).not.toHaveProperty('token');

	const sendText = { resource: 'message', operation: 'sendText' };
	expect(await listed('channelId', 'searchChannels', sendText, 'Host')).toEqual([
		expect.objectContaining({
			name: 'Host Test (OFFICIAL_CHATAPP, not connected)',
			value: created.id,
		}),
	]);
	expect(await listed('channelId', 'searchChannels', sendText)).toContainEqual(
		expect.objectContaining({
			name: `${DEMO_CHANNEL_NAME} (${DEMO_BUSINESS_NUMBER}, OFFICIAL_CHATAPP)`,
			value: DEMO_CHANNEL_ID,
		}),
	);
});

test('Channel: Connect completes the connection once, with the data of the connection SDK', async () => {
	const { id } = await onlyItem({ ...create, name: 'To Connect', type: 'OFFICIAL_CHATAPP' });
	const { wabaId, phoneId, code, coexistence } = await issueConnectionData(host, id);
	const parameters = {
		...{ resource: 'channel', operation: 'connect', connectionData: 'fields' },
		...{ channelId: byId(id), wabaId, phoneId, code, coexistence },
	};
	expect(await onlyItem(parameters)).toEqual({ success: true, channelId: id });
	const again = await host.runAction(parameters);
	expect(again.execution.status).toBe('error');
	expect(again.items).toEqual([]);
});

test('Message: Send Text sends one message per item, in order, and the error output gets a failed one, with the reason and its input', async () => {
	const from = '5511912340000';
	const sendText = {
		...{ resource: 'message', operation: 'sendText', channelId, options: {} },
		...{ recipient: '={{ $json.to }}', text: '={{ $json.text }}' },
	};
	const message = { channelId: DEMO_CHANNEL_ID, from, name: 'Dora', text: 'Hello' };
	await host.sandbox.customerWrites(message);
	const [late, ...inTime] = ['Too late', 'One', 'Two', 'Three'].map((text, index) => ({
		...{ to: index === 0 ? '5511900000099' : from, text },
	}));
	const { items, execution } = await host.runAction(sendText, {
		items: [late!, ...inTime],
		settings: { onError: 'continueErrorOutput' },
	});
	expect(execution.status).toBe('success');
	const sentTo = { channelId: DEMO_CHANNEL_ID, recipient: from };
	expect(items).toEqual(inTime.map(() => ({ messageId: ID, ...sentTo })));
	const sent = (await host.sandbox.messages(DEMO_CHANNEL_ID)).filter(
		({ customer, direction }) => customer === from && direction === 'out',
	);
	expect(sent.map(({ id }) => id)).toEqual(items.map(({ messageId }) => messageId));
	expect(sent.map(({ content }) => JSON.stringify(content))).toEqual(
		inTime.map(({ text }) => expect.stringContaining(text) as string),
	);
	const failed = execution.resultData.runData.Action?.[0]?.data?.main[1]?.map(({ json }) => json);
	const reason = expect.stringMatching(/24.hour/) as string;
	expect(failed).toEqual([
		{
			...{ ...late, ...sentTo, recipient: late!.to, error: reason, message: reason },
			details: expect.objectContaining({ reason: 'window_closed' }) as object,
		},
	]);
});

test.each([
	['webhook', { channelId }, 'MESSAGE_RECEIVED', `/v1/channels/${DEMO_CHANNEL_ID}/webhooks`],
	['templateWebhook', {}, 'UPDATE_TEMPLATE_STATUS', '/v1/webhooks'],
] as const)(
	'%s: Create, Get Many, Update and Delete work on the same webhook',
	async (resource, owner, event, path) => {
		const url = 'http://127.0.0.1:9/host-test';
		const run = async (operation: string, parameters: INodeParameters) =>
			await onlyItem({ resource, ...owner, operation, ...parameters });
		const additionalFields = { description: 'Host test', signing: true };
		const created = await run('create', { url, events: [event], additionalFields });
		const secret = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
		expect(created).toMatchObject({ id: ID, url, events: [event], secret });
		const { id } = created;

		const filters = { urlContains: url };
		const found = await run('getAll', { returnAll: true, simplify: true, filters });
		expect(found).toMatchObject({
			...{ id, description: 'Host test', createdByN8n: false },
			createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.+\.\d{3}Z$/) as string,
		});
		expect(found).not.toHaveProperty('secret');

		const updateFields = { description: 'Changed' };
		const updated = await run('update', { webhookId: byId(id), updateFields });
		expect(updated).toMatchObject({ id, description: 'Changed', url });
		expect(updated).not.toHaveProperty('secret');

		expect(await run('delete', { webhookId: byId(id) })).toMatchObject({ deleted: true, id });
		const left = await host.callService<Array<{ id: string }>>(path, DEMO_SECRET_KEY);
		expect(left.map((webhook) => webhook.id)).not.toContain(id);
	},
);

test('Template: Create with a file, Sync, Update and Delete ask the service as it publishes', async () => {
	const { host: own, secretKey, tenantId: tenant } = await ownAccount(['Writers']);
	const [account] = await own.callService<Array<{ businessId: string }>>(
		'/chatapp/businesses',
		secretKey,
	);
	const path = `/chatapp/businesses/${account!.businessId}/templates`;
	const left = { name: 'order_left', language: 'en_US', category: 'MARKETING' };
	const perTemplate = (operation: string, more: INodeParameters = {}): INodeParameters => ({
		...{ resource: 'template', operation, businessId: byId(account!.businessId), ...more },
	});
	const run = async (parameters: INodeParameters) => {
		const { error, items } = await own.runAction(parameters);
		expect(error).toBeUndefined();
		return items[0];
	};
	const toFile = {
		...own.node('File', 'n8n-nodes-base.convertToFile', {
			...{ operation: 'toBinary', sourceProperty: 'picture' },
			options: { fileName: 'a.png', mimeType: 'image/png' },
		}),
		...{ typeVersion: 1.1, credentials: {} },
	};
	const written = { definition: 'fields', headerType: 'image', headerSource: 'binary' };
	const creating = perTemplate('create', { ...left, ...written, body: 'Hello, your order left.' });
	const workflow = await own.createWorkflow(
		'With a header',
		[startNode(), toFile, own.node('Action', ACTION, creating)],
		[{ picture: Buffer.from('a made-up picture').toString('base64') }],
	);
	const { resultData } = await own.client.execute(workflow, 'Start');
	expect(resultData.error).toBeUndefined();
	const { id = '', status } = resultData.runData.Action?.[0]?.data?.main[0]?.[0]?.json ?? {};
	expect(status).toBe('PENDING');

	const templates = '/_sandbox/message-templates';
	await own.sandbox.patch(`${templates}/${String(id)}`, { status: 'APPROVED' });
	const spanish = { ...left, tenant, language: 'es', body: 'Hola.', status: 'APPROVED' };
	await own.sandbox.post(templates, spanish);
	expect(await run(perTemplate('sync'))).toMatchObject({ synced: true, syncedCount: 2 });
	const templateId = byId(String(id));
	// The category is As It Is.
	await run(perTemplate('update', { templateId, category: '', body: 'Hello, your parcel left.' }));
	const listed = async () => (await own.callService<{ data: IDataObject[] }>(path, secretKey)).data;
	expect(await listed()).toContainEqual(
		expect.objectContaining({
			...{ ...left, id, status: 'PENDING' },
			components: [{ type: 'BODY', text: 'Hello, your parcel left.' }],
		}),
	);
	await run(perTemplate('delete', { templateId }));
	expect(await listed()).toMatchObject([{ name: left.name, language: 'es' }]);

	const { requests } = await own.sandbox.get<{ requests: IDataObject[] }>(
		`/_sandbox/requests?path=${path}`,
	);
	expect(requests.map((one) => [one.method, one.path, one.status])).toEqual([
		['POST', `${path}/media`, 200],
		['POST', path, 200],
		['POST', `${path}/sync`, 200],
		// Update reads name, language and category.
		['GET', path, 200],
		['PUT', `${path}/${String(id)}`, 200],
		['GET', path, 200],
		['DELETE', `${path}/${String(id)}`, 200],
		['GET', path, 200],
	]);
	await own.cleanUp();
});
