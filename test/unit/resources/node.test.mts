import type { IExecuteFunctions, INodePropertyOptions } from 'n8n-workflow';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node.ts';
import { CHANNEL, contextWith } from './actionNode.mts';

const valuesOf = (options: unknown) =>
	(options as INodePropertyOptions[]).map(({ value }) => value);

/** Each test makes its own, so that the mutation tester knows which test reads what. */
let node: BusinessMessaging;
beforeEach(() => {
	node = new BusinessMessaging();
});

test('takes items and gives items, and an agent may use it', () => {
	expect(node.description).toMatchObject({
		displayName: 'Business Messaging',
		name: 'businessMessaging',
		group: ['output'],
		version: 2,
		defaults: { name: 'Business Messaging' },
		inputs: ['main'],
		outputs: ['main'],
		usableAsTool: true,
		credentials: [{ name: 'businessMessagingApi', required: true }],
	});
});

test('says what it does to people who search for it, and to models', () => {
	const { description, builderHint } = node.description;
	for (const text of [description, builderHint?.searchHint]) expect(text).toMatch(/^\w+ .+ .+/);
});

test("hides a webhook's signing secret from users who may not see it", () => {
	expect(node.description.sensitiveOutputFields).toEqual(['secret']);
});

test('gives n8n the lists of its fields, and models its trigger', () => {
	expect(Object.keys(node.methods.listSearch).sort()).toEqual([
		'searchBusinesses',
		'searchChannelTypes',
		'searchChannels',
		'searchTemplateWebhooks',
		'searchTemplates',
		'searchWebhooks',
	]);
	expect(node.description.builderHint?.relatedNodes).toEqual([
		{
			nodeType: 'n8n-nodes-business-messaging.businessMessagingTrigger',
			relationHint: expect.stringMatching(/^\w+ .+/) as string,
		},
	]);
});

test('each resource in its list has a name, words of its own and operations, and the reverse', () => {
	const [resource, ...fields] = node.description.properties;
	expect(resource).toMatchObject({
		displayName: 'Resource',
		type: 'options',
		noDataExpression: true,
		default: 'message',
	});
	const lists = fields.filter(({ name }) => name === 'operation');
	expect(valuesOf(resource?.options)).toEqual([
		...new Set(lists.map(({ displayOptions }) => displayOptions?.show?.resource?.[0])),
	]);
	for (const { name, description } of resource?.options as INodePropertyOptions[]) {
		expect(name).toMatch(/^[A-Z]/);
		expect(description).toMatch(/^\w+ .+/);
	}
	for (const { options, default: initial } of lists) expect(valuesOf(options)).toContain(initial);
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
