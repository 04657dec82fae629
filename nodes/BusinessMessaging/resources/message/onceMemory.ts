import { createHash } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { OnceKey } from '../../sending/once/keyEntries';
import { entriesFor } from '../../sending/once/keyEntries';
import type { ClaimWaits, KeyMemory } from '../../sending/once/keys';
import { onceKeysOf } from '../../sending/once/keys';
import type { NodeKeys } from '../../sending/once/sendOnce';
import { idKey, PARAMETER_NAME_FIELD } from '../../service/contract';
import { asError, ServiceError } from '../../service/errors';
import { log } from '../../service/log';
import { readOption } from '../../shared/parameters';
import type { Content } from '../../service/contract';
import { identifierOf } from '../../service/recipient';

/** Milliseconds until a key is free that a cancelled execution holds. */
const LEASE_AFTER_CANCEL = 30_000;

/** The Send Once Key of an item. Undefined if the option is not added, or empty. */
export function readOnceKey(context: IExecuteFunctions, itemIndex: number): string | undefined {
	const key = readOption(context, 'sendOnceKey', itemIndex);
	if (key === undefined) return undefined;
	if (typeof key === 'string' || typeof key === 'number') return String(key).trim() || undefined;
	throw new Error('"Send Once Key" is not a text. Enter a text, or map one from the input.');
}

/**
 * The keys of the node that runs. n8n remembers them in a row of its database.
 * @param max keys to remember
 */
export function onceKeysIn(context: IExecuteFunctions, max: number): NodeKeys {
	const { id } = context.getWorkflow();
	const node = JSON.stringify([id, context.getNode().id]);
	const memory = memoryOf(context, max);
	// The outcome of the message counts. A key whose end cannot be written stays in doubt.
	const orStayInDoubt = async (written: Promise<void>) =>
		await written.catch((error: unknown) =>
			log(
				context,
				'warn',
				`n8n could not save the outcome of a Send Once Key: ${asError(error).message}. A later run reports the key as in doubt`,
			),
		);
	const signal = context.getExecutionCancelSignal();
	const held = new Set<OnceKey>();
	const letGo = (once: OnceKey) => {
		held.delete(once);
		if (held.size === 0) signal?.removeEventListener('abort', endLeases);
	};
	// What was cancelled ends by itself. What hangs must not hang others.
	const endLeases = () =>
		void sleep(LEASE_AFTER_CANCEL).then(() => {
			for (const once of held) onceKeysOf(node).leaveInDoubt(once);
		});
	// Looked up each time, because the node may be forgotten between two keys, and two `OnceKeys` for
	// one node would overwrite each other.
	return {
		claim: async (once, takesDoubt, waits = untilCancelled(signal)) => {
			try {
				const claim = await onceKeysOf(node).claim(once, memory, takesDoubt, waits);
				if (claim === 'new' && held.size === 0) signal?.addEventListener('abort', endLeases);
				if (claim === 'new') held.add(once);
				return claim;
			} catch (error) {
				throw error instanceof ServiceError ? error : cannotRemember(asError(error));
			}
		},
		confirm: async (once, covered) => {
			await orStayInDoubt(onceKeysOf(node).confirm(once, memory, covered));
			letGo(once);
		},
		free: async (once) => {
			await orStayInDoubt(onceKeysOf(node).free(once, memory));
			letGo(once);
		},
		leaveInDoubt: (once) => {
			onceKeysOf(node).leaveInDoubt(once);
			letGo(once);
		},
	};
}

/** How a question waits for its key. */
const untilCancelled = (signal: AbortSignal | undefined): ClaimWaits => ({
	forHolder: async (ended) => {
		let stop = () => {};
		const cancelled = new Promise<void>((resolve) => (stop = resolve));
		signal?.addEventListener('abort', stop);
		if (signal?.aborted) stop();
		await Promise.race([ended, cancelled]);
		signal?.removeEventListener('abort', stop);
		return signal?.aborted !== true;
	},
	toLeave: async () => await Promise.resolve(true),
});

function memoryOf({ helpers }: IExecuteFunctions, max: number): KeyMemory {
	const options = { mode: 'entries' as const, maxEntries: entriesFor(max) };
	return {
		record: async (values) => {
			const { processed } = await helpers.checkProcessedAndRecord(values, 'node', options);
			return new Set(processed.map(String));
		},
		remove: async (values) => await helpers.removeProcessed(values, 'node', options),
	};
}

/** The error for a key that was not taken. Only then nothing was sent for certain. */
const cannotRemember = ({ message }: Error): Error =>
	new Error(
		`n8n cannot remember the Send Once Key, so nothing was sent: ${message}. Save the workflow before you run it, or remove the option "Send Once Key".`,
	);

/**
 * Identifies channel, recipients and content, whatever the secret key of the credential is. The
 * names of a template's variables do not count: they are missing if the template cannot be read.
 * @param file what tells it from others
 */
export function fingerprintOf(
	channelId: string,
	recipients: string | readonly string[],
	content: Content | readonly Content[],
	file: readonly string[] = [],
): string {
	const identifiers = [recipients].flat().map(identifierOf).join('\n');
	return createHash('sha256')
		.update(JSON.stringify([idKey(channelId), identifiers, content, ...file], withoutNames))
		.digest('base64url');
}

const withoutNames = (field: string, value: unknown): unknown =>
	field === PARAMETER_NAME_FIELD ? undefined : value;
