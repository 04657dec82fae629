/**
 * Every operation of the nodes that talks to the service, played against the sandbox: each request
 * and each answer on the wire is held against what the service publishes.
 */
import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node.ts';
import { DEMO_CHANNEL_ID } from '../../sandbox/seed.mts';
import { startTestSandbox } from '../sandbox/helpers.mts';
import { complaintsOf, type Exchange } from '../support/conformance.mts';
import { ENTERED } from '../support/sentKinds.mts';
import { runInEngine } from './harness/engine.mts';
import { additionalData, callLifecycle, publish, triggerWorkflow } from './harness/n8n.mts';
import { urls } from './harness/publishedReceiver.mts';
import { startScriptedService } from './harness/scriptedService.mts';

const CUSTOMER = '5500000000101';
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
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
beforeAll(async () => {
	sandbox = await startTestSandbox();
	recorder = await startScriptedService(({ method, url, headers, body }, response) => {
		const { authorization, 'content-type': type } = headers;
		const given = {
			...(authorization && { authorization }),
			...(type && { 'content-type': type }),
		};
		void (async () => {
			const answered = await fetch(sandbox.url + url, {
				...{ method, headers: given, ...(body === '' ? {} : { body }) },
			});
			const { status } = answered;
			const answer = await answered.text();
			exchanges.push({ method, url, type, authorization, body, status, answer });
			response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
		})();
	});
});
beforeEach(async () => {
	exchanges = [];
	await sandbox.control('/reset', { body: {} });
	await sandbox.inbound(CUSTOMER, 'Hello');
});
afterAll(async () => {
	await recorder.close();
	await sandbox.close();
});

const businessId = async () =>
	byId(
		(await sandbox.call<Array<{ businessId: string }>>('/chatapp/businesses')).body[0]!.businessId,
	);
const setUp = async (more: object) =>
	(
		await sandbox.control<{ id: string }>('/message-templates', {
			body: { status: 'APPROVED', ...more },
		})
	).id;
const makeHook = async (root: string, events: string[]) =>
	byId((await sandbox.call<{ id: string }>(root, { body: { url: HOOK.url, events } })).body.id);

