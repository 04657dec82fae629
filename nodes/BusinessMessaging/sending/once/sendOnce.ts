import { asError, mayBeDone, notDone, ServiceError } from '../../service/errors';
import type { ClaimWaits, KeyState } from './keyLocks';
import type { OnceKey } from './entries';

/** The keys of the node that sends: see `OnceKeys`. */
export interface NodeKeys {
	/** @param takesDoubt whether a key in doubt is `new` for the caller */
	claim(once: OnceKey, takesDoubt: boolean, waits?: ClaimWaits): Promise<KeyState>;
	/** @param covered keys of messages that will not be sent, because this one took their place */
	confirm(once: OnceKey, covered?: readonly OnceKey[]): Promise<void>;
	free(once: OnceKey): Promise<void>;
	leaveInDoubt(once: OnceKey): void;
}

export interface OnceSettings<Result> {
	/** Whether what may have been sent is sent again. */
	sendAgain?: boolean;
	/** Left out: it waits for the holder of its key until the execution is cancelled. */
	waits?: ClaimWaits;
	/** The keys that count as sent, too, after this result. */
	coveredBy?: (result: Result) => readonly OnceKey[];
}

/**
 * Sends under a key, unless it was sent under it before.
 *
 * @param name what is sent, to follow "the ": "text"
 * @param send returns undefined if nothing was sent for certain
 * @returns the result of `send`, or 'alreadySent'
 * @throws ServiceError with the reason `unknown_outcome` or `key_reused`, or what `send` throws
 */
export async function sendOnce<Result>(
	name: string,
	given: OnceKey,
	keys: NodeKeys,
	send: () => Promise<Result | undefined>,
	{ sendAgain = false, waits, coveredBy = () => [] }: OnceSettings<Result> = {},
): Promise<Result | 'alreadySent' | undefined> {
	let once = given;
	let claim = await keys.claim(once, sendAgain, waits);
	if (claim === 'reused' && given.formerly !== undefined) {
		once = { key: given.key, fingerprint: given.formerly };
		claim = await keys.claim(once, sendAgain, waits);
	}
	if (claim === 'stopped') return undefined;
	if (claim === 'sent') return 'alreadySent';
	if (claim === 'doubt')
		throw unknownOutcome(name, 'an execution began to send it, and nobody saw the end');
	if (claim === 'reused') throw notDone(`send the ${name}`, 'key_reused', REUSED);
	let result: Result | undefined;
	try {
		result = await send();
	} catch (error) {
		if (!mayBeDone(error, { orUnlikely: true })) {
			await keys.free(once);
			throw asError(error);
		}
		keys.leaveInDoubt(once);
		const { effect, cause } = error.failure;
		// Messages with a key fail so already, and a question's messages have none: here the key is
		// the question's. What is unlikely leaves a key in doubt, too.
		throw effect === 'unlikely' ? unknownOutcome(name, cause, sendAgain) : error;
	}
	const written = result === undefined ? keys.free(once) : keys.confirm(once, coveredBy(result));
	// What takes its place is written in the same call, or later.
	waits?.rest?.();
	await written;
	return result;
}

/** @param sendAgain whether a repeat sends it again */
export function unknownOutcome(name: string, cause: string, sendAgain = false): ServiceError {
	const were = name === 'buttons' ? 'were' : 'was';
	return new ServiceError(`tell whether the ${name} ${were} sent`, {
		reason: 'unknown_outcome',
		effect: 'unknown',
		cause,
		hint: sendAgain
			? 'It may have been sent. A retry sends it again, as "When the Outcome Is Unknown" says.'
			: 'It may have been sent, so the node does not send it again. Look into the chat before you repeat it.',
	});
}

const REUSED = {
	cause: 'its Send Once Key was used before, with another channel, recipient or content',
	hint: 'This one was not sent. Give each message a key of its own that holds the number, such as the ID of the order, the topic and the recipient: after a mistyped number is corrected, the key is then another one.',
};
