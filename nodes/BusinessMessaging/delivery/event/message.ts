import type { IDataObject, JsonValue } from 'n8n-workflow';

import { idKey } from '../../service/contract';
import { keyOfEntered } from '../../shared/texts/phoneNumbers';
import { asPlainObject, isPlainObject } from '../../service/parseJson';
import { chatInputOf, sessionIdOf } from './chatInput';
import { asItem, readMessage, simplifyMessage, timesOf, unrecognised } from './simplify';
import type { MessageTimes, ReadMessage, SimplifiedMessage } from './simplify';
import { newestStatus } from './parts';
import { readTemplateEvent } from './templateEvent';

export type { SimplifiedMessage } from './simplify';

export interface OutputSettings {
	output: 'simplified' | 'raw';
	/** Adds `chatInput` and `sessionId` to simplified messages. */
	chatFields: boolean;
	/** Leaves out messages that the business wrote. */
	skipOwnMessages: boolean;
	/** An empty list lets all through, and an empty entry nobody. These three filter messages. */
	senders: readonly string[];
	contentKinds: readonly string[];
	statuses: readonly string[];
}

/** Most events of a delivery. The service usually sends one. */
const EVENTS_MAX = 1000;

/** A message of a delivery. */
export interface DeliveredMessage extends MessageTimes {
	/** Simplified, also if the output is raw. */
	message: SimplifiedMessage;
	/** As the service delivered it. */
	raw: object;
}

/** An event of a delivery that passed the filters. Only a message has more than its item. */
export interface PassedEvent extends Partial<DeliveredMessage> {
	/** What the workflow gets. */
	item: IDataObject;
}

/**
 * The events of a delivery: one for each element of an array, one for any other body. An unknown
 * body, or an array that is too long, becomes the item `{event: null, payload}`, so that only the
 * settings filter anything out.
 */
export const toEvents = (body: JsonValue, settings: OutputSettings): PassedEvent[] =>
	elementsOf(body)
		.map((element) => toEvent(element, settings))
		.filter((event) => event !== undefined);

const elementsOf = (body: JsonValue): JsonValue[] =>
	Array.isArray(body) && body.length > 0 && body.length <= EVENTS_MAX ? body : [body];

function toEvent(element: JsonValue, settings: OutputSettings): PassedEvent | undefined {
	const read = readMessage(element);
	if (typeof read?.event.message.metadata?.from_me === 'boolean') {
		const message = simplifyMessage(read);
		if (!passesFilters(message, settings)) return undefined;
		const told = { message, raw: rawMessage(element), ...timesOf(read) };
		if (settings.output === 'raw') return { item: asItem(element), ...told };
		const item = settings.chatFields
			? { ...message, ...chatFields(message, read) }
			: { ...message };
		return { item, ...told };
	}
	if (settings.output === 'raw') return { item: asItem(element) };
	return { item: readTemplateEvent(element) ?? unrecognised(element) };
}

/** Adds to what the workflow gets. Grouped, an item of its own is made of the messages. */
export const withFields = ({ item, message, ...event }: PassedEvent, more: IDataObject) => ({
	...event,
	item: { ...item, ...more },
	...(message ? { message: { ...message, ...more } } : {}),
});

/** The customer who wrote it, on which channel. Undefined for other events. */
export function authorOf({ message }: PassedEvent): string | undefined {
	const sender = message?.event === 'MESSAGE_RECEIVED' ? message.sender.key : null;
	return typeof sender === 'string' ? JSON.stringify([message?.channelId, sender]) : undefined;
}

/** Only the messages of customers in a delivery, simplified. */
export const receivedMessages = (body: JsonValue): DeliveredMessage[] =>
	elementsOf(body)
		.flatMap((element) => {
			const read = readMessage(element);
			return read?.event.message.metadata?.from_me === false
				? [{ message: simplifyMessage(read), raw: rawMessage(element), ...timesOf(read) }]
				: [];
		})
		.filter(({ message }) => message.event === 'MESSAGE_RECEIVED');

/** What tells apart the events of two deliveries: the same in a redelivery. Empty: nobody knows. */
export const whatHappenedIn = (body: JsonValue): string => {
	const told = elementsOf(body).map((element) => {
		const { _id: id } = asPlainObject(rawMessage(element));
		if (typeof id === 'string') return [idKey(id), statusOf(element)];
		return Object.values(readTemplateEvent(element) ?? {});
	});
	return told.every((one) => one.length === 0) ? '' : JSON.stringify(told);
};

/** The newest state of a message. */
function statusOf(element: JsonValue): string | null {
	const { contents, attachments } = readMessage(element)?.event.message ?? {};
	return newestStatus([...(contents ?? []), ...(attachments ?? [])], () => ({})).status;
}

const rawMessage = (element: JsonValue): object =>
	isPlainObject(element) && isPlainObject(element.message) ? element.message : {};

function passesFilters(message: SimplifiedMessage, settings: OutputSettings): boolean {
	if (settings.skipOwnMessages && message.fromMe) return false;
	const { sender, type, attachments, status } = message;
	const kinds = [type, ...attachments.map((attachment) => attachment.type)];
	return (
		allowsSender(settings.senders, sender.key) &&
		allows(settings.contentKinds, kinds) &&
		allows(settings.statuses.map(upperCase), [status && upperCase(status)])
	);
}

const allows = (wanted: readonly string[], found: readonly unknown[]): boolean =>
	wanted.length === 0 || wanted.some((value) => found.includes(value));

/** An entry is read as the recipient of a message is. A sender without a key is nobody. */
const allowsSender = (wanted: readonly string[], key: string | null): boolean =>
	wanted.length === 0 || (key !== null && keysOf(wanted).has(key));

/** By the list, which stays the same as long as its entries do. */
const keys = new WeakMap<readonly string[], ReadonlySet<string>>();

function keysOf(entries: readonly string[]): ReadonlySet<string> {
	const known = keys.get(entries) ?? new Set(entries.map(keyOfEntered));
	keys.set(entries, known);
	return known;
}

const upperCase = (text: string) => text.trim().toUpperCase();

/** For n8n's agents. A session is a customer on a channel, or else a message, whoever writes. */
function chatFields(
	{ channelId, fromMe, sender, recipient, messageId }: SimplifiedMessage,
	read: ReadMessage,
): IDataObject {
	const customer = fromMe ? recipient : sender;
	return {
		chatInput: chatInputOf(read),
		sessionId: sessionIdOf(channelId ?? '', customer.key ?? messageId),
	};
}
