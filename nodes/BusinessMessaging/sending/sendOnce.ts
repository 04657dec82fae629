import { asError, mayBeDone, ServiceError } from '../service/errors';
import type { Claim, OnceKey } from './onceKeys';

/** The keys of the node that sends: see `OnceKeys`. */
export interface BoundKeys {
	claim(once: OnceKey): Promise<Claim>;
	confirm(once: OnceKey): Promise<void>;
	free(once: OnceKey): Promise<void>;
	leaveInDoubt(once: OnceKey): void;
}

/**
 * Sends under a key, and only what was not sent under it before.
 *
 * @param name what is sent, to follow "the ": "text"
 * @param send undefined: it certainly was not sent
 * @returns what `send` gave, or 'alreadySent'
 * @throws ServiceError with the reason `unknown_outcome` or `key_reused`, and what `send` threw
 */
export async function sendOnce<Result>(
	name: string,
	once: OnceKey,
	keys: BoundKeys,
	send: () => Promise<Result | undefined>,
): Promise<Result | 'alreadySent' | undefined> {
	const claim = await keys.claim(once);
	if (claim === 'sent') return 'alreadySent';
	if (claim === 'doubt')
		throw unknownOutcome(name, 'an execution began to send it, and nobody saw the end');
	if (claim === 'reused') throw keyReused(name);
	let result: Result | undefined;
	try {
		result = await send();
	} catch (error) {
		await (mayBeDone(error) ? keys.leaveInDoubt(once) : keys.free(once));
		throw asError(error);
	}
	await (result === undefined ? keys.free(once) : keys.confirm(once));
	return result;
}

export function unknownOutcome(name: string, cause: string): ServiceError {
	const were = name === 'buttons' ? 'were' : 'was';
	return new ServiceError(`tell whether the ${name} ${were} sent`, {
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
