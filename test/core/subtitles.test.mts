/** The text below the nodes on the canvas, an expression that the editor evaluates. */
import './harness/environment.mts';

import { type INodeParameters, type INodeType, Workflow } from 'n8n-workflow';

import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import { BusinessMessagingTrigger } from '#nodes/BusinessMessagingTrigger.node.ts';
import { nodeTypesOf } from './harness/nodeTypes.mts';

function subtitleOf(nodeType: INodeType, parameters: INodeParameters): unknown {
	const node = { id: '1', name: 'Node', type: 'a.node', typeVersion: 2, parameters };
	const workflow = new Workflow({
		nodes: [{ ...node, position: [0, 0] }],
		...{ connections: {}, active: false, nodeTypes: nodeTypesOf(() => nodeType) },
	});
	const { subtitle } = nodeType.description;
	return workflow.expression.getSimpleParameterValue(
		workflow.nodes.Node!,
		subtitle,
		'internal',
		{},
	);
}

/** The entries of an action node's list, by value. */
const offered = (field: string, resource?: string) =>
	new BusinessMessaging().description.properties
		.filter(
			({ name, displayOptions }) =>
				name === field && (!resource || displayOptions?.show?.resource?.includes(resource)),
		)
		.flatMap(({ options }) => (options ?? []) as Array<{ name: string; value: string }>);

test('of the action node: the operation as its list names it, and its resource unless that is a message', () => {
	const said = offered('resource').flatMap(({ name, value: resource }) =>
		offered('operation', resource).map((operation) => ({
			words: resource === 'message' ? operation.name : `${operation.name}: ${name}`,
			subtitle: subtitleOf(new BusinessMessaging(), { resource, operation: operation.value }),
		})),
	);
	expect(said.length).toBeGreaterThan(20);
	expect(said.map(({ subtitle }) => subtitle)).toEqual(said.map(({ words }) => words));
	expect(said).toContainEqual({ words: 'Send Text', subtitle: 'Send Text' });
});

test.each<[INodeParameters, string]>([
	[{}, 'Message received'],
	[{ channelEvents: ['BLOCK', 'RECEIVED_AND_DELIVERY'] }, 'Customer blocked, Any message'],
	[{ channelEvents: ['NEW_CODE'] }, 'NEW_CODE'],
	[{ source: 'template' }, 'Template category changed, Template status changed'],
])('of a trigger with %j: %s', (parameters, words) => {
	expect(subtitleOf(new BusinessMessagingTrigger(), parameters)).toBe(words);
});
