/** What stands below the nodes on the canvas: an expression that the editor evaluates. */
import './harness/environment.mts';

import type { INodeParameters, INodeType } from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';

import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node.ts';
import { BusinessMessagingTrigger } from '../../nodes/BusinessMessaging/BusinessMessagingTrigger.node.ts';

function subtitleOf(nodeType: INodeType, parameters: INodeParameters): unknown {
	const node = {
		id: '1',
		name: 'Node',
		type: 'a.node',
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters,
	};
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => nodeType,
			getByNameAndVersion: () => nodeType,
			getKnownTypes: () => ({}),
		},
	});
	const { subtitle } = nodeType.description;
	return workflow.expression.getSimpleParameterValue(
		workflow.nodes.Node!,
		subtitle,
		'internal',
		{},
	);
}

test.each([
	['message', 'sendText', 'Send Text'],
	['message', 'sendAndWait', 'Send and Wait for Response'],
	['webhook', 'getAll', 'Get many webhooks'],
	['templateWebhook', 'create', 'Create template webhook'],
	['channel', 'connect', 'Connect channel'],
	['message', 'unknown', 'message:unknown'],
])('of %s and %s: %s', (resource, operation, words) => {
	expect(subtitleOf(new BusinessMessaging(), { resource, operation })).toBe(words);
});

test.each<[INodeParameters, string]>([
	[{}, 'Message received'],
	[{ channelEvents: ['BLOCK', 'RECEIVED_AND_DELIVERY'] }, 'Customer blocked, Any message'],
	[{ channelEvents: ['NEW_CODE'] }, 'NEW_CODE'],
	[{ source: 'template' }, 'Template category changed, Template status changed'],
])('of a trigger with %j: %s', (parameters, words) => {
	expect(subtitleOf(new BusinessMessagingTrigger(), parameters)).toBe(words);
});
