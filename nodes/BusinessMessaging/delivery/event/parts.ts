import type { IDataObject } from 'n8n-workflow';

import { BUTTON_REPLY_FIELDS, ID_PATTERN } from '../../service/contract';
import type { MessageAttachment, MessageContent, MessageEvent } from '../../service/contract';
import { isPlainObject } from '../../service/parseJson';
import { isQuote } from './tap';

/** Internal fields of the service, at any depth. And `__proto__`, which must never be set. */
const INTERNAL = new Set([
	...['@class', 'state_items', 'internal_information', 'tenant', 'tenant_owner'],
	...['webhook_processed', '__proto__'],
]);
/** How deep to look for internals in a part. Real parts have three levels. */
const DEPTH_MAX = 20;
/** How many objects and lists of a message to look into. Real messages have a dozen. */
const LOOKED_INTO_MAX = 10_000;

/** Removes internals from a part of a message. Beyond the bounds, it stays as it came. */
export type PartCleaner = (part: object) => IDataObject;

/** Makes the cleaner for the parts of one message, which share the bound. */
export function partCleaner(): PartCleaner {
	let left = LOOKED_INTO_MAX;

	function cleanObject(given: object, depth: number): IDataObject {
		// A loop, because every delivery passes here.
		const cleaned: Record<string, unknown> = {};
		for (const [name, value] of Object.entries(given))
			if (!INTERNAL.has(name) && !isInternalId(name, given, depth))
				cleaned[name] = clean(value, depth + 1);
		return cleaned as IDataObject;
	}

	function clean(value: unknown, depth: number): unknown {
		if (typeof value !== 'object' || value === null || depth > DEPTH_MAX || left === 0)
			return value;
		left -= 1;
		return Array.isArray(value)
			? value.map((element: unknown) => clean(element, depth + 1))
			: cleanObject(value, depth);
	}

	return (part) => cleanObject(part, 1);
}

/** A part and typed parts in it, such as contacts, have internal IDs. Any other is a person's. */
function isInternalId(name: string, of: object, depth: number): boolean {
	if (name !== 'identifier') return false;
	if (depth === 1) return true;
	const { type, identifier } = of as IDataObject;
	return typeof type === 'string' && typeof identifier === 'string' && ID_PATTERN.test(identifier);
}

/** An attachment with our own names for the published fields. Its other fields stay as they are. */
export function simplifyAttachment(attachment: MessageAttachment, clean: PartCleaner): IDataObject {
	const { type, url, caption, thumbnail_url: thumbnailUrl, ...more } = attachment;
	return {
		type: type ?? null,
		url: url ?? null,
		...(typeof caption === 'string' ? { caption } : {}),
		...(typeof thumbnailUrl === 'string' ? { thumbnailUrl } : {}),
		...clean(more),
	};
}

/** Whether a content has more than its text. */
export const isMoreThanText = ({ type, message, ...more }: IDataObject): boolean =>
	type !== 'TEXT' ||
	(typeof message === 'object' && message !== null) ||
	Object.values(more).some((value) => value !== null);

export interface ButtonReply extends IDataObject {
	id: string;
	title: string;
}

/** The button that was tapped: a content, or an object in it. An offer has a list of buttons. */
export function findButtonReply(contents: readonly MessageContent[]): ButtonReply | undefined {
	const [idField, titleField] = BUTTON_REPLY_FIELDS;
	const parts = contents.flatMap((content) => [['', content] as const, ...Object.entries(content)]);
	for (const [name, value] of parts) {
		if (!isPlainObject(value) || isQuote(name)) continue;
		const { [idField]: id, [titleField]: title } = value;
		if (typeof id === 'string' && typeof title === 'string') return { id, title };
	}
	return undefined;
}

const NOT_PASSED = new Set([
	// Of a message and its metadata: what the item has under other names, and internals.
	...['_id', 'channel_id', 'created', 'created_by', 'metadata'],
	...['from_me', 'from_api', 'moment', 'middleware'],
	// Names that an item can have, also from options, grouping and *Send and Wait*.
	...['text', 'sender', 'event', 'channelId', 'messageId', 'timestamp', 'fromMe', 'fromApi'],
	...['forwarded', 'recipient', 'type', 'status', 'statusDetails', 'attachments', 'reply'],
	...['contents', 'chatInput', 'sessionId', 'messages', 'headers', 'payload', 'data'],
]);

/** What the node does not know of a message and its metadata. A field of the message wins. */
export function otherFields(message: MessageEvent['message'], clean: PartCleaner): IDataObject {
	const found = [...Object.entries(message.metadata ?? {}), ...Object.entries(message)].filter(
		([name, value]) => !NOT_PASSED.has(name) && isTelling(value),
	);
	return found.length > 0 ? clean(Object.fromEntries(found)) : {};
}

/** Whether a value says anything. */
export const isTelling = (value: unknown): boolean =>
	value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);

export interface Status {
	status: string | null;
	/** What the service says with its name, such as a failure's code and words. */
	statusDetails?: IDataObject;
}

type StateItem = NonNullable<MessageContent['state_items']>[number];

/** The newest state by its moment. The last one, if several have the same moment or none. */
export function newestStatus(
	parts: ReadonlyArray<MessageContent | MessageAttachment>,
	clean: PartCleaner,
): Status {
	let newest: { item: StateItem; name: string; moment: number } | undefined;
	for (const item of parts.flatMap(({ state_items: items }) => items ?? [])) {
		const at = item.moment ?? -Infinity;
		const name = item.state?.name;
		if (typeof name === 'string' && at >= (newest?.moment ?? -Infinity))
			newest = { item, name, moment: at };
	}
	if (!newest) return { status: null };
	const statusDetails = detailsOf(newest.item, clean);
	return {
		status: newest.name,
		...(Object.keys(statusDetails).length > 0 ? { statusDetails } : {}),
	};
}

/** What the item has as its status and time, and internals. */
const KNOWN_BESIDE = new Set(['moment', 'state', 'integration_message_ids']);

function detailsOf(item: StateItem, clean: PartCleaner): IDataObject {
	const telling = [
		...Object.entries(item).filter(([name]) => !KNOWN_BESIDE.has(name)),
		...Object.entries(item.state ?? {}).filter(([name]) => name !== 'name'),
	].filter(([, value]) => isTelling(value));
	return telling.length > 0 ? clean(Object.fromEntries(telling)) : {};
}
