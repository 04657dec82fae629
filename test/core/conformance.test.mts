/**
 * Every operation of the nodes that talks to the service, played against the sandbox: each request
 * and each answer on the wire is held against what the service publishes.
 */
import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { startTestSandbox } from '../sandbox/helpers.mts';
import { byId } from '../support/constants.mts';
import { complaintsOf, type Exchange } from '../support/conformance.mts';
import { ENTERED } from '../support/sentKinds.mts';
import { runInEngine } from './harness/engine.mts';
import { additionalData, callLifecycle, publish, triggerWorkflow } from './harness/n8n.mts';
import { urls } from './harness/publishedReceiver.mts';
import { startScriptedService } from './harness/scriptedService.mts';

const CUSTOMER = '5500000000101';
const channelId = byId(DEMO_CHANNEL_ID);

/** What differs on purpose, with the reason. Each is met. */
const ON_PURPOSE: Record<string, string> = {
	'sendMessage: body.content.attachments[].template.components[].parameters[].parameter_name is not published':
		'assumed: the application behind refuses named variables without it',
	'sendMessage: body.content.attachments[].template.components[].parameters[].image.link is not published':
		'said in words alone: examples have an id',
	'connectChannel: body.success is not published': 'what the SDK gives is forwarded as it is',
	'connectChannel: body.channelId is not published': 'what the SDK gives is forwarded as it is',
};
const met = new Set<string>();

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
let recorder: Awaited<ReturnType<typeof startScriptedService>>;
let exchanges: Exchange[];
let known: Awaited<ReturnType<typeof setUp>>;
beforeAll(async () => {
	sandbox = await startTestSandbox();
	recorder = await startScriptedService(({ method, url, headers, body }, response) => {
		const { authorization, 'content-type': type } = headers;
		void (async () => {
			const answered = await fetch(sandbox.url + url, {
				...{ method, ...(body === '' ? {} : { body }) },
				headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
			});
			const { status } = answered;
			const answer = await answered.text();
			exchanges.push({ method, url, type, authorization, body, status, answer });
			response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
		})();
	});
});
beforeEach(async () => {
	await sandbox.control('/reset', { body: {} });
	known = await setUp();
	exchanges = [];
});
afterAll(async () => {
	await recorder.close();
	await sandbox.close();
});

const SECOND = { name: 'Second', type: 'OFFICIAL_CHATAPP' };
const HOOK = { url: 'http://127.0.0.1:9/hook', events: ['CONNECTED'] };
const TEMPLATE_HOOK = { ...HOOK, events: ['UPDATE_TEMPLATE_STATUS'] };
const IMAGE_HEADER = { type: 'HEADER', format: 'IMAGE' };

/** What operations need: each has an ID in a field of the nodes. */
async function setUp() {
	await sandbox.inbound(CUSTOMER, 'Hello');
	const made = async (path: string, body: object) =>
		byId((await sandbox.call<{ id: string }>(path, { body })).body.id);
	const template = async (more: object) => {
		const body = { name: 'left', body: 'Hello {{1}}, it left.', status: 'APPROVED', ...more };
		return byId((await sandbox.control<{ id: string }>('/message-templates', { body })).id);
	};
	const connection = await sandbox.call<IDataObject>('/_sandbox/sdk/connect', {
		...{ key: 'sandbox_pk_demo', body: { channelId: DEMO_CHANNEL_ID } },
	});
	const businesses = await sandbox.call<Array<{ businessId: string }>>('/chatapp/businesses');
	await template({ name: 'named', body: 'Hello {{customer_name}}' });
	const components = [IMAGE_HEADER, { type: 'BODY', text: 'Hello' }];
	await template({ name: 'pictured', body: undefined, components });
	await template({ language: 'pt_BR' });
	return {
		connection: connection.body,
		second: await made('/v1/channels', SECOND),
		webhookId: await made(`/v1/channels/${DEMO_CHANNEL_ID}/webhooks`, HOOK),
		templateWebhookId: await made('/v1/webhooks', TEMPLATE_HOOK),
		businessId: byId(businesses.body[0]!.businessId),
		templateId: await template({}),
	};
}

const hookFields = {
	...{ signing: true, description: 'Orders', customAttributes: '{"team": "a"}' },
	auth: { value: { type: 'BASIC', username: 'u', password: 'p' } },
};
const updateFields = { status: 'DISABLED' };
const PICTURE = {
	...{ data: Buffer.from('a made-up picture').toString('base64'), mimeType: 'image/png' },
	fileName: 'a.png',
};
const TEMPLATE = {
	...{ name: 'new', language: 'en_US', category: 'UTILITY', definition: 'fields' },
	...{ body: 'Hello {{1}}, it left.', footer: 'The shop' },
	variableExamples: { values: [{ name: '1', example: 'Ana' }] },
	templateButtons: {
		values: [
			{ type: 'quickReply', text: 'Thanks' },
			{ type: 'url', text: 'Track it', url: 'https://shop.example/o/{{1}}', example: '1042' },
			{ type: 'phone', text: 'Call us', phone: '+5500000000001' },
			{ type: 'copyCode', example: 'HELLO10' },
		],
	},
	additionalFields: { allowCategoryChange: true, messageSendTtlSeconds: 600 },
};
const LIBRARY_INPUTS = {
	library_template_button_inputs: [
		{
			type: 'URL',
			url: { base_url: 'https://a.example/{{1}}', url_suffix_example: 'https://a.example/1' },
		},
		{ type: 'PHONE_NUMBER', phone_number: '+5500000000001' },
	],
};
const CHAT = { askIn: 'chat', message: 'A discount?' };
const byName = (value: string) => ({
	...{ template: { __rl: true, mode: 'name', value }, languageCode: 'en_US' },
});
const entered = (operation: string) =>
	Object.values(ENTERED).filter((fields) => fields.operation === operation);

