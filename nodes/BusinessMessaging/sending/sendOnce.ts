import { asError, mayBeDone, ServiceError } from '../service/errors';
import type { Claim, OnceKey } from './onceKeys';

/** The keys of the node that sends: see `OnceKeys`. */
export interface BoundKeys {
	claim(once: OnceKey): Promise<Claim>;
	confirm(once: OnceKey): Promise<void>;
	free(once: OnceKey): Promise<void>;
	leaveInDoubt(once: OnceKey): void;
}

/** What is to be sent once. */
export interface Once {
	/** What it is, to follow "the ": "text". */
	name: string;
	/** Left out: sent without a key. */
	once?: OnceKey;
}

/**
 * Sends under a key, and only what was not sent under it before.
 *
 * @param send undefined: it certainly was not sent
 * @returns what `send` gave, or 'alreadySent'
 * @throws ServiceError with the reason `unknown_outcome` or `key_reused`, and what `send` threw
 */
export async function sendOnce<Result>(
	{ name, once }: Once,
	keys: BoundKeys,
	send: () => Promise<Result | undefined>,
): Promise<Result | 'alreadySent' | undefined> {
	const claim = once ? await keys.claim(once) : 'new';
	if (claim === 'sent') return 'alreadySent';
	if (claim === 'doubt')
		throw unknownOutcome(name, 'an execution began to send it, and nobody saw the end');
	if (claim === 'reused') throw keyReused(name);
	let result: Result | undefined;
	try {
		result = await send();
	} catch (error) {
		if (once) await (mayBeDone(error) ? keys.leaveInDoubt(once) : keys.free(once));
		throw asError(error);
	}
	if (once) await (result === undefined ? keys.free(once) : keys.confirm(once));
	return result;
}

export function unknownOutcome(name: string, cause: string): ServiceError {
	return new ServiceError(`tell whether the ${name} was sent`, {
		reason: 'unknown_outcome',
		effect: 'unknown',
		cause,
		hint: 'It may have been sent, so it is not sent again on its own. Look into the chat before you repeat it.',
	});
}

function keyReused(name: string): ServiceError {
	return new ServiceError(`send the ${name}`, {
		reason: 'key_reused',
		effect: 'none',
		cause: 'its Send Once Key was used before, with another channel, recipient or content',
		hint: 'Give each message a key of its own, such as the ID of the order and what the message is about. Nothing was sent.',
	});
}
