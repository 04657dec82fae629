import type { ServerResponse } from 'node:http';

import { run } from './harness/operations.mts';
import type { ReceivedRequest } from './harness/scriptedService.mts';
import { respondJson } from './harness/scriptedService.mts';

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

test('Channel → Connect', async () => {
	const parameters = {
		resource: 'channel',
		operation: 'connect',
		connectionData: 'fields',
		channelId,
		wabaId: '102290129340398',
		phoneId: '106540352242922',
		code: 'code',
		coexistence: true,
	};
	const { items, sent } = await run(parameters, (_request, response) =>
		respondJson(response, 200, { success: true }),
	);
	expect(sent).toEqual([
		[
			'POST',
			`/v1/channels/${CHANNEL}/connect`,
			{ wabaId: '102290129340398', phoneId: '106540352242922', code: 'code', coexistence: true },
		],
	]);
	expect(items).toEqual([{ success: true, channelId: CHANNEL }]);
});

test('Channel → Connect forwards the whole object of the SDK', async () => {
	const sdkObject = {
		success: true,
		channelId: CHANNEL,
		code: 'code',
		wabaId: 1022,
		phoneId: '1065',
		coexistence: false,
	};
	const { sent } = await run(
		{
			resource: 'channel',
			operation: 'connect',
			connectionData: 'object',
			sdkObject: JSON.stringify(sdkObject),
		},
		(_request, response) => respondJson(response, 200, { success: true }),
	);
	expect(sent).toEqual([['POST', `/v1/channels/${CHANNEL}/connect`, sdkObject]]);
});

const UUID = '019e4c54-b1b3-75a2-8970-b605ca9b03c3';
const ofPage = { code: 'code', wabaId: '1', phoneId: '2', coexistence: true };
test.each<[string, object, string, string]>([
	['four fields, with the channel of the node', ofPage, CHANNEL, CHANNEL],
	['an empty channelId', { ...ofPage, channelId: ' ' }, UUID, UUID],
	['a channelId written as a UUID', { ...ofPage, channelId: UUID }, '', UUID],
	[
		'a channelId that the node has, too, written otherwise',
		{ ...ofPage, channelId: UUID },
		CHANNEL,
		UUID,
	],
])(
	'Channel → Connect takes an object of the SDK that has %s',
	async (_name, sdkObject, ofNode, connected) => {
		const { sent, items } = await run(
			{
				resource: 'channel',
				operation: 'connect',
				connectionData: 'object',
				sdkObject: JSON.stringify(sdkObject),
				channelId: { __rl: true, mode: 'id', value: ofNode },
			},
			(_request, response) => respondJson(response, 200, { success: true }),
		);
		expect(sent).toEqual([['POST', `/v1/channels/${connected}/connect`, sdkObject]]);
		expect(items).toEqual([{ success: true, channelId: connected }]);
	},
);

test('refuses different channels in the object and the field', async () => {
	const request = run(
		{
			resource: 'channel',
			operation: 'connect',
			connectionData: 'object',
			sdkObject: JSON.stringify({ ...ofPage, channelId: CHANNEL.replace('3', '4') }),
			channelId,
		},
		(_request, response) => respondJson(response, 200, { success: true }),
	);
	await expect(request).rejects.toThrow(
		/"Channel" and "channelId" in "SDK Object" are different channels/,
	);
});

test.each([
	['{"success": false}', /customer did not complete the connection/],
	['{"success": true}', /lacks "channelId"\./],
	[
		`{"success": true, "channelId": "x", "coexistence": false}`,
		/"channelId" in "SDK Object" is not an ID/,
	],
	['{"coexistence": false}', /lacks "channelId"\. Choose the channel in "Channel"/],
	['{"coexistence": false, "channelId": 7}', /"channelId" in "SDK Object" is not an ID/],
	['[]', /is not an object/],
])('refuses an incomplete object of the SDK: %s', async (sdkObject, message) => {
	const request = run(
		{
			resource: 'channel',
			operation: 'connect',
			connectionData: 'object',
			sdkObject: `={{ '${sdkObject}' }}`,
		},
		(_request, response) => respondJson(response, 200, { success: true }),
	);
	await expect(request).rejects.toThrow(message);
});

test('reads Coexistence from a text, and refuses other values', async () => {
	const parameters = {
		resource: 'channel',
		operation: 'connect',
		connectionData: 'fields',
		channelId,
		wabaId: '1',
		phoneId: '2',
		code: 'code',
	};
	const { sent } = await run(
		{ ...parameters, coexistence: '={{ "true" }}' },
		(_request, response) => respondJson(response, 200, { success: true }),
	);
	expect(sent[0]![2]).toMatchObject({ coexistence: true });
	const unclear = run({ ...parameters, coexistence: '={{ "yes" }}' }, (_request, response) =>
		respondJson(response, 200, { success: true }),
	);
	await expect(unclear).rejects.toThrow('"Coexistence" is neither true nor false.');
});

