import type { IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import { BusinessMessagingTrigger } from '#nodes/BusinessMessagingTrigger.node.ts';
import { CHANNEL } from '../../support/constants.mts';
import { contextWith, run } from './actionNode.mts';

const valuesOf = (options: unknown) =>
	(options as INodePropertyOptions[]).map(({ value }) => value);

/** Each test makes its own, so that the mutation tester knows which test reads what. */
let node: BusinessMessaging;
beforeEach(() => {
	node = new BusinessMessaging();
});

describe('what an agent must not do', () => {
	const CHARGES = ['subscribe', 'cancelSubscription'];

	test('is not offered by a tool', () => {
		const offered = (isTool: boolean) =>
			node.description.properties
				.filter(({ name, displayOptions: { show } = {} }) => {
					const isShown = show?.['@tool']?.[0] ?? isTool;
					return name === 'operation' && show?.resource?.[0] === 'channel' && isShown === isTool;
				})
				.map(({ options }) => valuesOf(options));
		expect(offered(false)).toEqual([expect.arrayContaining(CHARGES)]);
		const [ofTools, ...more] = offered(true);
		expect(more).toEqual([]);
		expect(ofTools).toContain('getAll');
		for (const operation of CHARGES) expect(ofTools).not.toContain(operation);
	});

	test.each(CHARGES)('is refused to a tool that was saved with %s', async (operation) => {
		const { context, sent } = contextWith({
			...{ resource: 'channel', operation, channelId: CHANNEL },
		});
		const type = 'n8n-nodes-business-messaging.businessMessagingTool';
		const asTool = { ...context, getNode: () => ({ ...context.getNode(), type }) };
		await expect(node.execute.call(asTool as IExecuteFunctions)).rejects.toThrow(
			/is not for agents/,
		);
		expect(sent).toEqual([]);
	});
});

test.each([
	[1, 1, []],
	[2, 1, [1]],
	[101, 100, [100]],
	[250, 200, [100, 200, 249]],
	[1000, 999, [100, 200, 300, 400, 500, 600, 700, 800, 900, 999]],
])('of %i items, sends nothing if item %i has another key', async (count, differs, compared) => {
	const input = Array.from({ length: count }, () => ({ json: {} }));
	const read: number[] = [];
	const get = async (other: number) => {
		const secretKey = (item: number) => `key ${read.push(item) && item === other}`;
		const parameters = { resource: 'channel', operation: 'get', channelId: CHANNEL };
		const setting = { answer: () => ({ body: { id: CHANNEL, name: 'Shop' } }) };
		const { context, sent } = contextWith(parameters, { input, secretKey, ...setting });
		await node.execute.call(context).catch((error: Error) => {
			expect(error.message).toMatch(/^"Secret Key" of the credential .* gives item \d+ another/);
		});
		return sent.length;
	};
	expect(await get(-1)).toBe(count);
	expect(read).toEqual([0, ...compared]);
	if (compared.length > 0) expect(await get(differs)).toBe(0);
});

test('refuses an operation that it does not know, as from an expression, by its name', async () => {
	const parameters: Record<string, string> = { resource: 'channel', operation: 'explode' };
	const context = {
		getNodeParameter: (name: string) => parameters[name],
		getNode: () => ({ name: 'Business Messaging' }),
	} as unknown as IExecuteFunctions;
	await expect(node.execute.call(context)).rejects.toThrow(
		'The operation "explode" of "channel" is not known. Choose one from the list.',
	);
	parameters.resource = 'planet';
	await expect(node.execute.call(context)).rejects.toThrow('of "planet" is not known');
});

describe('entries that Get Many cannot read as expected', () => {
	const webhook = { id: 'W', url: 'u', status: 'ENABLED' };
	const template = { id: 't', name: 'n', language: 'en' };
	const channels = (content: unknown) => ({
		total: 1,
		totalPage: 1,
		pageSize: 9,
		page: 0,
		content,
	});

	test.each([
		['business', [{ businessId: 7, name: {} }], { businessId: '7', name: null }],
		['template', { data: [{ ...template, id: 7, status: [], category: 1 }] }, { id: '7' }],
		['channel', channels([{ id: 7, name: true, type: 1, businessId: 2 }]), { id: '7', type: '1' }],
		['webhook', [{ ...webhook, description: {}, auth: '', signing: 'no', events: 1 }], { id: 'W' }],
		['webhook', [{ ...webhook, id: 7, auth: {}, customAttributes: [] }], { id: '7', auth: {} }],
		[
			'templateWebhook',
			[{ ...webhook, auth: { type: 1 }, createdAt: 1784142000000 }],
			{ createdAt: '1784142000000' },
		],
	])('stay, %s %j', async (resource, body, shown) => {
		const ofOne = { channelId: CHANNEL, businessId: 'b', operation: 'getAll', returnAll: true };
		const { items, hints } = await run({ resource, ...ofOne }, { answer: () => ({ body }) });
		expect(items).toMatchObject([{ json: shown }]);
		expect(hints).toEqual([]);
	});

	test('are named in a hint of each run if they are left out, once for each list', async () => {
		const setting = {
			input: [{ json: {} }, { json: {} }],
			answer: () => ({ body: [{ name: 'B' }] }),
		};
		for (let times = 1; times <= 2; times += 1) {
			const { items, hints } = await run({ resource: 'business', operation: 'getAll' }, setting);
			expect(items).toEqual([]);
			expect(hints).toEqual([expect.stringContaining('"businessId" of "B" is missing')]);
		}
	});
});

/** The fields that helpers make, which n8n's linter does not see as literals. */
const allFields = (fields: readonly unknown[]): INodeProperties[] =>
	fields.flatMap((field) => {
		const { options = [], values = [] } = field as { options?: unknown[]; values?: unknown[] };
		return [field as INodeProperties, ...allFields([...options, ...values])];
	});

test('a switch says what it decides, and each field is of one type with one default', () => {
	const nodes = [node, new BusinessMessagingTrigger()];
	const fields = allFields(nodes.flatMap(({ description }) => description.properties));
	const switches = fields.filter(({ type }) => type === 'boolean');
	expect(switches.length).toBeGreaterThan(20);
	for (const { name, description, default: byDefault } of switches)
		expect([name, description, typeof byDefault]).toEqual([
			name,
			expect.stringMatching(/^Whether /),
			'boolean',
		]);
	for (const { name, type, default: byDefault } of fields.filter((field) => field.type)) {
		if (['string', 'notice', 'json'].includes(type) && !Array.isArray(byDefault))
			expect([name, typeof (byDefault ?? '')]).toEqual([name, 'string']);
		if (type === 'collection' || type === 'fixedCollection')
			expect([name, typeof byDefault]).toEqual([name, 'object']);
	}
});
