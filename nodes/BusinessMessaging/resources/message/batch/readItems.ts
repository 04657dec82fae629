import { type IExecuteFunctions, sleep } from 'n8n-workflow';

import type { Addressee, PartedItem } from '../../../sending/batch';
import type { ServiceClient } from '../../../service/client';
import { asError } from '../../../service/errors';
import { nameOfContent } from '../../../service/messages';
import { filesIn } from '../../../shared/node/hints';
import {
	readId,
	readRecipientField,
	requireRecipient,
	textOf,
} from '../../../shared/node/parameters';
import { identityOf } from '../content/mediaSource';
import { readFallback } from '../template/fallback';
import { fingerprintOf, readOnceKey } from './onceKey';
import type { SendOptions } from './options';
import type { MessageJob, Outgoing, OutgoingParts, ReadItem } from './sendItems';

/** Reads the fields of an item. Throws an Error that names the field and what to do. */
export type ReadFields = (
	context: IExecuteFunctions,
	itemIndex: number,
	client: ServiceClient,
	channelId: string,
) => Outgoing | OutgoingParts | Promise<Outgoing | OutgoingParts>;

/** What was noticed while items were read, for the report. */
export interface Noticed {
	/** Addresses of files, which the service fetches. */
	files: Set<string>;
	/** Items without a Send Once Key. */
	unkeyed: Set<number>;
}

/** Reads an item, the template that takes its place if the window is closed, and its key. */
type Read = (itemIndex: number, channelId: string) => Promise<[Outgoing | OutgoingParts, string?]>;

/** The items as messages, read while others leave. @param noticed is filled meanwhile */
export function readItems(
	context: IExecuteFunctions,
	client: ServiceClient,
	readFields: ReadFields,
	{ hoursOf, failed }: Pick<SendOptions, 'hoursOf' | 'failed'>,
	noticed: Noticed,
): AsyncGenerator<ReadItem> {
	return itemsIn(context, async (index, channelId) => {
		const unread = failed.get(index);
		if (unread) throw unread;
		const outgoing = await readFields(context, index, client, channelId);
		const isTemplate = 'content' in outgoing && outgoing.content.type === 'TEMPLATE';
		const source = { context, index, client, channelId };
		const ready = isTemplate ? undefined : await readFallback(source);
		const replaceable = ready ? { ...outgoing, fallback: ready.leaves } : outgoing;
		const whole = hoursOf ? { ...replaceable, hours: hoursOf(index) } : replaceable;
		for (const file of filesIn(whole)) noticed.files.add(file);
		const key = readOnceKey(context, index);
		if (key === undefined) noticed.unkeyed.add(index);
		return [whole, key];
	});
}

/** Items that are read before the first message leaves. None leaves if one of them is invalid. */
const READ_FIRST = 50;
/** Items that are read at once while messages leave. n8n needs about 0.5 ms for an expression. */
const READ_TOGETHER = 2;

/** Reads the items in order, with pauses, so that n8n can handle responses and other executions. */
async function* itemsIn(context: IExecuteFunctions, read: Read): AsyncGenerator<ReadItem> {
	const total = context.getInputData().length;
	const first: ReadItem[] = [];
	while (first.length < Math.min(READ_FIRST, total))
		first.push(await readItem(context, read, first.length));
	// Invalid items come first, so that they stop the node before anything is sent.
	yield* first.filter((item) => 'error' in item);
	yield* first.filter((item) => !('error' in item));
	for (let index = first.length; index < total; index++) {
		if (index % READ_TOGETHER === 0) await sleep(0);
		yield await readItem(context, read, index);
	}
}

async function readItem(context: IExecuteFunctions, read: Read, index: number): Promise<ReadItem> {
	const target: Addressee = {};
	try {
		const given = readRecipientField(context, index);
		const isOne = typeof given !== 'number' || Number.isFinite(given);
		const named = isOne ? textOf(given).trim() : '';
		if (named !== '') target.recipient = named;
		const channelId = (target.channelId = readId(context, 'channelId', 'Channel', index));
		const recipient = requireRecipient(given);
		const [outgoing, key] = await read(index, channelId);
		if ('contents' in outgoing) return inParts({ index, channelId, recipient }, outgoing, key);
		const { content, media } = outgoing;
		const job = { index, channelId, recipient, name: nameOfContent(content), ...outgoing };
		if (key === undefined) return job;
		const signal = context.getExecutionCancelSignal();
		const file = media ? await identityOf(media, signal) : [];
		const fingerprint = fingerprintOf(channelId, recipient, content, file);
		return { ...job, once: { key, fingerprint } };
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
	{ contents, fallback, ...rest }: OutgoingParts,
	key: string | undefined,
): PartedItem<MessageJob> {
	const whole = fingerprintOf(target.channelId, target.recipient, contents);
	const [first, ...others] = contents.map((content, at) => {
		const part = { number: at + 1, whole };
		const job = { ...target, ...rest, name: nameOfContent(content), content, part };
		if (key === undefined) return job;
		const own = at === 0 ? key : JSON.stringify([key, 'part', part.number]);
		return { ...job, once: { key: own, fingerprint: whole } };
	});
	if (!first) throw new Error('There is nothing to send.');
	const replaceable = fallback ? { ...first, fallback } : first;
	return { index: target.index, parts: [replaceable, ...others] };
}
