import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { failedItem } from '#nodes/shared/node/items.ts';
import { markFailedItems } from '#nodes/workarounds/failedItems.ts';

const contextOf = (onError: INode['onError']) =>
	({ getNode: () => ({ onError }) }) as unknown as IExecuteFunctions;
const items = (): INodeExecutionData[] => [{ json: { id: 'A' } }, failedItem(new Error('No'), 1)];

test('gives a failed item the keys that n8n 2 recognises, and a reason', () => {
	expect(failedItem(new Error('No'), 3)).toEqual({
		json: { error: 'No', message: 'No', details: { reason: 'invalid_input' } },
		pairedItem: { item: 3 },
	});
	expect(failedItem('No', 0).json).toMatchObject({ error: 'No', message: 'No' });
});

test('gives failed items the error that n8n 1 recognises, which a copy loses', () => {
	const [done, failed] = markFailedItems(contextOf('continueErrorOutput'), items());
	expect(done).not.toHaveProperty('error');
	expect(failed?.error).toEqual({ message: 'No' });
	expect({ ...failed }).toStrictEqual(items()[1]);
});

test.each(['continueRegularOutput', 'stopWorkflow', undefined] as const)(
	'gives failed items neither without an error output: %s',
	(onError) => {
		for (const item of markFailedItems(contextOf(onError), items()))
			expect(item).not.toHaveProperty('error');
	},
);
