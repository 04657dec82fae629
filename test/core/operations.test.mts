import type { ServerResponse } from 'node:http';

import { runInEngine } from './harness/engine.mts';
import type { ReceivedRequest } from './harness/scriptedService.mts';
import { answerJson, startScriptedService } from './harness/scriptedService.mts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';
const WEBHOOK = '019E4C54B1B375A28970B605CA9B0AAA';
const channelId = { __rl: true, mode: 'id', value: CHANNEL };
const webhookId = { __rl: true, mode: 'list', value: WEBHOOK };

const channelWebhook = (changes: object = {}) => ({
	id: WEBHOOK,
	channelId: CHANNEL,
	instanceId: CHANNEL,
	url: 'https://example.com/events',
	description: null,
	events: ['MESSAGE_RECEIVED'],
	status: 'ENABLED',
	signing: false,
	auth: { type: 'NONE', configured: false },
	payloadFormat: 'DEFAULT',
	customAttributes: {},
	createdAt: '2026-07-15T16:00:00.000-0300',
	updatedAt: '2026-07-15T19:00:00.000+0000',
	...changes,
});

async function run(parameters: object, answer: (request: ReceivedRequest, response: ServerResponse) => void) {
	const service = await startScriptedService(answer);
	const result = await runInEngine({ baseUrl: service.url, parameters: { ...parameters } });
	await service.close();
	if (result.error) throw new Error(result.error.message);
	return {
		items: result.items.map(({ json }) => json),
		sent: service.requests.map(({ method, url, body }) => [method, url, body ? (JSON.parse(body) as unknown) : '']),
	};
}

test('Channel → Connect', async () => {
	const parameters = { resource: 'channel', operation: 'connect', channelId, wabaId: '102290129340398', phoneId: '106540352242922', code: 'code', coexistence: true };
	const { items, sent } = await run(parameters, (_request, response) => answerJson(response, 200, { success: true }));
	expect(sent).toEqual([['POST', `/v1/channels/${CHANNEL}/connect`, { wabaId: '102290129340398', phoneId: '106540352242922', code: 'code', coexistence: true }]]);
	expect(items).toEqual([{ success: true, channelId: CHANNEL }]);
});

test('Channel → Connect takes the whole object of the SDK', async () => {
	const sdkObject = JSON.stringify({ success: true, channelId: CHANNEL, code: 'code', wabaId: 1022, phoneId: '1065', coexistence: false });
	const { sent } = await run({ resource: 'channel', operation: 'connect', connectionData: 'object', sdkObject }, (_request, response) => answerJson(response, 200, { success: true }));
	expect(sent).toEqual([['POST', `/v1/channels/${CHANNEL}/connect`, { wabaId: '1022', phoneId: '1065', code: 'code', coexistence: false }]]);
});

test.each([
	['{"success": false}', /customer did not complete the connection/],
	['{"success": true}', /lacks "coexistence"/],
	[`{"success": true, "channelId": "x", "coexistence": false}`, /"channelId" in "SDK Object" is not an ID/],
	[`{"success": true, "channelId": "${CHANNEL}", "coexistence": false, "wabaId": "1", "phoneId": ""}`, /lacks "phoneId"/],
	['[]', /is not an object/],
])('an object of the SDK that is not complete is refused: %s', async (sdkObject, message) => {
	const request = run({ resource: 'channel', operation: 'connect', connectionData: 'object', sdkObject: `={{ '${sdkObject}' }}` }, (_request, response) => answerJson(response, 200, { success: true }));
	await expect(request).rejects.toThrow(message);
});

test('Coexistence given as text is what it says, and anything else is refused: the code can be used once', async () => {
	const parameters = { resource: 'channel', operation: 'connect', channelId, wabaId: '1', phoneId: '2', code: 'code' };
	const { sent } = await run({ ...parameters, coexistence: '={{ "true" }}' }, (_request, response) => answerJson(response, 200, { success: true }));
	expect(sent[0]![2]).toMatchObject({ coexistence: true });
	const unclear = run({ ...parameters, coexistence: '={{ "yes" }}' }, (_request, response) => answerJson(response, 200, { success: true }));
	await expect(unclear).rejects.toThrow('"Coexistence" is neither true nor false.');
});

