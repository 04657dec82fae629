import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../service/client';
import { createServiceClient } from '../service/client';
import { asError, ServiceError, toNodeError } from '../service/errors';
import { ITEM_DEPTH_MAX, withoutSecrets } from '../service/secrets';
import { namingExpressions } from '../workarounds/failedExpression';
import { asFailed } from '../workarounds/failedItems';
import { type Clock, withHostClock } from './clock';
import { addHint } from './hints';
import type { FileOperation, ItemOperation, Operation } from './operation';
import { requireNoTool } from './operation';
import { LIST_WAIT, patientClient } from './patientClient';

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
	const { asGiven, option } = operation;
	const execute = async (caller: ServiceClient) =>
		await operation.executeItem(context, caller, itemIndex);
	const list = async (clock: Clock) =>
		await execute(
			patientClient(client, { most: LIST_WAIT, clock, timeZone: () => context.getTimezone() }),
		);
	const results =
		option.value === 'getAll'
			? await withHostClock(context.getExecutionCancelSignal(), list)
			: await execute(client);
	return shown(context, Array.isArray(results) ? results : [results], asGiven).map((json) => ({
		json,
	}));
}

/**
 * The only way for what the service says to become items.
 * @param asGiven names of fields that hide nothing
 */
export function shown(
	context: IExecuteFunctions,
	items: readonly IDataObject[],
	asGiven?: readonly string[],
): IDataObject[] {
	let isCut = false;
	const clean = items.map((item) => withoutSecrets(item, asGiven, () => (isCut = true)));
	if (isCut)
		addHint(
			context,
			`The service's answer was nested more than ${ITEM_DEPTH_MAX} levels deep, which n8n could not read again. What is deeper was left out.`,
		);
	return clean;
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
