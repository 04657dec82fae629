import type { ServerResponse } from 'node:http';

import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node.ts';
import { runInEngine } from './harness/engine.mts';
import type { ReceivedRequest } from './harness/scriptedService.mts';
import { respondJson, startScriptedService } from './harness/scriptedService.mts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';
const WEBHOOK = '019E4C54B1B375A28970B605CA9B0AAA';
const channelId = { __rl: true, mode: 'id', value: CHANNEL };
const webhookId = { __rl: true, mode: 'id', value: WEBHOOK };

/** Fields with which every operation runs. A "Get Many" ignores those that it does not need. */
const FIELDS: Record<string, object> = {
	'channel.connect': {
		connectionData: 'fields',
		...{ channelId, wabaId: '1', phoneId: '2', code: 'code', coexistence: true },
	},
	'channel.create': {
		name: '={{ $json.name }}',
		type: { __rl: true, mode: 'id', value: 'OFFICIAL_CHATAPP' },
	},
	'channel.delete': { channelId },
	'channel.cancelSubscription': { channelId },
	'channel.disconnect': { channelId },
	'channel.subscribe': { channelId },
	'channel.get': { channelId },
	'message.downloadAttachments': { attachments: '={{ { url: $json.file } }}' },
	'message.normalizeRecipient': { recipient: '={{ $json.name }}' },
	'message.sendButtons': {
		channelId,
		recipient: '5511999990000',
		text: '={{ $json.name }}',
		replyButtons: { values: [{ title: 'Yes' }] },
	},
	'message.sendContact': {
		channelId,
		recipient: '5511999990000',
		contactName: '={{ $json.name }}',
		contactPhones: ['5511988880000'],
	},
	'message.sendMedia': {
		channelId,
		recipient: '5511999990000',
		mediaUrl: 'https://files.example.com/image.png',
	},
	'message.sendOther': { channelId, recipient: '5511999990000', content: { type: 'POLL' } },
	'message.sendTemplate': {
		channelId,
		recipient: '5511999990000',
		template: { __rl: true, mode: 'name', value: 'welcome' },
	},
	'message.sendText': { channelId, recipient: '5511999990000', text: '={{ $json.name }}' },
	'template.getAll': { businessId: 'business-1' },
	'templateWebhook.create': {
		url: 'https://example.com/events',
		events: ['UPDATE_TEMPLATE_STATUS'],
	},
	'templateWebhook.delete': { webhookId },
	'templateWebhook.update': { webhookId, updateFields: { status: 'DISABLED' } },
	'webhook.create': { channelId, url: 'https://example.com/events', events: ['CONNECTED'] },
	'webhook.delete': { channelId, webhookId },
	'webhook.getAll': { channelId },
	'webhook.update': { channelId, webhookId, updateFields: { status: 'DISABLED' } },
};

/** Asks one question for all items. Its one reply belongs to the first. */
const FOR_ALL_ITEMS = 'message.sendAndWait';

const operations = new BusinessMessaging().description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options = [] }) =>
		options.map((option) => ({
			resource: String(displayOptions?.show?.resource?.[0]),
			operation: 'value' in option ? String(option.value) : '',
		})),
	);
const forEachItem = operations.filter(
	({ resource, operation }) => `${resource}.${operation}` !== FOR_ALL_ITEMS,
);

function respond({ method, url }: ReceivedRequest, response: ServerResponse): void {
	const webhook = {
		id: WEBHOOK,
		channelId: null,
		url: 'https://example.com/events',
		events: [],
		status: 'ENABLED',
		signing: false,
		auth: { type: 'NONE' },
	};
	if (method === 'DELETE') return void response.writeHead(204).end();
	if (url.endsWith('/subscribe')) return respondJson(response, 200, { message: 'Subscribed' });
	if (url.endsWith('/connect')) return respondJson(response, 200, { success: true });
	if (url.endsWith('/messages')) return respondJson(response, 200, { messageId: WEBHOOK });
	if (method === 'PUT') return respondJson(response, 200, true);
	if (url.endsWith(CHANNEL)) return respondJson(response, 200, { id: CHANNEL });
	// Send Template goes on without the list.
	if (url.endsWith('/businesses')) return respondJson(response, 200, []);
	if (method === 'POST') return respondJson(response, 201, { ...webhook });
	if (method === 'PATCH') return respondJson(response, 200, webhook);
	if (url.includes('/templates'))
		return respondJson(response, 200, {
			data: ['a', 'b'].map((name) => ({ name, language: 'en_US', components: [] })),
		});
	if (url.includes('/webhooks'))
		return respondJson(response, 200, [webhook, { ...webhook, id: CHANNEL }]);
	const content = [CHANNEL, WEBHOOK].map((id) => ({ id, name: id, type: 'OFFICIAL_CHATAPP' }));
	respondJson(response, 200, { total: 2, totalPage: 1, pageSize: 100, page: 0, content });
}

/** Three items, with a file's address. */
const itemsAt = (url: string) => ['a', 'b', 'c'].map((name) => ({ name, file: `${url}/${name}` }));

test.each(forEachItem)(
	'$resource → $operation links each output to its input item',
	async ({ resource, operation }) => {
		const service = await startScriptedService(respond);
		const parameters = { resource, operation, ...FIELDS[`${resource}.${operation}`] };
		const result = await runInEngine({
			baseUrl: service.url,
			parameters,
			items: itemsAt(service.url),
		});
		await service.close();
		expect(result.error).toBeUndefined();
		const perItem = operation === 'getAll' ? 2 : 1;
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].flatMap((item) => Array.from({ length: perItem }, () => ({ item }))),
		);
	},
);

test.each(forEachItem.filter(({ operation }) => operation !== 'normalizeRecipient'))(
	'$resource → $operation links each failure to its failed item',
	async ({ resource, operation }) => {
		const service = await startScriptedService((_request, response) =>
			respondJson(response, 404, { error: 404, message: 'Not found' }),
		);
		const parameters = { resource, operation, ...FIELDS[`${resource}.${operation}`] };
		const result = await runInEngine({
			baseUrl: service.url,
			parameters,
			items: itemsAt(service.url),
			settings: { onError: 'continueRegularOutput' },
		});
		await service.close();
		expect(result.items.map(({ json, pairedItem }) => [typeof json.error, pairedItem])).toEqual(
			[0, 1, 2].map((item) => ['string', { item }]),
		);
	},
);
