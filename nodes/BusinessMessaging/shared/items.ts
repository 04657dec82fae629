import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../service/client';
import { createServiceClient } from '../service/client';
import { ServiceError, toNodeError } from '../service/errors';
import type { FileOperation, ItemOperation, Operation } from './operation';

/** Runs an operation for all input items. What fails before anything was done fails every item. */
export async function run(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	try {
		const client = await createServiceClient(context);
		return 'executeAll' in operation
			? await operation.executeAll(context, client)
			: await runForEachItem(context, client, operation);
	} catch (error) {
		// Thrown under "Continue (using error output)", n8n would pass the items on as if they had succeeded.
		if (!context.continueOnFail()) throw toNodeError(context.getNode(), error);
		return context.getInputData().map((_item, itemIndex) => failedItem(error, itemIndex));
	}
}

/** Runs an operation for one input item after the other, each output linked to its input, by the node's On Error setting. */
async function runForEachItem(
	context: IExecuteFunctions,
	client: ServiceClient,
	operation: ItemOperation | FileOperation,
): Promise<INodeExecutionData[]> {
	const output: INodeExecutionData[] = [];
	for (let itemIndex = 0; itemIndex < context.getInputData().length; itemIndex++) {
		try {
			for (const item of await outputOf(context, client, operation, itemIndex))
				output.push({ ...item, pairedItem: { item: itemIndex } });
		} catch (error) {
			if (!context.continueOnFail()) throw toNodeError(context.getNode(), error, itemIndex);
			output.push(failedItem(error, itemIndex));
		}
	}
	return output;
}

async function outputOf(
	context: IExecuteFunctions,
	client: ServiceClient,
	operation: ItemOperation | FileOperation,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	if ('executeItemWithFiles' in operation)
		return [await operation.executeItemWithFiles(context, itemIndex)];
	const results = await operation.executeItem(context, client, itemIndex);
	return (Array.isArray(results) ? results : [results]).map((json) => ({ json }));
}

/**
 * The item of a failed input under "Continue"; `details.reason` is for workflows to branch on.
 * @param about what the input was about, such as a recipient
 */
export function failedItem(
	error: unknown,
	itemIndex: number,
	about: IDataObject = {},
): INodeExecutionData {
	const message = error instanceof Error ? error.message : String(error);
	const details: IDataObject =
		error instanceof ServiceError ? { ...error.details } : { reason: 'invalid_input' };
	return { json: { error: message, ...about, message, details }, pairedItem: { item: itemIndex } };
}

/**
 * Has n8n move failed items to the error output, where the node has one. n8n knows them by few keys of `json` (n8n 1: one or two; n8n 2: error, message
 * and details), or by the `error` of the item itself; were that still there after n8n has copied the item, its message would take the place of `json`,
 * so it is not to be copied.
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