/** By resource and operation: fields, or what makes them of what was set up. */
type Fields = IDataObject | (() => object);
const PLAYS: Record<string, Fields[]> = {
	'channel create': [SECOND],
	'channel get': [{}],
	'channel check': [{}],
	'channel getAll': [{ returnAll: true, filters: { query: 'e', type: SECOND.type } }],
	'channel connect': [
		() => ({ connectionData: 'fields', ...known.connection }),
		() => ({ connectionData: 'object', sdkObject: JSON.stringify(known.connection) }),
	],
	'channel disconnect': [{}],
	'channel subscribe': [{}],
	'channel cancelSubscription': [{ cancelReason: 'Moved' }],
	'channel delete': [() => ({ channelId: known.second, cancelReason: 'Moved' })],
	'message sendText': entered('sendText'),
	'message sendMedia': entered('sendMedia'),
	'message sendContact': entered('sendContact'),
	'message sendButtons': entered('sendButtons'),
	'message sendOther': [{ content: '{"type":"TEXT","body":{"message":"a"}}' }],
	'message sendTemplate': [
		{ ...byName('order_update'), bodyParameters: ['Ana', '1042'] },
		{ ...byName('named'), bodyParameters: ['Ana'] },
		{ ...byName('pictured'), headerMediaUrl: 'https://shop.example/a.png' },
	],
	'message sendAndWait': [
		{ ...CHAT, responseType: 'replyInChat' },
		{ ...CHAT, responseType: 'approval', approvers: [CUSTOMER] },
	],
	'webhook create': [{ ...HOOK, additionalFields: hookFields }],
	'webhook getAll': [{ returnAll: true }],
	'webhook update': [() => ({ webhookId: known.webhookId, updateFields })],
	'webhook delete': [() => ({ webhookId: known.webhookId })],
	'templateWebhook create': [{ ...TEMPLATE_HOOK, additionalFields: hookFields }],
	'templateWebhook getAll': [{ returnAll: true }],
	'templateWebhook update': [() => ({ webhookId: known.templateWebhookId, updateFields })],
	'templateWebhook delete': [() => ({ webhookId: known.templateWebhookId })],
	'business getAll': [{}],
	'template getAll': [{ returnAll: true, filters: { status: 'APPROVED' } }],
	'template create': [
		TEMPLATE,
		{ ...TEMPLATE, headerType: 'image', headerBinaryField: 'data' },
		{
			...{ ...TEMPLATE, definition: 'library', libraryTemplate: 'delivery_update_1' },
			libraryInputs: JSON.stringify(LIBRARY_INPUTS),
		},
	],
	'template update': [() => ({ ...TEMPLATE, category: '', templateId: known.templateId })],
	'template delete': [
		() => ({ templateId: known.templateId }),
		() => ({ templateId: known.templateId, options: { deleteAllTranslations: true } }),
	],
	'template sync': [{}],
};

async function complaints(): Promise<string[]> {
	expect(exchanges.length).toBeGreaterThan(0);
	return (await Promise.all(exchanges.map(complaintsOf))).flat();
}

const EACH = Object.entries(PLAYS).flatMap(([name, plays]) =>
	plays.map((fields, at) => [`${name} (${at + 1})`, name, fields] as const),
);
test.each(EACH)('%s', async (_title, name, fields) => {
	const [resource, operation] = name.split(' ');
	const parameters = {
		...{ channelId, recipient: CUSTOMER, businessId: known.businessId },
		...(typeof fields === 'function' ? fields() : fields),
		...{ resource, operation },
	} as IDataObject;
	const { error } = await runInEngine({
		...{ baseUrl: recorder.url, credential: { secretKey: sandbox.secretKey }, parameters },
		input: [{ json: {}, binary: { data: PICTURE } }],
	});
	const found = await complaints();
	for (const complaint of found) met.add(complaint);
	expect(found.filter((complaint) => !(complaint in ON_PURPOSE))).toEqual([]);
	expect(error).toBeUndefined();
});

test.each(['channel', 'template'])('the trigger, of the source %s', async (source) => {
	const workflow = triggerWorkflow({ parameters: { source, channelId } });
	const data = additionalData({ baseUrl: recorder.url, secretKey: sandbox.secretKey! }, urls);
	await publish(workflow, data);
	await callLifecycle('checkExists', workflow, data);
	await callLifecycle('delete', workflow, data);
	expect(await complaints()).toEqual([]);
	const methods = exchanges.map(({ method }) => method);
	expect(methods).toEqual(expect.arrayContaining(['GET', 'POST', 'DELETE']));
});

test('every operation that talks to the service was played, and every exception was met', () => {
	const operations = new BusinessMessaging().description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options, displayOptions }) =>
			(options as INodePropertyOptions[]).map(
				({ value }) => `${String(displayOptions?.show?.resource?.[0])} ${String(value)}`,
			),
		);
	const silent = ['message downloadAttachments', 'message normalizeRecipient'];
	expect([...Object.keys(PLAYS), ...silent].sort()).toEqual([...new Set(operations)].sort());
	expect(Object.keys(ON_PURPOSE).filter((complaint) => !met.has(complaint))).toEqual([]);
});
