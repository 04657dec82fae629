import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { failedItem, markFailedItems } from '../../../nodes/BusinessMessaging/shared/items.ts';

const contextOf = (onError: INode['onError']) =>
	({ getNode: () => ({ onError }) }) as unknown as IExecuteFunctions;
const items = (): INodeExecutionData[] => [{ json: { id: 'A' } }, failedItem(new Error('No'), 1)];

test('a failed item has the keys by which n8n 2 knows it, and a reason', () => {
	expect(failedItem(new Error('No'), 3)).toEqual({
		json: { error: 'No', message: 'No', details: { reason: 'invalid_input' } },
		pairedItem: { item: 3 },
	});
	expect(failedItem('No', 0).json).toMatchObject({ error: 'No', message: 'No' });
});

test('for the error output, failed items have the error by which n8n 1 knows them, which is lost with a copy', () => {
	const [done, failed] = markFailedItems(contextOf('continueErrorOutput'), items());
	expect(done).not.toHaveProperty('error');
	expect(failed?.error).toEqual({ message: 'No' });
	expect({ ...failed }).toStrictEqual(items()[1]);
});

test.each(['continueRegularOutput', 'stopWorkflow', undefined] as const)(
	'without an error output they have none: %s',
	(onError) => {
		for (const item of markFailedItems(contextOf(onError), items()))
			expect(item).not.toHaveProperty('error');
	},
);
