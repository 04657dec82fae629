import type { IExecuteFunctions, INodePropertyOptions } from 'n8n-workflow';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node.ts';

const valuesOf = (options: unknown) =>
	(options as INodePropertyOptions[]).map(({ value }) => value);

/** Made anew by every test: only so does the mutation tester know which test reads what. */
let node: BusinessMessaging;
beforeEach(() => {
	node = new BusinessMessaging();
});

test('it takes items and gives items, and an agent may use it', () => {
	expect(node.description).toMatchObject({
		displayName: 'Business Messaging',
		name: 'businessMessaging',
		group: ['output'],
		version: [1, 1.1],
		defaults: { name: 'Business Messaging' },
		inputs: ['main'],
		outputs: ['main'],
		usableAsTool: true,
		credentials: [{ name: 'businessMessagingApi', required: true }],
	});
});

test('whoever looks for it is told in words what it does, a model among them', () => {
	const { description, builderHint } = node.description;
	for (const text of [description, builderHint?.searchHint]) expect(text).toMatch(/^\w+ .+ .+/);
});

test('n8n hides the signing secret of a webhook from those who may not see it', () => {
	expect(node.description.sensitiveOutputFields).toEqual(['secret']);
});

test('n8n finds the lists of its fields, and models find the node that it answers to', () => {
	expect(Object.keys(node.methods.listSearch).sort()).toEqual([
		'searchChannels',
		'searchTemplateWebhooks',
		'searchWebhooks',
	]);
	expect(node.description.builderHint?.relatedNodes).toEqual([
		{
			nodeType: 'n8n-nodes-business-messaging.businessMessagingTrigger',
			relationHint: expect.stringMatching(/^\w+ .+/) as string,
		},
	]);
});

test('each resource of its list has a name, words of its own and a list of operations, and the other way round', () => {
	const [resource, ...fields] = node.description.properties;
	expect(resource).toMatchObject({
		displayName: 'Resource',
		type: 'options',
		noDataExpression: true,
		default: 'message',
	});
	const lists = fields.filter(({ name }) => name === 'operation');
	expect(valuesOf(resource?.options)).toEqual(
		lists.map(({ displayOptions }) => displayOptions?.show?.resource?.[0]),
	);
	for (const { name, description } of resource?.options as INodePropertyOptions[]) {
		expect(name).toMatch(/^[A-Z]/);
		expect(description).toMatch(/^\w+ .+/);
	}
	for (const { options, default: initial } of lists) expect(valuesOf(options)).toContain(initial);
});

test('an operation that it does not know, as an expression can give it, is refused by its name', async () => {
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
