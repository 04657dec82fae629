import type { IHookFunctions } from 'n8n-workflow';

import { describeNode, nodeMark } from '#nodes/shared/node/nodeMark.ts';

const contextOf = (workflow: { id?: string; name?: string }, instanceId = 'instance') =>
	({
		getWorkflow: () => workflow,
		getNode: () => ({ id: 'node-1', name: 'Trigger' }),
		getInstanceId: () => instanceId,
	}) as unknown as IHookFunctions;

test('names instance, workflow and node in a mark, if known', () => {
	expect(nodeMark(contextOf({ id: 'workflow-1' }))).toEqual({
		instanceId: 'instance',
		workflowId: 'workflow-1',
		nodeId: 'node-1',
	});
	expect(nodeMark(contextOf({}, ''))).toEqual({ nodeId: 'node-1' });
});

test('names workflow, node and purpose in 200 characters', () => {
	expect(describeNode(contextOf({ name: 'Orders' }), ': waits')).toBe(
		'n8n workflow "Orders", node "Trigger": waits',
	);
	expect(describeNode(contextOf({}))).toBe('n8n workflow "", node "Trigger"');
	const long = describeNode(contextOf({ name: 'x'.repeat(300) }));
	expect(long).toBe(`n8n workflow "${'x'.repeat(186)}`);
	expect(long).toHaveLength(200);
	// A character of two units that does not fit is left out.
	const name = `${'x'.repeat(185)}👋`;
	expect(describeNode(contextOf({ name }))).toBe(`n8n workflow "${'x'.repeat(185)}`);
});
