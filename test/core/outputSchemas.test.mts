import './harness/environment.mts';
import 'reflect-metadata';

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { loadOutputSchema } from 'n8n-core';
import type { IDataObject, IDisplayOptions, INodePropertyOptions } from 'n8n-workflow';

import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import { rememberReceived } from '#nodes/shared/node/reachability.ts';
import { type OutputSchema, outputSchemas } from '#scripts/outputSchemas.mts';
import { byId, CHANNEL, WEBHOOK } from '../support/constants.mts';
import { ENTERED } from '../support/sentKinds.mts';
import { runInEngine } from './harness/engine.mts';
import { respondJson, startScriptedService } from './harness/scriptedService.mts';

const channelId = byId(CHANNEL);
const webhookId = byId(WEBHOOK);
const { description } = new BusinessMessaging();

let nodeDir: string;
beforeAll(() => {
	rememberReceived(CHANNEL);
	nodeDir = mkdtempSync(join(tmpdir(), 'output-schemas-'));
	for (const [path, schema] of outputSchemas()) {
		mkdirSync(dirname(join(nodeDir, path)), { recursive: true });
		writeFileSync(join(nodeDir, path), JSON.stringify(schema));
	}
});
afterAll(() => rmSync(nodeDir, { recursive: true, force: true }));

/** What n8n's editor and its assistants find for an operation. */
const foundFor = (resource: string, operation: string) =>
	loadOutputSchema({
		nodeDir,
		version: Number(description.version),
		resource,
		operation,
		versionFallback: false,
	}) as OutputSchema | undefined;

/** Tools of agents have a list of their own, with some operations less. */
const isOfTools = (options?: IDisplayOptions) => options?.show?.['@tool']?.[0] === true;

const OPERATIONS = description.properties
	.filter(({ name, displayOptions }) => name === 'operation' && !isOfTools(displayOptions))
	.flatMap(({ options, displayOptions }) =>
		(options as INodePropertyOptions[]).map(
			({ value }) => [String(displayOptions?.show?.resource?.[0]), String(value)] as const,
		),
	);

const webhook = {
	id: WEBHOOK,
	url: 'https://example.com/events',
	description: 'For the shop',
	events: ['MESSAGE_RECEIVED'],
	status: 'ENABLED',
	signing: true,
	auth: { type: 'NONE', configured: false },
	payloadFormat: 'DEFAULT',
	createdAt: '2026-07-15T16:00:00.000-0300',
	updatedAt: '2026-07-15T19:00:00.000+0000',
};
const channel = {
	id: CHANNEL,
	name: 'Support',
	type: 'OFFICIAL_CHATAPP',
	token: 'secret',
	phoneConnected: true,
};
const template = {
	id: '1',
	name: 'order_update',
	status: 'APPROVED',
	category: 'UTILITY',
	language: 'en_US',
	components: [{ type: 'BODY', text: 'Hello {{1}}', example: { body_text: [['Ana']] } }],
};
/** The list of templates with the one that is sent, taking as many texts as it is given. */
function templatesOf(entered: IDataObject = {}) {
	const { value } = (entered.template ?? entered.fallbackTemplate ?? {}) as { value?: string };
	const texts = (entered.bodyParameters ?? []) as string[];
	const body = texts.map((_, place) => `{{${place + 1}}}`).join(' ') || 'Hello';
	return [{ ...template, name: value ?? 'none', components: [{ type: 'BODY', text: body }] }];
}
const attachment = {
	type: 'IMAGE',
	url: 'data:image/png;base64,AAAA',
	caption: 'A shoe',
	thumbnailUrl: 'https://example.com/small',
};

const NEW_TEMPLATE = { businessId: 'business-1', name: 'hello', body: 'Hello' };

/** For a service that refuses free-form messages. */
const TEMPLATE_IF_CLOSED = {
	whenWindowClosed: 'sendTemplate',
	fallbackTemplate: { __rl: true, mode: 'name', value: 'order_update' },
};

const OFFICIAL = { wabaId: '1', phoneId: '2', code: 'a', coexistence: true };
const create = { url: webhook.url, events: webhook.events, additionalFields: { signing: true } };
const listed = { id: webhook.id, url: webhook.url, events: webhook.events };
const page = { total: 1, totalPage: 1, pageSize: 100, page: 0 };
const updateFields = { description: 'Changed' };
/**
 * An operation with its fields, the service's response, and fields that come without being in its
 * schema.
 */