test('accepts a webhook whose secret is null', async () => {
	const parameters = {
		resource: 'webhook',
		operation: 'update',
		channelId,
		webhookId,
		updateFields: { status: 'DISABLED' },
	};
	const { items } = await run(parameters, (_request, response) =>
		respondJson(
			response,
			200,
			channelWebhook({ secret: null, events: null, auth: { type: 'NONE' } }),
		),
	);
	expect(items[0]).toMatchObject({ id: WEBHOOK, events: [] });
});

test('Channel → Create', async () => {
	const { items, sent } = await run(
		{ resource: 'channel', operation: 'create', name: 'Support', type: 'OFFICIAL_CHATAPP' },
		(_request, response) => respondJson(response, 201, { id: CHANNEL }),
	);
	expect(sent).toEqual([['POST', '/v1/channels', { name: 'Support', type: 'OFFICIAL_CHATAPP' }]]);
	expect(items).toEqual([{ id: CHANNEL, name: 'Support', type: 'OFFICIAL_CHATAPP' }]);
});

describe.each([0, 1])('Channel → Get Many of a service whose pages count from %d', (firstPage) => {
	const channels = Array.from({ length: 230 }, (_, index) => ({
		id: String(index).padStart(32, '0'),
		name: `Channel ${index}`,
		type: 'OFFICIAL_CHATAPP',
		token: 'a secret',
	}));
	const respond = ({ url }: ReceivedRequest, response: ServerResponse) => {
		const page = Number(new URL(url, 'http://service').searchParams.get('page')) - firstPage;
		if (page < 0) return respondJson(response, 400, { error: 'page must not be less than 1' });
		respondJson(response, 200, {
			total: 230,
			totalPage: 3,
			pageSize: 100,
			page: page + firstPage,
			content: channels.slice(page * 100, page * 100 + 100),
		});
	};

	test('returns each channel once, without its token', async () => {
		const { items } = await run(
			{ resource: 'channel', operation: 'getAll', returnAll: true },
			respond,
		);
		expect(items).toEqual(channels.map(({ token: _token, ...channel }) => channel));
	});

	test('stops at the limit', async () => {
		const { items, sent } = await run(
			{ resource: 'channel', operation: 'getAll', limit: 7, filters: { query: 'a b', type: 'X' } },
			respond,
		);
		expect(items).toHaveLength(7);
		expect(sent.at(-1)![1]).toContain(
			'query=a+b&type=X'.replace('+', String(sent.at(-1)![1]).includes('%20') ? '%20' : '+'),
		);
	});
});

test('Webhook → Get Many: simplified, with readable dates and the mark of n8n', async () => {
	const made = channelWebhook({ customAttributes: { n8n: { workflowId: 'w' } } });
	const { items, sent } = await run(
		{ resource: 'webhook', operation: 'getAll', channelId, returnAll: true },
		(_request, response) => respondJson(response, 200, [channelWebhook(), made]),
	);
	expect(sent).toEqual([['GET', `/v1/channels/${CHANNEL}/webhooks`, '']]);
	const {
		instanceId: _instanceId,
		payloadFormat: _payloadFormat,
		...kept
	} = channelWebhook({
		createdAt: '2026-07-15T19:00:00.000Z',
		updatedAt: '2026-07-15T19:00:00.000Z',
	});
	expect(items).toEqual([
		{ ...kept, createdByN8n: false, createdByThisN8n: false },
		{
			...kept,
			customAttributes: { n8n: { workflowId: 'w' } },
			createdByN8n: true,
			createdByThisN8n: false,
		},
	]);
});

test("Webhook → Get Many without Simplify gives the service's own objects", async () => {
	const { items } = await run(
		{ resource: 'webhook', operation: 'getAll', channelId, simplify: false },
		(_request, response) => respondJson(response, 200, [channelWebhook({ future: 1 })]),
	);
	expect(items).toEqual([channelWebhook({ future: 1 })]);
});

