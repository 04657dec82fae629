/** Where a language model writes the text, Convert Markdown is on. */
import { type INodeParameters, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import { exampleNames, readExample } from '#scripts/n8n/provision.mts';

const { description }: { description: INodeTypeDescription } = new BusinessMessaging();
/** As n8n names the tool that it makes of the node. */
const tool = { ...description, name: `${description.name}Tool` };

const filled = (type: INodeTypeDescription, entered: INodeParameters, returnDefaults = true) =>
	NodeHelpers.getNodeParameters(
		type.properties,
		entered,
		returnDefaults,
		false,
		{ typeVersion: 2 },
		type,
	);
const optionsOf = (type: INodeTypeDescription, entered: INodeParameters = {}) =>
	filled(type, entered)?.options;

test('a new tool of an agent has it on, and a new node does not', () => {
	expect(optionsOf(tool)).toEqual({ convertMarkdown: true });
	expect(optionsOf(description)).toEqual({});
});

test('of a tool, only a text that is sent has it', () => {
	for (const operation of ['sendMedia', 'sendButtons', 'sendTemplate', 'sendContact', 'sendOther'])
		expect(optionsOf(tool, { resource: 'message', operation })).toEqual({});
});

test.each<[string, INodeParameters]>([
	['taken away', {}],
	['turned off', { convertMarkdown: false }],
	['left on beside another', { convertMarkdown: true, maxLength: 500 }],
])('what a user made of it in a tool is saved, and stays: %s', (_, options) => {
	const saved = filled(tool, { options }, false);
	expect(optionsOf(tool, saved ?? {})).toEqual(options);
});

const withModel = exampleNames()
	.map(readExample)
	.filter(({ nodes }) => nodes.some(({ type }) => type.startsWith('@n8n/n8n-nodes-langchain.')));

test.each(withModel.map((example) => [example.name, example.nodes] as const))(
	"the example %s has it on in every node that sends a model's text, and off for others' words",
	(_, nodes) => {
		const sending = nodes.filter(
			({ parameters: { operation, text } }) =>
				operation === 'sendText' && String(text).startsWith('='),
		);
		expect(sending).not.toEqual([]);
		for (const { parameters } of sending)
			expect(Boolean((parameters.options as INodeParameters).convertMarkdown)).toBe(
				String(parameters.recipient).includes('sender.identifier'),
			);
	},
);