const CASES: Array<[resource: string, operation: string, IDataObject, unknown, string[]?]> = [
	['channel', 'connect', { channelId, connectionData: 'fields', ...OFFICIAL }, { success: true }],
	['channel', 'cancelSubscription', { channelId }, undefined],
	['channel', 'check', { channelId }, { ...channel, paymentStatus: 'PAID' }],
	// The channel is read first.
	['channel', 'subscribe', { channelId }, { id: CHANNEL, message: 'Done' }],
	['channel', 'create', { name: 'Support', type: 'OFFICIAL_CHATAPP' }, { id: CHANNEL }],
	['channel', 'delete', { channelId }, undefined],
	['channel', 'disconnect', { channelId }, true],
	// The service gives many fields of a channel that only its dashboard needs.
	['channel', 'get', { channelId }, { ...channel, webhooks: [listed] }, ['phoneConnected']],
	['channel', 'getAll', {}, { ...page, content: [channel] }, ['phoneConnected']],
	['message', 'downloadAttachments', {}, undefined],
	['message', 'normalizeRecipient', { channelId, recipient: '0151 23456789' }, undefined],
	...sending('sendButtons', 'sendContact', 'sendMedia', 'sendOther', 'sendTemplate', 'sendText'),
	['business', 'getAll', {}, [{ businessId: 'business-1', name: 'Shop' }]],
	['template', 'create', NEW_TEMPLATE, { id: '1', status: 'PENDING', category: 'UTILITY' }],
	[
		'template',
		'update',
		{ ...NEW_TEMPLATE, templateId: byId('1') },
		{ success: true, data: [{ ...template, id: '1', category: 'UTILITY' }] },
	],
	['template', 'delete', { businessId: 'business-1', templateId: byId('1') }, { success: true }],
	['template', 'sync', { businessId: 'business-1' }, { synced: true, syncedCount: 1, data: [] }],
	['template', 'getAll', { businessId: 'business-1' }, { data: [template] }],
	['templateWebhook', 'create', create, { ...webhook, secret: 'a' }],
	['templateWebhook', 'delete', { webhookId }, undefined],
	['templateWebhook', 'getAll', { returnAll: true }, [webhook]],
	['templateWebhook', 'update', { webhookId, updateFields }, webhook],
	['webhook', 'create', { channelId, ...create }, { ...webhook, channelId: CHANNEL, secret: 'a' }],
	['webhook', 'delete', { channelId, webhookId }, undefined],
	['webhook', 'getAll', { channelId, returnAll: true }, [{ ...webhook, channelId: CHANNEL }]],
	['webhook', 'update', { channelId, webhookId, updateFields }, { ...webhook, channelId: CHANNEL }],
];

/** *Check* reads a list besides the channel. */
const bodyAt = (url: string, operation: string, body: unknown): unknown =>
	operation === 'check' && url.endsWith('/webhooks') ? [{ ...webhook, channelId: CHANNEL }] : body;

/**
 * Operations that send, each with its first case from the other tests. A template takes the place
 * of a free-form message, because its item has more fields.
 */
function sending(...operations: string[]): typeof CASES {
	return operations.map((operation) => {
		const entered = {
			...Object.values(ENTERED).find((given) => given.operation === operation),
			...(operation === 'sendTemplate' ? {} : TEMPLATE_IF_CLOSED),
		};
		return [
			'message',
			operation,
			{ ...entered, channelId, recipient: '+55 11 99999-0000' },
			// The channel and its templates are read first: one body for all three.
			{ messageId: 'A'.repeat(32), ...channel, businessId: 'b', data: templatesOf(entered) },
		];
	});
}

test('every operation is checked against its schema, here or in the tests of replies', () => {
	expect(
		[
			...CASES.map(([resource, operation]) => [resource, operation]),
			['message', 'sendAndWait'],
		].sort(),
	).toEqual([...OPERATIONS].sort());
});