test('a webhook without a secret, written as null, is a webhook', async () => {
	const parameters = { resource: 'webhook', operation: 'update', channelId, webhookId, updateFields: { status: 'DISABLED' } };
	const { items } = await run(parameters, (_request, response) => answerJson(response, 200, channelWebhook({ secret: null, events: null, auth: { type: 'NONE' } })));
	expect(items[0]).toMatchObject({ id: WEBHOOK, events: [] });
});

test('Channel → Create', async () => {
	const { items, sent } = await run({ resource: 'channel', operation: 'create', name: 'Support' }, (_request, response) => answerJson(response, 201, { id: CHANNEL }));
	expect(sent).toEqual([['POST', '/v1/channels', { name: 'Support', type: 'OFFICIAL_CHATAPP' }]]);
	expect(items).toEqual([{ id: CHANNEL, name: 'Support', type: 'OFFICIAL_CHATAPP' }]);
});

describe.each([0, 1])('Channel → Get Many of a service whose pages count from %d', (firstPage) => {
	const channels = Array.from({ length: 230 }, (_, index) => ({ id: String(index).padStart(32, '0'), name: `Channel ${index}`, type: 'OFFICIAL_CHATAPP', token: 'a secret' }));
	const answer = ({ url }: ReceivedRequest, response: ServerResponse) => {
		const page = Number(new URL(url, 'http://service').searchParams.get('page')) - firstPage;
		if (page < 0) return answerJson(response, 400, { error: 'page must not be less than 1' });
		answerJson(response, 200, { total: 230, totalPage: 3, pageSize: 100, page: page + firstPage, content: channels.slice(page * 100, page * 100 + 100) });
	};

	test('returns each channel once, without its token', async () => {
		const { items } = await run({ resource: 'channel', operation: 'getAll', returnAll: true }, answer);
		expect(items).toEqual(channels.map(({ token: _token, ...channel }) => channel));
	});

	test('stops at the limit', async () => {
		const { items, sent } = await run({ resource: 'channel', operation: 'getAll', limit: 7, filters: { query: 'a b', type: 'X' } }, answer);
		expect(items).toHaveLength(7);
		expect(sent.at(-1)![1]).toContain('query=a+b&type=X'.replace('+', String(sent.at(-1)![1]).includes('%20') ? '%20' : '+'));
	});
});

test('Webhook → Get Many: simplified, with readable dates and the mark of n8n', async () => {
	const made = channelWebhook({ customAttributes: { n8n: { workflowId: 'w' } } });
	const { items, sent } = await run({ resource: 'webhook', operation: 'getAll', channelId, returnAll: true }, (_request, response) => answerJson(response, 200, [channelWebhook(), made]));
	expect(sent).toEqual([['GET', `/v1/channels/${CHANNEL}/webhooks`, '']]);
	const { instanceId: _instanceId, payloadFormat: _payloadFormat, ...kept } = channelWebhook({ createdAt: '2026-07-15T19:00:00.000Z', updatedAt: '2026-07-15T19:00:00.000Z' });
	expect(items).toEqual([
		{ ...kept, createdByN8n: false },
		{ ...kept, customAttributes: { n8n: { workflowId: 'w' } }, createdByN8n: true },
	]);
});

test('Webhook → Get Many without Simplify gives the service\'s own objects', async () => {
	const { items } = await run({ resource: 'webhook', operation: 'getAll', channelId, simplify: false }, (_request, response) => answerJson(response, 200, [channelWebhook({ future: 1 })]));
	expect(items).toEqual([channelWebhook({ future: 1 })]);
});

