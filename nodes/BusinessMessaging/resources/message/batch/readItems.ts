import { type IExecuteFunctions, sleep } from 'n8n-workflow';

import type { Addressee, PartedItem } from '../../../sending/job';
import type { ServiceClient } from '../../../service/client';
import { asError } from '../../../service/errors';
import { nameOfContent } from '../../../service/messages';
import {
	readId,
	readRecipientField,
	requireRecipient,
	textOf,
} from '../../../shared/node/parameters';
import { identityOf } from '../content/mediaSource';
import { fingerprintOf, readOnceKey } from './onceMemory';
import type { MessageJob, Outgoing, OutgoingParts, ReadItem } from './sendItems';

/** Reads the fields of an item. Throws an Error that names the field and what to do. */
export type ReadContent = (
	context: IExecuteFunctions,
	itemIndex: number,
	client: ServiceClient,
	channelId: string,
) => Outgoing | OutgoingParts | Promise<Outgoing | OutgoingParts>;

/** Items that are read before the first message leaves. None leaves if one of them is invalid. */
const READ_FIRST = 50;
/** Items that are read at once while messages leave. n8n needs about 0.5 ms for an expression. */
const READ_TOGETHER = 2;

/** Reads the items in order, with pauses, so that n8n can handle responses and other executions. */
export async function* readItems(
	context: IExecuteFunctions,
	client: ServiceClient,
	read: ReadContent,
): AsyncGenerator<ReadItem> {
	const total = context.getInputData().length;
	const first: ReadItem[] = [];
	while (first.length < Math.min(READ_FIRST, total))
		first.push(await readItem(context, client, read, first.length));
	// Invalid items come first, so that they stop the node before anything is sent.
	yield* first.filter((item) => 'error' in item);
	yield* first.filter((item) => !('error' in item));
	for (let index = first.length; index < total; index++) {
		if (index % READ_TOGETHER === 0) await sleep(0);
		yield await readItem(context, client, read, index);
	}
}

async function readItem(
	context: IExecuteFunctions,
	client: ServiceClient,
	read: ReadContent,
	index: number,
): Promise<ReadItem> {
	const target: Addressee = {};
	try {
		const given = readRecipientField(context, index);
		const isOne = typeof given !== 'number' || Number.isFinite(given);
		const named = isOne ? textOf(given).trim() : '';
		if (named !== '') target.recipient = named;
		const channelId = (target.channelId = readId(context, 'channelId', 'Channel', index));
		const recipient = requireRecipient(given);
		const outgoing = await read(context, index, client, channelId);
		const key = readOnceKey(context, index);
		if ('contents' in outgoing) return inParts({ index, channelId, recipient }, outgoing, key);
		const { content, media } = outgoing;
		const isKnown = key !== undefined && media !== undefined;
		const signal = context.getExecutionCancelSignal();
		const file = isKnown ? await identityOf(media, signal) : [];
		return {
			index,
			channelId,
			recipient,
			name: nameOfContent(content),
			...outgoing,
			...(key === undefined
				? {}
				: { once: { key, fingerprint: fingerprintOf(channelId, recipient, content, file) } }),
		};
	} catch (error) {
		return { index, error: asError(error), ...target };
	}
}

/**
 * Each part has its own key, and the first has the key of the item. So a key that was used with
 * another text is known before anything is sent, whether that text was sent in parts or not. The
 * fallback is the first part's, because it takes the place of all.
 */
function inParts(
	target: { index: number; channelId: string; recipient: string },
	{ contents, fallback }: OutgoingParts,
	key: string | undefined,
): PartedItem<MessageJob> {
	const whole = fingerprintOf(target.channelId, target.recipient, contents);
	const [first, ...others] = contents.map((content, at) => ({
		...target,
		name: nameOfContent(content),
		content,
		part: { number: at + 1, whole },
		...(key === undefined
			? {}
			: {
					once: { key: at === 0 ? key : JSON.stringify([key, 'part', at + 1]), fingerprint: whole },
				}),
	}));
	if (!first) throw new Error('There is nothing to send.');
	const replaceable = fallback ? { ...first, fallback } : first;
	return { index: target.index, parts: [replaceable, ...others] };
}