test.each(CASES)(
	'%s %s gives exactly what its schema says, for each item',
	async (resource, operation, fields, responded, more = []) => {
		const service = await startScriptedService(({ method, body, url }, response) =>
			'whenWindowClosed' in fields && method === 'POST' && !body.includes('"type":"TEMPLATE"')
				? respondJson(response, 422, { error: 422, message: 'Conversation window is closed' })
				: respondJson(
						response,
						responded === undefined ? 204 : 200,
						bodyAt(url, operation, responded),
					),
		);
		const settings = {
			baseUrl: service.url,
			parameters: { resource, operation, ...fields },
			items: [1, 2, 3].map(() =>
				operation === 'downloadAttachments' ? { attachments: [attachment] } : {},
			),
		};
		// Then templates are remembered.
		if (resource === 'message') await runInEngine(settings);
		const { items, error } = await runInEngine(settings);
		await service.close();
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		const given = Object.entries(items[0]!.json).filter(([name]) => !more.includes(name));
		expect(shapeOf(Object.fromEntries(given))).toEqual(shapeIn(foundFor(resource, operation)));
	},
);

const SECRET = 'shh-that-must-not-show';
const DEEP: unknown = JSON.parse('['.repeat(200) + ']'.repeat(200));

/** What a service says, with secrets and too much nesting in each of its objects. */
function withSecrets(value: unknown, isOfUser = false): unknown {
	if (Array.isArray(value)) return value.map((entry) => withSecrets(entry, isOfUser));
	if (typeof value !== 'object' || value === null) return value;
	const whole = Object.entries(value).map(([name, entry]) => [
		name,
		withSecrets(entry, isOfUser || name === 'components'),
	]);
	return {
		...Object.fromEntries(whole),
		...{ accessToken: SECRET, appSecret: SECRET, more: DEEP },
		auth: { type: 'BEARER', token: SECRET },
		...(isOfUser ? {} : { link: `https://n8n.example/waiting?signature=${SECRET}` }),
	};
}

test.each(
	CASES.flatMap(([resource, operation, fields, responded]) =>
		(operation === 'getAll' ? [true, false] : [true]).map((simplify) => [
			...[resource, operation, { simplify, ...fields }, responded],
		]),
	),
)('%s %s %j shows nothing that is secret, and can be read again', async (...given) => {
	const [resource, operation, fields, responded] = given as (typeof CASES)[number];
	const service = await startScriptedService(({ url }, response) =>
		respondJson(
			response,
			responded === undefined ? 204 : 200,
			withSecrets(bodyAt(url, operation, responded)),
		),
	);
	const { items, record, error } = await runInEngine({
		baseUrl: service.url,
		parameters: { resource, operation, ...fields },
	});
	await service.close();
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(record).not.toContain(SECRET);
	expect(JSON.stringify(items)).not.toContain('['.repeat(100));
});

test.each(CASES.filter(([, operation]) => operation !== 'normalizeRecipient'))(
	'%s %s links each failure to its failed item',
	async (resource, operation, fields) => {
		const service = await startScriptedService((_request, response) =>
			respondJson(response, 404, { error: 404, message: 'Not found' }),
		);
		const { items } = await runInEngine({
			baseUrl: service.url,
			parameters: { resource, operation, ...fields },
			items: [1, 2, 3].map(() => ({ attachments: [{ url: `${service.url}/a.png` }] })),
			settings: { onError: 'continueRegularOutput' },
		});
		await service.close();
		expect(items.map(({ json, pairedItem }) => [typeof json.error, pairedItem])).toEqual(
			[0, 1, 2].map((item) => ['string', { item }]),
		);
	},
);

test("n8n is told where a new webhook's secret is", () => {
	const fields = Object.keys(foundFor('webhook', 'create')?.properties ?? {});
	expect(fields).toEqual(expect.arrayContaining(description.sensitiveOutputFields!));
	expect(description.sensitiveOutputFields).toEqual(['secret']);
});

/** The paths of a value's fields with their types. `[]` marks what a list holds. */
function shapeOf(value: unknown, path = ''): string[] {
	if (Array.isArray(value)) return shapeOf(value[0], `${path}[]`);
	if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`];
	return Object.entries(value)
		.flatMap(([name, inner]) => shapeOf(inner, `${path}.${name}`))
		.sort();
}

/** The same for a schema. */
function shapeIn(schema: OutputSchema | undefined, path = ''): string[] {
	if (schema?.items) return shapeIn(schema.items, `${path}[]`);
	if (!schema?.properties) return [`${path}: ${schema?.type}`];
	return Object.entries(schema.properties)
		.flatMap(([name, inner]) => shapeIn(inner, `${path}.${name}`))
		.sort();
}
