import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../service/client';
import { createServiceClient } from '../service/client';
import { asError, ServiceError, toNodeError } from '../service/errors';
import { namingExpressions } from '../workarounds/failedExpression';
import { asFailed } from '../workarounds/failedItems';
import type { FileOperation, ItemOperation, Operation } from './operation';
import { requireNoTool } from './operation';

/** Runs an operation for all input items. An error before the first request fails every item. */
export async function run(
	n8nContext: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const context = namingExpressions(n8nContext, operation.fields);
	try {
		requireNoTool(operation, context.getNode());
		const client = await createServiceClient(context);
		return 'executeAll' in operation
			? await operation.executeAll(context, client)
			: await runForEachItem(context, client, operation);
	} catch (error) {
		// If this threw with "Continue (using error output)", n8n would treat the items as successful.
		if (!context.continueOnFail()) throw toNodeError(context.getNode(), error);
		return context.getInputData().map((_item, itemIndex) => failedItem(error, itemIndex));
	}
}

/** Runs an operation for one item after the other, and links each output to its input. */
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
 * The output of a failed item with "Continue". Workflows branch on `details.reason`.
 * @param about fields of the item, such as its recipient
 */
export function failedItem(
	error: unknown,
	itemIndex: number,
	about: IDataObject = {},
): INodeExecutionData {
	const { message } = asError(error);
	const details: IDataObject =
		error instanceof ServiceError ? { ...error.details } : { reason: 'invalid_input' };
	const json = { error: message, ...about, message, details };
	return asFailed({ json, pairedItem: { item: itemIndex } });
}
