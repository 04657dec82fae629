import { hash } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { untilCancelled } from '../../../sending/once/keyLocks';
import { entriesFor, type OnceKey } from '../../../sending/once/entries';
import { type KeyMemory, onceKeysOf } from '../../../sending/once/keys';
import type { NodeKeys } from '../../../sending/once/sendOnce';
import { type Content, idKey, PARAMETER_NAME_FIELD } from '../../../service/contract';
import { cutText } from '../../../service/cutText';
import { asError, orBusy, ServiceError } from '../../../service/errors';
import { warnOf } from '../../../service/log';
import { steadyClock } from '../../../shared/tools/clock';
import { addHintOnce } from '../../../shared/node/hints';
import { requireAllDigits } from '../../../shared/texts/numbers';
import { readOption, textOf } from '../../../shared/node/parameters';
import { identifierOf } from '../../../service/recipient';

/** Milliseconds until a key is free that a cancelled execution holds. */
const HELD_AFTER_CANCEL = 30_000;

/** A Date of JavaScript as text: `Tue Jul 14 2026 21:00:00 GMT+0200`. */
const DATE_AS_TEXT = /[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4,6} \d\d:\d\d:\d\d GMT[+-]\d{4}/;

/** Undefined: not added, or empty. @throws Error if another execution would have another key */
export function readOnceKey(context: IExecuteFunctions, itemIndex: number): string | undefined {
	const key = readOption(context, 'sendOnceKey', itemIndex);
	if (key === undefined) return undefined;
	if (typeof key !== 'string' && !Number.isFinite(key))
		throw new Error('"Send Once Key" is not a text. Enter a text, or map one from the input.');
	requireAllDigits(key, '"Send Once Key"');
	const text = textOf(key).trim();
	hintAt(context, itemIndex, text);
	if (!DATE_AS_TEXT.test(text)) return text || undefined;
	throw new Error(
		'"Send Once Key" has a date whose text changes with the time zone of n8n. Write it as {{ new Date($json.x).toISOString() }}, with your field for x. Under the new key, what was sent before counts as new.',
	);
}

/** Part of a key came out empty: `42:`, `-shipped`, `42//`, `42 undefined`. */
const LACKS_A_PART = /^[-_:/|]|[-_:/|]$|[-_:/|]{2}|(?<![a-z])(?:undefined|null)(?![a-z])/;

/** Says once that an expression in a key seems to have found nothing: items can share that key. */
function hintAt(context: IExecuteFunctions, itemIndex: number, key: string): void {
	if (!LACKS_A_PART.test(key)) return;
	addHintOnce(
		context,
		`A part of the Send Once Key of item ${itemIndex} may be missing: "${cutText(key, 64)}". Items with the same key are sent once.`,
		'key',
	);
}

/** The node's keys, which n8n remembers in a row of its database. @param max how many */
export function onceKeysIn(context: IExecuteFunctions, max: number): NodeKeys {
	const { id } = context.getWorkflow();
	const node = JSON.stringify([id, context.getNode().id]);
	const memory = memoryOf(context, max);
	// The outcome of the message counts. A key whose end cannot be written stays in doubt.
	const warn = warnOf(
		context,
		'n8n could not save the outcome of a Send Once Key',
		'A later run reports the key as in doubt',
	);
	const orStayInDoubt = async (written: Promise<void>) => await written.catch(warn);
	const signal = context.getExecutionCancelSignal();
	const held = new Set<OnceKey>();
	const letGo = (once: OnceKey) => {
		held.delete(once);
		if (held.size === 0) signal?.removeEventListener('abort', endHolding);
	};
	// What was cancelled ends by itself. What hangs must not hang others.
	const endHolding = () =>
		void steadyClock
			.sleep(HELD_AFTER_CANCEL, () => held.size > 0)
			.then(() => held.forEach((once) => onceKeysOf(node).leaveInDoubt(once)));
	// Looked up each time, because the node may be forgotten between two keys, and two `OnceKeys` for
	// one node would overwrite each other.
	return {
		claim: async (once, takesDoubt, waits = untilCancelled(signal)) => {
			try {
				const claim = await onceKeysOf(node).claim(once, memory, takesDoubt, waits);
				if (claim === 'new' && held.size === 0) signal?.addEventListener('abort', endHolding);
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

/** For a key that was not taken. Only then nothing was sent for certain. */
function cannotRemember(error: Error): Error {
	const own = orBusy(error, 'send under the Send Once Key');
	if (own !== error) return own;
	return new Error(
		`n8n cannot remember the Send Once Key, so nothing was sent: ${error.message}. Save the workflow before you run it, or remove the option "Send Once Key".`,
	);
}

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
	const whole = JSON.stringify([idKey(channelId), identifiers, content, ...file], withoutNames);
	return hash('sha256', whole, 'base64url');
}

const withoutNames = (field: string, value: unknown): unknown =>
	field === PARAMETER_NAME_FIELD ? undefined : value;
