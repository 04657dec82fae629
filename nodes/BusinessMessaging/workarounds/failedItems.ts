import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/**
 * Makes n8n move failed items to the error output, if the node has one. n8n recognises them by the
 * keys of `json`, which must be few (n8n 1: one or two; n8n 2: error, message and details), or by
 * `error` of the item. That must not be copied: in a copied item its message replaces `json`.
 *
 * Can go once nodes can choose the output of a failed item.
 */
export function markFailedItems(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
): INodeExecutionData[] {
	if (context.getNode().onError !== 'continueErrorOutput') return items;
	for (const item of items) {
		if (item.json.error !== undefined)
			Object.defineProperty(item, 'error', {
				value: { message: item.json.error },
				enumerable: false,
			});
	}
	return items;
}
