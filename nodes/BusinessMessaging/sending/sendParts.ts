import { asError, ServiceError } from '../service/errors';
import type { SendJob, SendOutcome } from './sendAll';

/** An input item that makes several messages to one recipient. */
export interface PartedItem<Job extends SendJob> {
	index: number;
	/** In order, each with its `part`. Two at least. */
	parts: readonly [Job, ...Job[]];
}

/**
 * Sends the parts of an item one after the other, and none after one that failed.
 *
 * @param send gives undefined where the part was not started, and nothing more is to be
 * @returns one outcome for the item; its error says which part failed. Undefined: not all was started
 */
export async function sendParts<Job extends SendJob>(
	{ parts }: PartedItem<Job>,
	send: (part: Job) => Promise<SendOutcome | undefined>,
): Promise<SendOutcome | undefined> {
	const messageIds: Array<string | null> = [];
	for (const part of parts) {
		const outcome = await send(part);
		if (!outcome) return undefined;
		if ('error' in outcome)
			return { error: errorOfPart(outcome.error, messageIds.length + 1, parts.length) };
		messageIds.push(outcome.messageId);
	}
	const [{ channelId, recipient }] = parts;
	const messageId = messageIds.find((id) => id !== null) ?? null;
	return messageId === null
		? { messageId, channelId, recipient, alreadySent: true }
		: { messageId, messageIds, channelId, recipient };
}

function errorOfPart(error: Error, number: number, total: number): Error {
	const which = `part ${number} of ${total}`;
	if (!(error instanceof ServiceError)) return new Error(`${asError(error).message} (${which})`);
	const { action, failure } = error;
	const before = number === 1 ? 'No other part was sent.' : 'Only the parts before it were sent.';
	return new ServiceError(`${action} (${which})`, {
		...failure,
		hint: `${failure.hint} ${before}`,
	});
}