const HOOK = { url: 'http://127.0.0.1:9/hook', events: ['CONNECTED'] };
const TEMPLATE_HOOK = { ...HOOK, events: ['UPDATE_TEMPLATE_STATUS'] };
const hookFields = {
	...{ signing: true, description: 'Orders', customAttributes: '{"team": "a"}' },
	auth: { value: { type: 'BASIC', username: 'u', password: 'p' } },
};
const PICTURE = {
	...{ data: Buffer.from('a made-up picture').toString('base64'), mimeType: 'image/png' },
	fileName: 'a.png',
};
const TEMPLATE = {
	...{ name: 'order_left', language: 'en_US', category: 'UTILITY', definition: 'fields' },
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
const LIBRARY = {
	library_template_button_inputs: [
		{
			type: 'URL',
			url: { base_url: 'https://a.example/', url_suffix_example: 'https://a.example/' },
		},
		{ type: 'PHONE_NUMBER', phone_number: '+5500000000001' },
	],
};
const CHAT = { askIn: 'chat', recipient: CUSTOMER, message: 'A discount?' };
const grant = async () =>
	(
		await sandbox.call<IDataObject>('/_sandbox/sdk/connect', {
			...{ key: 'sandbox_pk_demo', body: { channelId: DEMO_CHANNEL_ID } },
		})
	).body;
const named = (value: string) => ({ __rl: true, mode: 'name', value });
const sent = (name: string, more: object): Play => [
	...(['message', 'sendTemplate'] as const),
	{ recipient: CUSTOMER, template: named(name), languageCode: 'en_US', ...more },
];

type Play = [resource: string, operation: string, fields?: object, prepare?: () => Promise<object>];
const WITH_BUSINESS = async () => ({ businessId: await businessId() });
/** A template in two languages, of which this is the first. */
const twoLanguages = async () => {
	const given = { name: 'order_left', body: 'Hello {{1}}, it left.' };
	const id = await setUp(given);
	await setUp({ ...given, language: 'pt_BR' });
	return { businessId: await businessId(), templateId: byId(id) };
};

const PLAYS: Play[] = [
	['channel', 'create', { name: 'Second', type: 'OFFICIAL_CHATAPP' }],
	['channel', 'get', { channelId }],
	['channel', 'getAll', { returnAll: true, filters: { query: 'e', type: 'OFFICIAL_CHATAPP' } }],
	['channel', 'connect', { channelId, connectionData: 'fields' }, grant],
	[
		...(['channel', 'connect', { connectionData: 'object' }] as const),
		async () => ({ sdkObject: JSON.stringify(await grant()) }),
	],
	['channel', 'disconnect', { channelId }],
	['channel', 'subscribe', { channelId }],
	['channel', 'cancelSubscription', { channelId, cancelReason: 'Moved' }],
	[
		...(['channel', 'delete', { cancelReason: 'Moved' }] as const),
		async () => {
			const body = { name: 'Second', type: 'OFFICIAL_CHATAPP' };
			const { id } = (await sandbox.call<{ id: string }>('/v1/channels', { body })).body;
			return { channelId: byId(id) };
		},
	],
	...Object.values(ENTERED)
		.filter(({ operation }) => operation !== 'sendTemplate')
		.map((entered): Play => [
			...(['message', String(entered.operation)] as const),
			{ ...entered, recipient: CUSTOMER },
		]),
	[
		'message',
		'sendOther',
		{ recipient: CUSTOMER, content: '{"type":"TEXT","body":{"message":"a"}}' },
	],
	sent('order_update', { bodyParameters: ['Ana', '1042'] }),
	[
		...sent('named', { bodyParameters: ['Ana'] }),
		async () => ({ id: await setUp({ name: 'named', body: 'Hello {{customer_name}}' }) }),
	],
	['message', 'sendAndWait', { ...CHAT, responseType: 'replyInChat' }],
	['message', 'sendAndWait', { ...CHAT, responseType: 'approval', approvers: [CUSTOMER] }],
	['webhook', 'create', { channelId, ...HOOK, additionalFields: hookFields }],
	['webhook', 'getAll', { channelId, returnAll: true }],
	...(['update', 'delete'] as const).map((operation): Play => [
		...(['webhook', operation, { channelId, updateFields: { status: 'DISABLED' } }] as const),
		async () => ({
			webhookId: await makeHook(`/v1/channels/${DEMO_CHANNEL_ID}/webhooks`, HOOK.events),
		}),
	]),
	['templateWebhook', 'create', { ...TEMPLATE_HOOK, additionalFields: hookFields }],
	['templateWebhook', 'getAll', { returnAll: true }],
	...(['update', 'delete'] as const).map((operation): Play => [
		...(['templateWebhook', operation, { updateFields: { status: 'DISABLED' } }] as const),
		async () => ({ webhookId: await makeHook('/v1/webhooks', TEMPLATE_HOOK.events) }),
	]),
	['business', 'getAll', {}],
	['template', 'getAll', { returnAll: true, filters: { status: 'APPROVED' } }, WITH_BUSINESS],
	['template', 'create', TEMPLATE, WITH_BUSINESS],
	[
		...(['template', 'create'] as const),
		{ ...TEMPLATE, headerType: 'image', headerBinaryField: 'data' },
		WITH_BUSINESS,
	],
	[
		...(['template', 'create'] as const),
		{
			...{ ...TEMPLATE, definition: 'library', libraryTemplate: 'delivery_update_1' },
			libraryInputs: JSON.stringify(LIBRARY),
		},
		WITH_BUSINESS,
	],
	['template', 'update', { ...TEMPLATE, category: '' }, twoLanguages],
	['template', 'delete', {}, twoLanguages],
	['template', 'sync', {}, WITH_BUSINESS],
];

const NAMED_PLAYS = PLAYS.map((play, at) => [`${at + 1}: ${play[0]} ${play[1]}`, play] as const);
test.each(NAMED_PLAYS)('%s', async (_name, [resource, operation, fields, prepare]) => {
	const prepared = (await prepare?.()) ?? {};
	const parameters = { resource, operation, channelId, ...fields, ...prepared } as IDataObject;
	const { error } = await runInEngine({
		...{ baseUrl: recorder.url, credential: { secretKey: sandbox.secretKey }, parameters },
		input: [{ json: {}, binary: { data: PICTURE } }],
	});
	expect(exchanges.length).toBeGreaterThan(0);
	const complaints = (await Promise.all(exchanges.map(complaintsOf))).flat();
	for (const complaint of complaints) met.add(complaint);
	expect(complaints.filter((complaint) => !(complaint in ON_PURPOSE))).toEqual([]);
	expect(error).toBeUndefined();
	if (operation !== 'delete' || resource !== 'template') return;
	const { templates } = await sandbox.control<{ templates: IDataObject[] }>('/message-templates');
	const left = templates.filter(({ name }) => name === 'order_left');
	expect(left).toMatchObject([{ language: 'pt_BR' }]);
});

test.each(['channel', 'template'])('the trigger, of the source %s', async (source) => {
	const workflow = triggerWorkflow({ parameters: { source, channelId } });
	const credential = { baseUrl: recorder.url, secretKey: sandbox.secretKey };
	const data = additionalData(credential, urls);
	await publish(workflow, data);
	await callLifecycle('checkExists', workflow, data);
	await callLifecycle('delete', workflow, data);
	const complaints = (await Promise.all(exchanges.map(complaintsOf))).flat();
	expect(complaints).toEqual([]);
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
	const played = PLAYS.map(([resource, operation]) => `${resource} ${operation}`);
	expect([...new Set([...played, ...silent])].sort()).toEqual([...new Set(operations)].sort());
	expect(Object.keys(ON_PURPOSE).filter((complaint) => !met.has(complaint))).toEqual([]);
});
