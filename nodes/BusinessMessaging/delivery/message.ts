import type { IDataObject, JsonValue } from 'n8n-workflow';

import { normalizeIdentifier } from '../shared/phoneNumbers';
import type { SimplifiedMessage } from './simplify';
import { asItem, readMessage, simplifyMessage, unrecognised } from './simplify';
import { readTemplateEvent } from './templateEvent';

export type { SimplifiedMessage } from './simplify';

export interface OutputSettings {
	output: 'simplified' | 'raw';
	/** Adds `chatInput` and `sessionId` to simplified messages. */
	chatFields: boolean;
	/** Messages that the business wrote are left out. */
	skipOwnMessages: boolean;
	/** An empty list lets everything through. What is not a message passes all three. */
	senders: readonly string[];
	contentKinds: readonly string[];
	statuses: readonly string[];
}

/** Most events of one delivery. The service sends one, as a rule. */
const EVENTS_MAX = 1000;

/** An event of a delivery that passed the filters. */
export interface PassedEvent {
	/** What the workflow gets. */
	item: IDataObject;
	/** Of a message: simplified, whatever the output is. */
	message?: SimplifiedMessage;
}

/**
 * The events of a delivery: one for each element of an array, and for any other body one. The item of a body that is not recognised is
 * `{event: null, payload}`, and so is that of an array that is too long: nothing that the service sends is dropped, but for what the settings filter
 * out.
 */
export function toEvents(body: JsonValue, settings: OutputSettings): PassedEvent[] {
	return elementsOf(body)
		.map((element) => toEvent(element, settings))
		.filter((event) => event !== undefined);
}

function elementsOf(body: JsonValue): JsonValue[] {
	return Array.isArray(body) && body.length > 0 && body.length <= EVENTS_MAX ? body : [body];
}

function toEvent(element: JsonValue, settings: OutputSettings): PassedEvent | undefined {
	const read = readMessage(element);
	if (typeof read?.event.message.metadata?.from_me === 'boolean') {
		const message = simplifyMessage(read);
		if (!passesFilters(message, settings)) return undefined;
		if (settings.output === 'raw') return { item: asItem(element), message };
		const item = settings.chatFields ? { ...message, ...chatFields(message) } : { ...message };
		return { item, message };
	}
	if (settings.output === 'raw') return { item: asItem(element) };
	return { item: readTemplateEvent(element) ?? unrecognised(element) };
}

/** The messages of customers in a delivery, simplified. Everything else in it is left out. */
export function receivedMessages(body: JsonValue): SimplifiedMessage[] {
	return elementsOf(body)
		.map(readMessage)
		.flatMap((read) =>
			read?.event.message.metadata?.from_me === false ? [simplifyMessage(read)] : [],
		)
		.filter(({ event }) => event === 'MESSAGE_RECEIVED');
}

function passesFilters(message: SimplifiedMessage, settings: OutputSettings): boolean {
	if (settings.skipOwnMessages && message.fromMe) return false;
	const { sender, type, attachments, status } = message;
	const kinds = [type, ...attachments.map((attachment) => attachment.type)];
	return (
		allows(settings.senders, [sender.identifier], normalizeIdentifier) &&
		allows(settings.contentKinds, kinds) &&
		allows(settings.statuses, [status], upperCase)
	);
}

function allows(
	wanted: readonly string[],
	found: readonly unknown[],
	normalize = (text: string) => text,
): boolean {
	if (wanted.length === 0) return true;
	const allowed = new Set(wanted.map(normalize));
	return found.some((value) => typeof value === 'string' && allowed.has(normalize(value)));
}

const upperCase = (text: string) => text.trim().toUpperCase();

/** What n8n's agent and memory nodes read. A conversation is the channel and the customer in it, whoever writes. */
function chatFields({
	channelId,
	fromMe,
	sender,
	recipient,
	text,
}: SimplifiedMessage): IDataObject {
	const customer = fromMe ? recipient : sender;
	return { chatInput: text ?? '', sessionId: `${channelId ?? ''}:${customer.identifier ?? ''}` };
}