describe('the signature of a resume URL', () => {
	const base = 'https://n8n.example.com/webhook-waiting/231';
	const hidden = '[hidden]';
	const signed: Array<[url: string, shown: string]> = [
		[`${base}?signature=aaaa1111`, `${base}?signature=${hidden}`],
		[`${base}?question=1&signature=aaaa1111`, `${base}?question=1&signature=${hidden}`],
		[`${base}?Signature=aaaa1111&question=1`, `${base}?Signature=${hidden}&question=1`],
		[`${base}?signature=aaaa1111/node?x=1#end`, `${base}?signature=${hidden}#end`],
		[`${base}&SIGNATURE=aaaa1111;b=2`, `${base}&SIGNATURE=${hidden}`],
		['signature=aaaa1111', `signature=${hidden}`],
		[
			`https://proxy.example/?to=${encodeURIComponent(`${base}?signature=aaaa1111&question=1`)}`,
			`https://proxy.example/?to=${encodeURIComponent(`${base}?signature=`)}${hidden}`,
		],
		['https://example.com/signatures?sign=1', 'https://example.com/signatures?sign=1'],
	];

	test.each([true, false])(
		'is missing from everything that Webhook → Get Many gives, simplified: %s',
		async (simplify) => {
			for (const resource of ['webhook', 'templateWebhook']) {
				const list = signed.map(([url]) => channelWebhook({ url, description: `For ${url}` }));
				const { items } = await run(
					{ resource, operation: 'getAll', channelId, simplify, returnAll: true },
					(_request, response) => respondJson(response, 200, list),
				);
				expect(items.map(({ url, description }) => [url, description])).toEqual(
					signed.map(([, shown]) => [shown, `For ${shown}`]),
				);
				expect(JSON.stringify(items)).not.toContain('aaaa1111');
			}
		},
	);

	test('cannot be guessed by the filter of the URL', async () => {
		const found = async (urlContains: string) =>
			(
				await run(
					{ resource: 'webhook', operation: 'getAll', channelId, filters: { urlContains } },
					(_request, response) =>
						respondJson(response, 200, [channelWebhook({ url: signed[0]![0] })]),
				)
			).items.length;
		expect([await found('webhook-waiting/231?signature='), await found('signature=a')]).toEqual([
			1, 0,
		]);
	});

	test.each([
		['create', { url: signed[0]![0], events: ['CONNECTED'] }],
		['update', { webhookId, updateFields: { status: 'DISABLED' } }],
	])(
		'is missing from the output of Webhook → %s, and reaches the service',
		async (operation, parameters) => {
			const { items, sent } = await run(
				{ resource: 'webhook', operation, channelId, ...parameters },
				(_request, response) => respondJson(response, 200, channelWebhook({ url: signed[0]![0] })),
			);
			expect(items).toMatchObject([{ url: signed[0]![1] }]);
			if (operation === 'create') expect(sent[0]![2]).toMatchObject({ url: signed[0]![0] });
		},
	);

	test.each([
		{ error: 422, message: `The url "${signed[1]![0]}" is not reachable` },
		`The url "${signed[1]![0]}" is not reachable`,
	])('is in no error, even if the service repeats it: %j', async (body) => {
		const failure = run(
			{
				resource: 'webhook',
				operation: 'create',
				channelId,
				url: signed[1]![0],
				events: ['CONNECTED'],
			},
			(_request, response) =>
				typeof body === 'string'
					? response.writeHead(422).end(body)
					: respondJson(response, 422, body),
		);
		const error = await failure.then(
			() => undefined,
			(reason: unknown) => reason,
		);
		expect(String(error)).toContain(`The url "${signed[1]![1]}" is not reachable`);
		expect(String(error) + JSON.stringify(error)).not.toContain('aaaa1111');
	});

	test('is found in a long text, too', async () => {
		const url = `${base}?${'signature'.repeat(7000)}&${'signature='.repeat(6500)}`;
		const { items } = await run(
			{ resource: 'webhook', operation: 'getAll', channelId },
			(_request, response) => respondJson(response, 200, [channelWebhook({ url })]),
		);
		expect(items).toMatchObject([
			{ url: `${base}?${'signature'.repeat(7000)}&signature=${hidden}` },
		]);
	});
});

test('Webhook → Get Many filters and limits', async () => {
	const list = [
		channelWebhook({ id: '1', status: 'DISABLED' }),
		channelWebhook({ id: '2', events: ['CONNECTED'] }),
		channelWebhook({
			id: '3',
			url: 'https://n8n.example.com/webhook/x',
			customAttributes: { n8n: {} },
		}),
		channelWebhook({ id: '4' }),
		channelWebhook({
			id: '5',
			url: 'https://n8n.example.com/webhook-waiting/1/node',
			status: 'DISABLED',
			customAttributes: { n8n: {}, n8nWait: { executionId: '1' } },
		}),
	];
	const ids = async (parameters: object) =>
		(
			await run(
				{ resource: 'webhook', operation: 'getAll', channelId, ...parameters },
				(_request, response) => respondJson(response, 200, list),
			)
		).items.map(({ id }) => id);
	expect(await ids({ filters: { status: 'ENABLED' } })).toEqual(['2', '3', '4']);
	expect(await ids({ filters: { events: ['CONNECTED'] } })).toEqual(['2']);
	expect(await ids({ filters: { urlContains: 'n8n.example' } })).toEqual(['3', '5']);
	expect(await ids({ filters: { createdByN8n: true } })).toEqual(['3']);
	expect(await ids({ filters: { createdByN8n: false } })).toEqual(['1', '2', '4', '5']);
	expect(await ids({ limit: 2 })).toEqual(['1', '2']);
});

