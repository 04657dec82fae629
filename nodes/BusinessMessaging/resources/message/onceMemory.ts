import { createHash } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { KeyMemory } from '../../sending/onceKeys';
import { entriesFor, onceKeysOf } from '../../sending/onceKeys';
import type { BoundKeys } from '../../sending/sendOnce';
import { idKey } from '../../service/contract';
import { asError } from '../../service/errors';
import { asPlainObject } from '../../shared/plainObject';
import type { Content } from '../../service/messages';

/** The key under which an item is sent once, ever. Undefined while the option is not there, or empty. */
export function readOnceKey(context: IExecuteFunctions, itemIndex: number): string | undefined {
	if (asPlainObject(context.getNode().parameters.options).sendOnceKey === undefined)
		return undefined;
	const key: unknown = context.getNodeParameter('options.sendOnceKey', itemIndex, '');
	if (typeof key === 'string' || typeof key === 'number') return String(key).trim() || undefined;
	throw new Error('"Send Once Key" is not a text. Enter a text, or map one from the input.');
}

/** The keys of the node that runs, in n8n's own memory: a row of its database for the workflow and the node. @param most keys to remember */
export function onceKeysIn(context: IExecuteFunctions, most: number): BoundKeys {
	const { id } = context.getWorkflow();
	const node = JSON.stringify([id, context.getNode().id]);
	const memory = memoryOf(context, most);
	// What became of the message is known, and is what counts: a key whose end cannot be written stays in doubt.
	const orStayInDoubt = async (written: Promise<void>) =>
		await written.catch((error: unknown) =>
			context.logger.warn(
				`n8n could not write how the sending under a Send Once Key ended: ${asError(error).message}. A later run reports the key as in doubt`,
				{ workflowId: id, node: context.getNode().name },
			),
		);
	// Looked up each time: between two keys the node may have been forgotten, and two that hold keys for one node would overwrite each other.
	return {
		claim: async (once) => {
			try {
				return await onceKeysOf(node).claim(once, memory);
			} catch (error) {
				throw cannotRemember(asError(error));
			}
		},
		confirm: async (once) => await orStayInDoubt(onceKeysOf(node).confirm(once, memory)),
		free: async (once) => await orStayInDoubt(onceKeysOf(node).free(once, memory)),
		leaveInDoubt: (once) => onceKeysOf(node).leaveInDoubt(once),
	};
}

function memoryOf({ helpers }: IExecuteFunctions, most: number): KeyMemory {
	const options = { mode: 'entries' as const, maxEntries: entriesFor(most) };
	return {
		record: async (values) => {
			const { processed } = await helpers.checkProcessedAndRecord(values, 'node', options);
			return new Set(processed.map(String));
		},
		remove: async (values) => await helpers.removeProcessed(values, 'node', options),
	};
}

/** Of a key that was not taken: only then is it certain that nothing was sent. */
const cannotRemember = ({ message }: Error): Error =>
	new Error(
		`n8n cannot remember the Send Once Key, so nothing was sent: ${message}. Save the workflow before you run it, or remove the option "Send Once Key".`,
	);

/** Tells what is sent to whom from everything else. The secret key is not in it: with another one, the key is still used. */
export function fingerprintOf(
	channelId: string,
	recipient: string,
	content: Content | readonly Content[],
	file?: { bytes: number; mimeType: string },
): string {
	const about = file ? [file.bytes, file.mimeType] : [];
	return createHash('sha256')
		.update(JSON.stringify([idKey(channelId), recipient, content, ...about]))
		.digest('base64url');
}
