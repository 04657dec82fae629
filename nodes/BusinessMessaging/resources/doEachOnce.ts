import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { sentRecordOf } from '../sending/sentRecord';
import { asError, mayBeDone, ServiceError } from '../service/errors';
import { forEachItem, shown } from '../shared/node/items';

/**
 * Makes a change once in an execution, over all tries.
 * @param entry the first item with this change
 * @param target what is changed: another one at the same entry is made
 * @param change gives what to remember of it. n8n saves it with the execution, so no secret
 */
type Once = (entry: number, target: string, change: () => Promise<string>) => Promise<string>;

/** A change that must not be repeated, and how to look whether it was made. */
export interface Change {
	/** As errors say it: "channel was subscribed". */
	done: string;
	look: string;
	/** Fields of its items that hide nothing. */
	asGiven?: readonly string[];
}

/**
 * Handles the items one after the other, with changes that must not be repeated: a retry of the
 * node leaves out what was made, and does not try again what may have been made.
 */
export async function doEachOnce(
	context: IExecuteFunctions,
	{ done, look, asGiven }: Change,
	handle: (item: number, once: Once) => Promise<IDataObject>,
): Promise<INodeExecutionData[]> {
	const record = sentRecordOf(context);
	const once: Once = async (entry, target, change) => {
		const known = record.acceptedId(entry, target);
		if (known !== undefined) return known;
		if (record.isUnknown(entry, target)) throw inDoubt(done, look);
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
	const onFailure = () => {
		hasFailed = true;
		record.fail();
	};
	const output = await forEachItem(
		context,
		async (item) => {
			if (context.getExecutionCancelSignal()?.aborted)
				throw new Error(`The execution was cancelled before this ${done}.`);
			return shown(context, [await handle(item, once)], asGiven).map((json) => ({ json }));
		},
		onFailure,
	);
	if (!hasFailed) record.clear();
	return output;
}

/** The error of what an earlier try of the execution may have made. */
const inDoubt = (done: string, look: string): ServiceError =>
	new ServiceError(`tell whether the ${done}`, {
		reason: 'unknown_outcome',
		effect: 'unknown',
		cause: 'the result of an earlier try is unknown',
		hint: `The node does not try it again. ${look}`,
	});