test('Webhook → Get Many filters and limits', async () => {
	const list = [
		channelWebhook({ id: '1', status: 'DISABLED' }),
		channelWebhook({ id: '2', events: ['CONNECTED'] }),
		channelWebhook({ id: '3', url: 'https://n8n.example.com/webhook/x', customAttributes: { n8n: {} } }),
		channelWebhook({ id: '4' }),
	];
	const ids = async (parameters: object) =>
		(await run({ resource: 'webhook', operation: 'getAll', channelId, ...parameters }, (_request, response) => answerJson(response, 200, list))).items.map(({ id }) => id);
	expect(await ids({ filters: { status: 'ENABLED' } })).toEqual(['2', '3', '4']);
	expect(await ids({ filters: { events: ['CONNECTED'] } })).toEqual(['2']);
	expect(await ids({ filters: { urlContains: 'n8n.example' } })).toEqual(['3']);
	expect(await ids({ filters: { createdByN8n: true } })).toEqual(['3']);
	expect(await ids({ filters: { createdByN8n: false } })).toEqual(['1', '2', '4']);
	expect(await ids({ limit: 2 })).toEqual(['1', '2']);
});

test('an account without webhooks gives no items', async () => {
	const { items } = await run({ resource: 'templateWebhook', operation: 'getAll' }, (_request, response) => answerJson(response, 200, []));
	expect(items).toEqual([]);
});

test('Template Webhook → Get Many leaves out the channel that is always null', async () => {
	const template = channelWebhook({ channelId: null, instanceId: null, createdAt: '2026-07-15T19:00:00.000+00:00' });
	const { items, sent } = await run({ resource: 'templateWebhook', operation: 'getAll' }, (_request, response) => answerJson(response, 200, [template]));
	expect(sent).toEqual([['GET', '/v1/webhooks', '']]);
	expect(items[0]).not.toHaveProperty('channelId');
	expect(items[0]).toMatchObject({ createdAt: '2026-07-15T19:00:00.000Z' });
});

test('Webhook → Delete', async () => {
	const { items, sent } = await run({ resource: 'webhook', operation: 'delete', channelId, webhookId }, (_request, response) => response.writeHead(204).end());
	expect(sent).toEqual([['DELETE', `/v1/channels/${CHANNEL}/webhooks/${WEBHOOK}`, '']]);
	expect(items).toEqual([{ deleted: true, id: WEBHOOK, channelId: CHANNEL }]);
});

test('Template Webhook → Delete', async () => {
	const { items, sent } = await run({ resource: 'templateWebhook', operation: 'delete', webhookId }, (_request, response) => response.writeHead(204).end());
	expect(sent).toEqual([['DELETE', `/v1/webhooks/${WEBHOOK}`, '']]);
	expect(items).toEqual([{ deleted: true, id: WEBHOOK }]);
});

test('Webhook → Create sends only what is set, and shows the secret once', async () => {
	const additionalFields = { signing: true, description: 'Orders', auth: { value: { type: 'BASIC', username: 'u', password: 'p', token: 'left over' } }, customAttributes: '{"team": "a"}' };
	const parameters = { resource: 'webhook', operation: 'create', channelId, url: 'https://example.com/events', events: ['CONNECTED'], additionalFields };
	const { items, sent } = await run(parameters, (_request, response) => answerJson(response, 201, channelWebhook({ secret: 'ab'.repeat(32) })));
	expect(sent).toEqual([
		[
			'POST',
			`/v1/channels/${CHANNEL}/webhooks`,
			{
				url: 'https://example.com/events',
				events: ['CONNECTED'],
				signing: true,
				description: 'Orders',
				auth: { type: 'BASIC', username: 'u', password: 'p' },
				customAttributes: { team: 'a' },
				payloadFormat: 'DEFAULT',
			},
		],
	]);
	expect(items[0]).toMatchObject({ id: WEBHOOK, secret: 'ab'.repeat(32) });
});

test('Template Webhook → Update sends only what is set', async () => {
	const parameters = { resource: 'templateWebhook', operation: 'update', webhookId, updateFields: { status: 'DISABLED' } };
	const { sent } = await run(parameters, (_request, response) => answerJson(response, 200, channelWebhook({ status: 'DISABLED' })));
	expect(sent).toEqual([['PATCH', `/v1/webhooks/${WEBHOOK}`, { status: 'DISABLED' }]]);
});

test('Webhook → Update can clear the events only by choosing others', async () => {
	const parameters = { resource: 'webhook', operation: 'update', channelId, webhookId, updateFields: { events: [] } };
	await expect(run(parameters, (_request, response) => answerJson(response, 200, channelWebhook()))).rejects.toThrow('"Events" cannot be used. Choose at least one event.');
});
