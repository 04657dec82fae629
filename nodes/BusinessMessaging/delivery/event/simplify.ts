import type { IDataObject, JsonValue } from 'n8n-workflow';

import { type ChannelEvent, type MessageEvent, messageEventSchema } from '../../service/contract';
import { toIsoDate, toMilliseconds } from '../../shared/texts/words';
import { keyOf } from '../../shared/texts/phoneNumbers';
import { isPlainObject } from '../../service/parseJson';
import {
	findButtonReply,
	isMoreThanText,
	isTelling,
	otherFields,
	partCleaner,
	simplifyAttachment,
	newestStatus,
} from './parts';
import type { ButtonReply, PartCleaner, Status } from './parts';

/** Most contents and attachments of a message, and states of each, to read. Usually a few. */
const PARTS_MAX = 100;

export interface ReadMessage {
	event: MessageEvent;
	/** What comes after the first `PARTS_MAX`, as it came. */
	further: { contents: IDataObject[]; attachments: IDataObject[] };
}

/** Milliseconds, by the service's clock. */
export interface MessageTimes {
	written: number | undefined;
	/** The same, by the later of its times. */
	lastTime: number | undefined;
}

/** A delivery's proof of novelty and its items need the same reading. */
const read = new WeakMap<object, ReadMessage | undefined>();

/** Reads a message event. Undefined for anything else. */
export function readMessage(element: JsonValue): ReadMessage | undefined {
	if (!isPlainObject(element)) return undefined;
	if (!read.has(element)) read.set(element, parseMessage(element));
	return read.get(element);
}

function parseMessage(element: IDataObject): ReadMessage | undefined {
	if (!isPlainObject(element.message)) return undefined;
	const { contents, attachments } = element.message;
	const message = {
		...element.message,
		contents: firstOf(contents),
		attachments: firstOf(attachments),
	};
	const parsed = messageEventSchema.safeParse({ ...element, message });
	return parsed.success
		? {
				event: parsed.data,
				further: { contents: furtherOf(contents), attachments: furtherOf(attachments) },
			}
		: undefined;
}

/** The times of a message. What each of them means is not published. */
export function timesOf({ event: { message } }: ReadMessage): MessageTimes {
	const times = [message.metadata?.moment, message.created]
		.filter((time) => typeof time === 'number' && Number.isFinite(time) && time > 0)
		.map((time) => toMilliseconds(Number(time)));
	if (times.length === 0) return { written: undefined, lastTime: undefined };
	return { written: Math.min(...times), lastTime: Math.max(...times) };
}

function firstOf(parts: unknown): unknown {
	if (!Array.isArray(parts)) return parts;
	return (parts as JsonValue[])
		.slice(0, PARTS_MAX)
		.map((part) =>
			isPlainObject(part) && Array.isArray(part.state_items)
				? { ...part, state_items: part.state_items.slice(-PARTS_MAX) }
				: part,
		);
}

const furtherOf = (parts: unknown): IDataObject[] =>
	Array.isArray(parts) ? (parts as JsonValue[]).slice(PARTS_MAX).map(asItem) : [];

/** A raw item. n8n's items are objects, so others are wrapped. */
export const asItem = (element: JsonValue): IDataObject =>
	isPlainObject(element) ? element : unrecognised(element);

export function unrecognised(element: JsonValue): IDataObject {
	return { event: null, payload: element };
}

interface SimplifiedParty extends IDataObject {
	identifier: string | null;
	name: string | null;
	/** One for all spellings of a phone number. To look people up by. Null: nobody knows who. */
	key: string | null;
}

export interface SimplifiedMessage extends IDataObject, Status {
	text: string | null;
	sender: SimplifiedParty;
	event: ChannelEvent;
	channelId: string | null;
	messageId: string;
	/** ISO 8601 in UTC. */
	timestamp: string | null;
	fromMe: boolean;
	/** Only of the business's messages: whether the API sent it, and not a person. */
	fromApi?: boolean;
	forwarded?: boolean;
	recipient: SimplifiedParty;
	type: string | null;
	attachments: IDataObject[];
	/** The button that the customer tapped. */
	reply?: ButtonReply;
	/** Contents with more than a text: contacts, buttons, and kinds that the service adds. */
	contents?: IDataObject[];
}

export function simplifyMessage({
	event: { message, messageEventType },
	further,
}: ReadMessage): SimplifiedMessage {
	const contents = message.contents ?? [];
	const attachments = message.attachments ?? [];
	const { from_me, from_api: fromApi, forwarded, moment } = message.metadata ?? {};
	const fromMe = from_me === true;
	const reply = fromMe ? undefined : findButtonReply(contents);
	const texts = [
		...contents.map(({ message: text }) => text),
		...attachments.map(({ caption }) => caption),
	].filter((text): text is string => typeof text === 'string');
	const clean = partCleaner();
	const rich = [...contents.map(clean).filter(isMoreThanText), ...further.contents];
	// The most important fields first, because n8n's table shows columns in this order.
	return {
		text: texts.join('\n') || (reply?.title ?? null),
		sender: simplifyParty(message.sender, clean),
		event: eventOf(fromMe, messageEventType),
		channelId: message.channel_id ?? null,
		messageId: message._id,
		timestamp: toIsoDate(moment ?? message.created),
		fromMe,
		...(fromMe && typeof fromApi === 'boolean' ? { fromApi } : {}),
		...(typeof forwarded === 'boolean' ? { forwarded } : {}),
		recipient: simplifyParty(message.recipient, clean),
		type: attachments[0]?.type ?? contents[0]?.type ?? null,
		...newestStatus([...contents, ...attachments], clean),
		attachments: [
			...attachments.map((attachment) => simplifyAttachment(attachment, clean)),
			...further.attachments,
		],
		...(reply ? { reply } : {}),
		...(rich.length > 0 ? { contents: rich } : {}),
		...otherFields(message, clean),
	};
}

/**
 * No body names its event, and each has the type NEW_MESSAGE, statuses too (published). A message
 * of a customer is MESSAGE_RECEIVED, and one of the business tells its status. Another type would
 * be about an earlier message (assumed).
 */
function eventOf(fromMe: boolean, messageEventType: string | null | undefined): ChannelEvent {
	const isNew = !messageEventType || messageEventType === 'NEW_MESSAGE';
	return !fromMe && isNew ? 'MESSAGE_RECEIVED' : 'MESSAGE_STATUS';
}

/** What else the service says of somebody, such as a user's ID, passes on under its own names. */
function simplifyParty(
	party: MessageEvent['message']['sender'],
	clean: PartCleaner,
): SimplifiedParty {
	const { identifier = null, name = null, ...more } = party ?? {};
	const key = identifier?.trim() ? keyOf(identifier) : null;
	const others = Object.entries(clean(more)).filter(([, value]) => isTelling(value));
	return { identifier, name, ...Object.fromEntries(others), key };
}
