import type { ServiceClient } from '../service/client';
import { type Message, nameOfContent, sendMessage } from '../service/messages';
import { steadyClock } from '../shared/tools/clock';
import type { RequestTimes } from '../shared/texts/sentSpan';
import { OutgoingItem } from './outgoing';
import { Batch } from './batch';
import { paceOf } from './pace';

export interface Bounds {
	/** Milliseconds in which it must leave. Left out: it waits as long as others on its channel. */
	within?: number;
	/** Milliseconds to wait for the service. */
	timeout?: number;
	/** Runs once it may leave, before the request. If it fails, nothing is sent. */
	prepare?: () => Promise<void>;
}

/**
 * Sends one message outside of an operation's batch, at the pace of its channel. A 429 or 503 holds
 * back others, too, as in a batch.
 * @returns its ID, and when its request began and ended
 * @throws ServiceError, or what `prepare` throws. The effect is `none` if it did not leave in time
 */
export async function sendAlone(
	client: ServiceClient,
	message: Message,
	{ within, timeout, prepare }: Bounds = {},
): Promise<RequestTimes & { messageId: string }> {
	let isPrepared = false;
	let start = 0;
	const request = async (_job: object, check: () => void) => {
		if (!isPrepared) await prepare?.();
		isPrepared = true;
		check();
		start = steadyClock.now();
		return await sendMessage(client, message, timeout);
	};
	const { channelId, recipient, content } = message;
	const job = { index: 0, name: nameOfContent(content), channelId, recipient };
	const bounds = {
		maxConcurrency: 1,
		maxPerSecond: 0,
		...(within === undefined ? {} : { within }),
	};
	const paceFor = () => paceOf(client.account, channelId);
	const batch = new Batch(bounds, { request, paceFor, clock: steadyClock });
	const outgoing = new OutgoingItem(batch, job);
	// Nothing stops it, so it has an ID.
	const messageId = await outgoing.run(async () => (await outgoing.send(job)) ?? '');
	return { start, end: steadyClock.now(), messageId };
}
