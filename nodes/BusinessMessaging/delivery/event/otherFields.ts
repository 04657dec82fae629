import type { IDataObject } from 'n8n-workflow';

import type { MessageEvent } from '../../service/contract';
import type { PartCleaner } from './parts';

/** Of a message and its metadata: what the item has under other names, and internals. */
const KNOWN = [
	...['_id', 'channel_id', 'created', 'created_by', 'metadata'],
	...['from_me', 'from_api', 'moment', 'middleware'],
];

/** Names that an item can have, also from options, grouping and *Send and Wait*. */
const OWN = [
	...['text', 'sender', 'event', 'channelId', 'messageId', 'timestamp', 'fromMe', 'fromApi'],
	...['forwarded', 'recipient', 'type', 'status', 'statusDetails', 'attachments', 'reply'],
	...['contents', 'chatInput', 'sessionId', 'messages', 'headers', 'payload', 'data'],
];

const NOT_PASSED = new Set([...KNOWN, ...OWN]);

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
