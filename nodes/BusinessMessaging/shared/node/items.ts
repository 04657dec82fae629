import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { createServiceClient, CREDENTIAL_TYPE, type ServiceClient } from '../../service/client';
import { asError, orBusy, ServiceError, toNodeError } from '../../service/errors';
import { ITEM_DEPTH_MAX, withoutSecrets } from '../../service/secrets';
import { namingExpressions } from '../../workarounds/failedExpression';
import { asFailed } from '../../workarounds/failedItems';
import { type Clock, withHostClock } from '../tools/clock';
import { addHint, addHintOnce } from './hints';
import { type ItemOperation, type Operation, requireNoTool } from './operation';
import { LIST_WAIT, patientClient } from '../tools/patientClient';

/** Runs an operation for all input items. An error before the first request fails every item. */
export async function run(
	n8nContext: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const context = namingExpressions(n8nContext, operation.fields);
	try {
		requireNoTool(operation, context.getNode());
		const tell = (words: string) => addHintOnce(context, words);
		const client = await createServiceClient(context, await credentialOfAll(context), tell);
		if ('executeAll' in operation) return await operation.executeAll(context, client);
		const handle = async (index: number) => await outputOf(context, client, operation, index);
		return await forEachItem(context, handle);
	} catch (error) {
		// If this threw with "Continue (using error output)", n8n would treat the items as successful.
		if (!context.continueOnFail()) throw toNodeError(context.getNode(), error);
		return context.getInputData().map((_item, itemIndex) => failedItem(error, itemIndex));
	}
}

const CREDENTIAL_FIELDS = {
	baseUrl: 'Base URL',
	secretKey: 'Secret Key',
	templatesPath: 'Templates Path',
	webhookSecret: 'Webhook Secret',
	webhookToken: 'Webhook Token',
};

/** Items between two whose credentials are compared, because each reading costs n8n time. */
const COMPARED = 100;

/** All items share the first one's credential. @throws Error if an expression in it gives others */
async function credentialOfAll(context: IExecuteFunctions) {
	const read = async (item: number) =>
		await context.getCredentials(CREDENTIAL_TYPE, item).catch((error: unknown) => {
			throw orBusy(asError(error), 'read the credential');
		});
	const first = await read(0);
	const last = context.getInputData().length - 1;
	for (let item = COMPARED; item < last + COMPARED; item += COMPARED) {
		const compared = Math.min(item, last);
		const other = await read(compared);
		for (const [name, label] of Object.entries(CREDENTIAL_FIELDS))
			if (other[name] !== first[name])
				throw new Error(
					`"${label}" of the credential is an expression that gives item ${compared} another value than item 0. Nothing was sent, because all items share one credential. Put n8n's node "Loop Over Items" in front of this node, or choose a credential for each account.`,
				);
	}
	return first;
}

/** Handles one item after the other, and links each output to its input. */
export async function forEachItem(
	context: IExecuteFunctions,
	handle: (itemIndex: number) => Promise<INodeExecutionData[]>,
	onFailure?: () => void,
): Promise<INodeExecutionData[]> {
	const output: INodeExecutionData[] = [];
	for (const itemIndex of context.getInputData().keys())
		try {
			for (const item of await handle(itemIndex))
				output.push({ ...item, pairedItem: { item: itemIndex } });
		} catch (error) {
			onFailure?.();
			if (!context.continueOnFail()) throw toNodeError(context.getNode(), error, itemIndex);
			output.push(failedItem(error, itemIndex));
		}
	return output;
}

async function outputOf(
	context: IExecuteFunctions,
	client: ServiceClient,
	operation: ItemOperation,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const timeZone = () => context.getTimezone();
	const execute = async (caller: ServiceClient) =>
		await operation.executeItem(context, caller, itemIndex);
	const list = async (clock: Clock) =>
		await execute(patientClient(client, { most: LIST_WAIT, clock, timeZone }));
	const results =
		operation.value === 'getAll'
			? await withHostClock(context.getExecutionCancelSignal(), list)
			: await execute(client);
	return shown(context, [results].flat(), operation.asGiven).map((json) => ({ json }));
}

/** The only way for the service's words to items. @param asGiven fields that hide nothing */
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

/** A failed item under "Continue". @param about fields of it, such as its recipient */
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