test('outputs no items for an account without webhooks', async () => {
	const { items } = await run(
		{ resource: 'templateWebhook', operation: 'getAll' },
		(_request, response) => respondJson(response, 200, []),
	);
	expect(items).toEqual([]);
});

test('Template Webhook → Get Many leaves out the channel that is always null', async () => {
	const template = channelWebhook({
		channelId: null,
		instanceId: null,
		createdAt: '2026-07-15T19:00:00.000+00:00',
	});
	const { items, sent } = await run(
		{ resource: 'templateWebhook', operation: 'getAll' },
		(_request, response) => respondJson(response, 200, [template]),
	);
	expect(sent).toEqual([['GET', '/v1/webhooks', '']]);
	expect(items[0]).not.toHaveProperty('channelId');
	expect(items[0]).toMatchObject({ createdAt: '2026-07-15T19:00:00.000Z' });
});

test('Webhook → Delete', async () => {
	const { items, sent } = await run(
		{ resource: 'webhook', operation: 'delete', channelId, webhookId },
		(_request, response) => response.writeHead(204).end(),
	);
	expect(sent).toEqual([['DELETE', `/v1/channels/${CHANNEL}/webhooks/${WEBHOOK}`, '']]);
	expect(items).toEqual([{ deleted: true, id: WEBHOOK, channelId: CHANNEL }]);
});

test('Template Webhook → Delete', async () => {
	const { items, sent } = await run(
		{ resource: 'templateWebhook', operation: 'delete', webhookId },
		(_request, response) => response.writeHead(204).end(),
	);
	expect(sent).toEqual([['DELETE', `/v1/webhooks/${WEBHOOK}`, '']]);
	expect(items).toEqual([{ deleted: true, id: WEBHOOK }]);
});

test('Webhook → Create sends only what is set, and shows the secret once', async () => {
	const additionalFields = {
		signing: true,
		description: 'Orders',
		auth: { value: { type: 'BASIC', username: 'u', password: 'p', token: 'left over' } },
		customAttributes: '{"team": "a"}',
	};
	const parameters = {
		resource: 'webhook',
		operation: 'create',
		channelId,
		url: 'https://example.com/events',
		events: ['CONNECTED'],
		additionalFields,
	};
	const { items, sent } = await run(parameters, (_request, response) =>
		respondJson(response, 201, channelWebhook({ secret: 'ab'.repeat(32) })),
	);
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

test.each([
	['create', 'additionalFields', { url: 'https://example.com/', events: ['CONNECTED'] }],
	['update', 'updateFields', { webhookId }],
])(
	'Webhook → %s sends a payload format as it is entered, and shows one that is not the usual',
	async (operation, collection, parameters) => {
		const webhook = async (payloadFormat: string) =>
			await run(
				{
					...{ resource: 'webhook', operation, channelId, ...parameters },
					[collection]: { payloadFormat },
				},
				(_request, response) =>
					respondJson(response, 200, channelWebhook({ payloadFormat, secret: null })),
			);
		const { items, sent } = await webhook('OTHER_FORMAT');
		expect(sent[0]![2]).toMatchObject({ payloadFormat: 'OTHER_FORMAT' });
		expect(items).toMatchObject([{ payloadFormat: 'OTHER_FORMAT' }]);
		expect((await webhook('DEFAULT')).items[0]).not.toHaveProperty('payloadFormat');
		await expect(webhook('')).rejects.toThrow(/"Payload Format".*e\.g\. DEFAULT/);
	},
);

test('Template Webhook → Update sends only what is set', async () => {
	const parameters = {
		resource: 'templateWebhook',
		operation: 'update',
		webhookId,
		updateFields: { status: 'DISABLED' },
	};
	const { sent } = await run(parameters, (_request, response) =>
		respondJson(response, 200, channelWebhook({ status: 'DISABLED' })),
	);
	expect(sent).toEqual([['PATCH', `/v1/webhooks/${WEBHOOK}`, { status: 'DISABLED' }]]);
});

test('Webhook → Update refuses to clear the events', async () => {
	const parameters = {
		resource: 'webhook',
		operation: 'update',
		channelId,
		webhookId,
		updateFields: { events: [] },
	};
	await expect(
		run(parameters, (_request, response) => respondJson(response, 200, channelWebhook())),
	).rejects.toThrow('"Events" cannot be used. Choose at least one event.');
});
