import type { IExecuteFunctions } from 'n8n-workflow';

import { limiterOf } from '../../sending/rateLimiter';
import type { InvalidItem, SendJob, SendOutcome, SendSettings } from '../../sending/sendAll';
import { sendAll } from '../../sending/sendAll';
import type { PartedItem } from '../../sending/sendParts';
import { SentRecord } from '../../sending/sentRecord';
import type { ServiceClient } from '../../service/client';
import type { Content } from '../../service/messages';
import { sendMessage } from '../../service/messages';
import { withHostClock } from '../../shared/clock';
import type { MediaSource } from './mediaSource';
import { withFile } from './mediaSource';
import { onceKeysIn } from './onceMemory';

/** What an item sends. */
export interface Outgoing {
	content: Content;
	/** A file that is read when its turn comes, and takes the place of the first attachment's URL. */
	media?: MediaSource;
}

export type MessageJob = SendJob & Outgoing;

interface JobSettings extends Pick<
	SendSettings<MessageJob>,
	'maxConcurrency' | 'maxPerSecond' | 'stopOnFailure' | 'onWait'
> {
	/** Milliseconds that the service gets for a message. */
	timeout: number;
	/** Keys that the node remembers. */
	sendOnceMemory: number;
}

/**
 * Sends from n8n's context: with its cancelling, the node's records of this execution and of ever, and the pace of the channel.
 * @returns what became of the items, and what forgets the execution's record, for a node that is done
 */
export async function sendJobs(
	context: IExecuteFunctions,
	client: ServiceClient,
	items: AsyncIterable<MessageJob | PartedItem<MessageJob> | InvalidItem>,
	{ timeout, sendOnceMemory, ...settings }: JobSettings,
): Promise<{ outcomes: Map<number, SendOutcome>; forget: () => void }> {
	const sentRecord = SentRecord.open(
		context.getContext('node'),
		Number(context.evaluateExpression('{{ $runIndex }}', 0)),
	);
	const signal = context.getExecutionCancelSignal();
	const outcomes = await withHostClock(
		signal,
		async (clock) =>
			await sendAll(items, {
				...settings,
				send: async ({ media, ...message }) =>
					media
						? await withFile(media, signal, async (file) =>
								sendMessage(client, { ...message, file }, timeout),
							)
						: await sendMessage(client, message, timeout),
				sentRecord,
				limiterFor: ({ channelId }) => limiterOf(client.account, channelId),
				onceKeys: onceKeysIn(context, sendOnceMemory),
				clock,
				...(signal ? { signal } : {}),
			}),
	);
	return { outcomes, forget: () => sentRecord.clear() };
}
