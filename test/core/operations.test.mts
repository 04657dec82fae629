import { byId, CHANNEL, WEBHOOK } from '../support/constants.mts';
import { answer, run } from './harness/operations.mts';
import { respondJson } from './harness/scriptedService.mts';

const channelId = byId(CHANNEL);
const webhookId = { __rl: true, mode: 'list', value: WEBHOOK };
const at = `/v1/channels/${CHANNEL}`;
const url = 'https://example.com/events';
const events = ['CONNECTED'];

const channelWebhook = (changes: object = {}) => ({
	...{ id: WEBHOOK, channelId: CHANNEL, instanceId: CHANNEL, url, description: null },
	...{ events: ['MESSAGE_RECEIVED'], status: 'ENABLED', signing: false },
	...{ auth: { type: 'NONE', configured: false }, payloadFormat: 'DEFAULT', customAttributes: {} },
	createdAt: '2026-07-15T16:00:00.000-0300',
	updatedAt: '2026-07-15T19:00:00.000+0000',
	...changes,
});
const channel = { id: CHANNEL, name: 'Support', type: 'OFFICIAL_CHATAPP', phoneConnected: true };
const made = { name: 'Support', type: 'OFFICIAL_CHATAPP' };
const connection = { wabaId: '1022', phoneId: '1065', code: 'code', coexistence: true };
const waiting = { id: WEBHOOK, url: 'https://n8n.example/wait?signature=abc', events: ['BLOCK'] };
const token = 't0p';
const bearer = { type: 'BEARER', Token: token };
const isDone = { success: true, channelId: CHANNEL };
const nothing = answer(undefined, 204);

const full = answer({ ...channel, token, webhooks: [{ ...waiting, token, auth: bearer }] });
const hidden = { url: 'https://n8n.example/wait?signature=[hidden]', auth: { type: 'BEARER' } };
const sdkObject = { ...isDone, code: 'code' };
const reason = { cancelReason: ' moved ' };
const done = answer({ success: true });
const isDeleted = { deleted: true, id: CHANNEL };

test.each<[string, object, ReturnType<typeof answer>, sent: unknown[], item: object]>([
	[
		'channel get',
		{ channelId },
		full,
		['GET', at, ''],
		{ ...channel, webhooks: [{ ...waiting, ...hidden }] },
	],
	[
		'channel connect',
		{ connectionData: 'fields', channelId, ...connection },
		done,
		['POST', `${at}/connect`, connection],
		isDone,
	],
	[
		'channel connect',
		{ connectionData: 'object', sdkObject: JSON.stringify(sdkObject) },
		done,
		['POST', `${at}/connect`, sdkObject],
		isDone,
	],
	[
		'channel create',
		made,
		answer({ id: CHANNEL }, 201),
		['POST', '/v1/channels', made],
		{ id: CHANNEL, ...made },
	],
	['channel disconnect', { channelId }, answer(true), ['PUT', `${at}/disconnect`, ''], isDone],
	['channel delete', { channelId, cancelReason: ' ' }, nothing, ['DELETE', at, ''], isDeleted],
	[
		'channel delete',
		{ channelId, ...reason },
		nothing,
		['DELETE', at, { cancelReason: 'moved' }],
		isDeleted,
	],
	[
		'webhook delete',
		{ channelId, webhookId },
		nothing,
		['DELETE', `${at}/webhooks/${WEBHOOK}`, ''],
		{ deleted: true, id: WEBHOOK, channelId: CHANNEL },
	],
	[
		'templateWebhook delete',
		{ webhookId },
		nothing,
		['DELETE', `/v1/webhooks/${WEBHOOK}`, ''],
		{ deleted: true, id: WEBHOOK },
	],
])('%s with %j', async (name, fields, respond, request, item) => {
	const [resource, operation] = name.split(' ');
	const { items, sent } = await run({ resource, operation, ...fields }, respond);
	expect(sent).toEqual([request]);
	expect(items).toEqual([item]);
});

test('Channel → Get Many stops at the limit', async () => {
	const content = Array.from({ length: 9 }, (_, index) => ({
		id: String(index).padStart(32, '0'),
	}));
	const { items, sent } = await run(
		{ resource: 'channel', operation: 'getAll', limit: 7, filters: { query: 'a b', type: 'X' } },
		(_request, response) =>
			respondJson(response, 200, { total: 9, totalPage: 1, pageSize: 100, page: 0, content }),
	);
	expect(items).toHaveLength(7);
	expect(sent.at(-1)![1]).toMatch(/query=a(?:\+|%20)b&type=X/);
});

test('Webhook → Get Many: simplified, with readable dates and the mark of n8n', async () => {
	const made = channelWebhook({ customAttributes: { n8n: { workflowId: 'w' } } });
	const { items, sent } = await run(
		{ resource: 'webhook', operation: 'getAll', channelId, returnAll: true },
		answer([channelWebhook(), made]),
	);
	expect(sent).toEqual([['GET', `/v1/channels/${CHANNEL}/webhooks`, '']]);
	const time = '2026-07-15T19:00:00.000Z';
	const kept = { ...channelWebhook({ createdAt: time, updatedAt: time }), createdByThisN8n: false };
	Object.assign(kept, { instanceId: undefined, payloadFormat: undefined });
	expect(items).toEqual([
		{ ...kept, createdByN8n: false },
		{ ...kept, createdByN8n: true, customAttributes: made.customAttributes },
	]);
});

