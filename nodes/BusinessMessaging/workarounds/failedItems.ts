import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/** Items of failures. Others can have a field `error` of their own, which they only pass on. */
const failed = new WeakSet<INodeExecutionData>();

/** Remembers that an item tells of a failure. It counts for this object, not for copies. */
export function asFailed(item: INodeExecutionData): INodeExecutionData {
	failed.add(item);
	return item;
}

/**
 * Makes n8n move failed items to the error output, if the node has one. n8n recognises them by the
 * keys of `json`, which must be few (n8n 1: one or two; n8n 2: error, message and details), or by
 * `error` of the item. Only the item itself has it: if the next node got a copy with it, n8n would
 * show that error's message in place of the item's fields.
 *
 * Can go once nodes can choose the output of a failed item.
 */
export function markFailedItems(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
): INodeExecutionData[] {
	if (context.getNode().onError !== 'continueErrorOutput') return items;
	for (const item of items) {
		if (failed.has(item))
			Object.defineProperty(item, 'error', {
				value: { message: item.json.error },
				enumerable: false,
			});
	}
	return items;
}
