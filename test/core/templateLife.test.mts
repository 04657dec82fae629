/** Templates from draft to deletion: the node in n8n's engine against the whole sandbox. */
import type { IDataObject } from 'n8n-workflow';

import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { startTestSandbox } from '../sandbox/helpers.mts';
import { byId } from '../support/constants.mts';
import { type EngineSettings, runInEngine } from './harness/engine.mts';
import { answer, run } from './harness/operations.mts';

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
beforeAll(async () => void (sandbox = await startTestSandbox()));
beforeEach(() => sandbox.control('/reset', { body: {} }));
afterAll(() => sandbox.close());

/** @throws Error with the node's message and description */
async function performAll(parameters: IDataObject, more: Partial<EngineSettings> = {}) {
	const { items, error } = await runInEngine({
		baseUrl: sandbox.url,
		credential: { secretKey: sandbox.secretKey },
		parameters,
		...more,
	});
	if (error) throw new Error(`${error.message} | ${error.description ?? ''}`);
	return items.map(({ json }) => json);
}
const perform = async (...given: Parameters<typeof performAll>) => (await performAll(...given))[0]!;

async function business(): Promise<string> {
	const { body } = await sandbox.call<Array<{ businessId: string }>>('/chatapp/businesses');
	return body[0]!.businessId;
}
const perTemplate = async (operation: string, more: IDataObject): Promise<IDataObject> => ({
	...{ resource: 'template', operation, businessId: byId(await business()) },
	...more,
});
async function listed(name: string) {
	const { body } = await sandbox.call<{ data: Array<IDataObject & { id: string }> }>(
		`/chatapp/businesses/${await business()}/templates?limit=100`,
	);
	return body.data.find((template) => template.name === name);
}
const approve = async (id: unknown) =>
	await sandbox.control(`/message-templates/${String(id)}`, {
		...{ method: 'PATCH', body: { status: 'APPROVED' } },
	});

const ORDER = {
	name: 'order_shipped',
	language: 'en_US',
	category: 'UTILITY',
	definition: 'fields',
	headerType: 'text',
	headerText: 'Order {{1}}',
	body: 'Hello {{1}}, your order {{2}} is on its way.',
	footer: 'The shop',
	variableExamples: {
		values: [
			{ name: '1', example: 'Ana' },
			{ name: '{{2}}', example: '1042' },
		],
	},
	templateButtons: {
		values: [
			{ type: 'quickReply', text: 'Thanks' },
			{ type: 'url', text: 'Track it', url: 'https://shop.example/o/{{1}}', example: '1042' },
		],
	},
};

test('variables of a text that the editor made an expression are kept', async () => {
	const input = [{ json: { greeting: 'Dear' } }];
	await perform(
		await perTemplate('create', {
			...ORDER,
			headerText: '=Order {{ 1 }}',
			body: '={{ $json.greeting }} {{1}}, your order {{ 2 }} is here.',
			variableExamples: {
				values: [
					{ name: '={{1}}', example: 'Ana' },
					{ name: '={{2}}', example: '1042' },
				],
			},
			templateButtons: {
				values: [{ ...ORDER.templateButtons.values[1], url: '=https://shop.example/o/{{1}}' }],
			},
		}),
		{ input },
	);
	await perform(
		await perTemplate('create', {
			...{ name: 'named', language: 'es', body: '=Hello {{customer_name}}, welcome.' },
			variableExamples: { values: [{ name: '={{customer_name}}', example: 'Ana' }] },
		}),
	);
	const json =
		'=[{"type": "BODY", "text": "{{ $json.greeting }} {{1}}.", "example": {"body_text": [["Ana"]]}}]';
	await perform(
		await perTemplate('create', {
			...{ name: 'as_json', language: 'es', definition: 'json', components: json },
		}),
		{ input },
	);
	expect((await listed('order_shipped'))?.components).toMatchObject([
		{ text: 'Order {{1}}' },
		{ text: 'Dear {{1}}, your order {{2}} is here.' },
		{ type: 'FOOTER' },
		{ buttons: [{ url: 'https://shop.example/o/{{1}}' }] },
	]);
	expect((await listed('named'))?.components).toMatchObject([
		{ text: 'Hello {{customer_name}}, welcome.' },
	]);
	expect((await listed('as_json'))?.components).toMatchObject([{ text: 'Dear {{1}}.' }]);
});