test("Webhook → Get Many without Simplify gives the service's own objects", async () => {
	const { items } = await run(
		{ resource: 'webhook', operation: 'getAll', channelId, simplify: false },
		answer([channelWebhook({ future: 1 })]),
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
					answer(list),
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
					answer([channelWebhook({ url: signed[0]![0] })]),
				)
			).items.length;
		expect([await found('webhook-waiting/231?signature='), await found('signature=a')]).toEqual([
			1, 0,
		]);
	});
});

test('Webhook → Get Many filters and limits', async () => {
	const n8n = 'https://n8n.example.com';
	const list = [
		channelWebhook({ id: '1', status: 'DISABLED' }),
		channelWebhook({ id: '2', events: ['CONNECTED'] }),
		channelWebhook({ id: '3', url: `${n8n}/webhook/x`, customAttributes: { n8n: {} } }),
		channelWebhook({ id: '4' }),
		channelWebhook({
			...{ id: '5', url: `${n8n}/webhook-waiting/1/node`, status: 'DISABLED' },
			customAttributes: { n8n: {}, n8nWait: { executionId: '1' } },
		}),
	];
	const ids = async (parameters: object) =>
		(
			await run(
				{ resource: 'webhook', operation: 'getAll', channelId, ...parameters },
				answer(list),
			)
		).items.map(({ id }) => id);
	expect(await ids({ filters: { status: 'ENABLED' } })).toEqual(['2', '3', '4']);
	expect(await ids({ filters: { events: ['CONNECTED'] } })).toEqual(['2']);
	expect(await ids({ filters: { events: 'BLOCK, CONNECTED' } })).toEqual(['2']);
	expect(await ids({ filters: { urlContains: 'n8n.example' } })).toEqual(['3', '5']);
	expect(await ids({ filters: { createdByN8n: true } })).toEqual(['3']);
	expect(await ids({ filters: { createdByN8n: false } })).toEqual(['1', '2', '4', '5']);
	expect(await ids({ limit: 2 })).toEqual(['1', '2']);
});

test('Template Webhook → Get Many leaves out the channel that is always null', async () => {
	const template = channelWebhook({ channelId: null, instanceId: null });
	const { items, sent } = await run(
		{ resource: 'templateWebhook', operation: 'getAll' },
		answer([template]),
	);
	expect(sent).toEqual([['GET', '/v1/webhooks', '']]);
	expect(items[0]).not.toHaveProperty('channelId');
});

test('Webhook → Create sends only what is set, and shows the secret once', async () => {
	const additionalFields = {
		signing: true,
		description: 'Orders',
		auth: { value: { type: 'BASIC', username: 'u', password: 'p', token: 'left over' } },
		customAttributes: '{"team": "a"}',
	};
	const { items, sent } = await run(
		{ resource: 'webhook', operation: 'create', channelId, url, events, additionalFields },
		answer(channelWebhook({ secret: 'ab'.repeat(32) }), 201),
	);
	const auth = { type: 'BASIC', username: 'u', password: 'p' };
	const more = { customAttributes: { team: 'a' }, payloadFormat: 'DEFAULT' };
	expect(sent).toEqual([
		[
			'POST',
			`${at}/webhooks`,
			{ url, events, signing: true, description: 'Orders', auth, ...more },
		],
	]);
	expect(items[0]).toMatchObject({ id: WEBHOOK, secret: 'ab'.repeat(32) });
});

test.each([
	['create', 'additionalFields', { url, events }],
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
				answer(channelWebhook({ payloadFormat, secret: null })),
			);
		const { items, sent } = await webhook('OTHER_FORMAT');
		expect(sent[0]![2]).toMatchObject({ payloadFormat: 'OTHER_FORMAT' });
		expect(items).toMatchObject([{ payloadFormat: 'OTHER_FORMAT' }]);
		expect((await webhook('DEFAULT')).items[0]).not.toHaveProperty('payloadFormat');
		await expect(webhook('')).rejects.toThrow(/"Payload Format".*e\.g\. DEFAULT/);
	},
);

test('Webhook → Update sends only what is set, and refuses to clear the events', async () => {
	const update = async (resource: string, updateFields: object) =>
		await run(
			{ resource, operation: 'update', channelId, webhookId, updateFields },
			answer(channelWebhook()),
		);
	const { sent } = await update('templateWebhook', { status: 'DISABLED' });
	expect(sent).toEqual([['PATCH', `/v1/webhooks/${WEBHOOK}`, { status: 'DISABLED' }]]);
	await expect(update('webhook', { events: [] })).rejects.toThrow(
		'"Events" cannot be used. Choose at least one event.',
	);
});
