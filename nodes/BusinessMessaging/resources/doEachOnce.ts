import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { sentRecordOf } from '../sending/sentRecord';
import { asError, mayBeDone } from '../service/errors';
import { forEachItem, shown } from '../shared/node/items';

/**
 * Makes a change once in an execution, over all tries.
 * @param entry the first item with this change
 * @param target what is changed: another one at the same entry is made
 * @param inDoubt the error if an earlier try does not know whether it was made
 * @param change gives what to remember of it
 */
export type Once = (
	entry: number,
	target: string,
	inDoubt: () => Error,
	change: () => Promise<string>,
) => Promise<string>;

/**
 * Handles the items one after the other, with changes that must not be repeated: a retry of the
 * node leaves out what was made, and does not try again what may have been made.
 * @param what would have been done, as errors say it: "this channel was subscribed"
 */
export async function doEachOnce(
	context: IExecuteFunctions,
	what: string,
	handle: (item: number, once: Once) => Promise<IDataObject>,
): Promise<INodeExecutionData[]> {
	const record = sentRecordOf(context);
	const once: Once = async (entry, target, inDoubt, change) => {
		const known = record.acceptedId(entry, target);
		if (known !== undefined) return known;
		if (record.isUnknown(entry, target)) throw inDoubt();
		try {
			const made = await change();
			record.recordAccepted(entry, target, made);
			return made;
		} catch (error) {
			if (mayBeDone(error)) record.recordUnknown(entry, target);
			throw asError(error);
		}
	};
	let hasFailed = false;
	const output = await forEachItem(
		context,
		async (item) => {
			if (context.getExecutionCancelSignal()?.aborted)
				throw new Error(`The execution was cancelled before ${what}.`);
			return shown(context, [await handle(item, once)]).map((json) => ({ json }));
		},
		() => (hasFailed = true),
	);
	if (!hasFailed) record.clear();
	return output;
}