describe('a list that an expression gives keeps its variables', () => {
	const BUSINESS = { resource: 'template', businessId: byId('b1') };
	const NEW = { ...BUSINESS, name: 'as_list', language: 'es', operation: 'create' };
	const CHANGE = { ...BUSINESS, templateId: byId('1'), operation: 'update' };
	const url = {
		base_url: 'https://a.example/{{1}}',
		url_suffix_example: 'https://a.example/1042',
	};
	const buttons = [{ type: 'URL', url }];
	const list =
		'={{ [{ type: "BODY", text: "Hi {{ 1 }}, {{2}}.", "at {{3}}": 1, example: { body_text: [["Ana", "{{4}}"]] } }, { type: "FOOTER", text: "{{9}}".slice(1) }] }}';
	const components = [
		{
			...{ type: 'BODY', text: 'Hi {{1}}, {{2}}.', 'at {{3}}': 1 },
			example: { body_text: [['Ana', '{{4}}']] },
		},
		{ type: 'FOOTER', text: '9}}' },
	];
	const asSent = { parameter_format: 'POSITIONAL', components };
	const json = { definition: 'json', components: list };
	const fromLibrary = {
		...{ definition: 'library', libraryTemplate: byId('delivery_1') },
		libraryInputs:
			'={{ { library_template_button_inputs: [{ type: "URL", url: { base_url: "https://a.example/{{1}}", url_suffix_example: "https://a.example/1042" } }] } }}',
	};
	test.each<[string, object, object]>([
		['Create', { ...NEW, ...json }, asSent],
		['Update', { ...CHANGE, ...json }, asSent],
		['From Library', { ...NEW, ...fromLibrary }, { library_template_button_inputs: buttons }],
	])('%s', async (_what, parameters, body) => {
		const known = { id: '1', name: 'as_list', language: 'es', category: 'UTILITY' };
		const { sent } = await run(parameters, answer({ ...known, success: true, data: [known] }));
		expect(sent.at(-1)?.[2]).toMatchObject(body);
	});
});

test('changed, approved, sent, synced, deleted: its name is then taken', async () => {
	const { id } = await perform(await perTemplate('create', ORDER));
	await approve(id);
	const update = await perTemplate('update', {
		templateId: byId(String(id)),
		definition: 'fields',
		body: 'Hello {{1}}, it is on its way.',
		variableExamples: { values: [{ name: '1', example: 'Ana' }] },
	});
	expect(await perform(update)).toEqual({ updated: true, id });
	expect(await listed('order_shipped')).toMatchObject({ status: 'PENDING', category: 'UTILITY' });
	await approve(id);
	await expect(perform(update)).rejects.toThrow(/once in 24 hours/);
	const sent = await perform({
		...{ resource: 'message', operation: 'sendTemplate', channelId: byId(DEMO_CHANNEL_ID) },
		...{ recipient: '5500000000101', languageCode: 'en_US', bodyParameters: ['Ana'] },
		template: { __rl: true, mode: 'name', value: 'order_shipped' },
	});
	expect(sent.text).toBe('Hello Ana, it is on its way.');
	expect(await perform(await perTemplate('sync', {}))).toEqual({
		synced: true,
		syncedCount: expect.any(Number),
		businessId: await business(),
	});
	const removed = await perform(await perTemplate('delete', { templateId: byId(String(id)) }));
	expect(removed).toEqual({ deleted: true, id });
	await expect(perform(await perTemplate('create', ORDER))).rejects.toThrow(/still taken.*2388023/);
});

describe('a creation that fails, with Retry On Fail', () => {
	const retrying = {
		settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		items: [{ name: 'first' }, { name: 'second' }],
	};
	const creating = () => perTemplate('create', { ...ORDER, name: '={{ $json.name }}' });
	const fault = async (more: object) =>
		await sandbox.control('/faults', {
			body: { on: 'route', operation: 'createTemplate', ...more },
		});
	const creations = async () => {
		const { requests } = await sandbox.control<{ requests: object[] }>(
			'/requests?method=POST&path=/chatapp',
		);
		return requests.length;
	};
	beforeEach(() => sandbox.control('/requests', { method: 'DELETE' }));

	test('is not repeated if the response is lost, and says where to look', async () => {
		await fault({ kind: 'dropAfter', times: 1 });
		await expect(performAll(await creating(), retrying)).rejects.toThrow(
			/unknown.*Look with Template → Get Many whether it is there, before you create it again/s,
		);
		expect(await creations()).toBe(1);
		expect(await listed('first')).toBeDefined();
	});

	test('is repeated after a refusal, without what was created', async () => {
		await fault({ kind: 'status', status: 422, every: 2, times: 1 });
		const items = await performAll(await creating(), retrying);
		expect(items).toMatchObject([{ name: 'first' }, { name: 'second' }]);
		expect(items[0]!.id).toBe((await listed('first'))?.id);
		expect(await creations()).toBe(3);
	});
});
