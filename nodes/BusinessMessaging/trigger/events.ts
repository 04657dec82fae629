import type { IDataObject, JsonObject, JsonValue } from 'n8n-workflow';

import type { ChannelEvent, MessageEvent, TemplateCategoryEvent, TemplateStatusEvent } from '../service/contract';
import { messageEventSchema, templateCategoryEventSchema, templateStatusEventSchema } from '../service/contract';

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

/**
 * The items of a delivery: one for each element of an array, and for any other body one. A body that is not recognised gives
 * `{event: null, payload}`: nothing that the service sends is dropped, but for what the settings filter out.
 */
export function toItems(body: JsonValue, settings: OutputSettings): IDataObject[] {
	const elements = Array.isArray(body) && body.length > 0 ? body : [body];
	return elements.map((element) => toItem(element, settings)).filter((item) => item !== undefined);
}

function toItem(element: JsonValue, settings: OutputSettings): IDataObject | undefined {
	const message = messageEventSchema.safeParse(element);
	if (message.success && typeof message.data.message.metadata?.from_me === 'boolean') {
		const simplified = simplifyMessage(message.data);
		if (!passesFilters(simplified, settings)) return undefined;
		if (settings.output === 'raw') return asItem(element);
		return settings.chatFields ? { ...simplified, ...chatFields(simplified) } : { ...simplified };
	}
	if (settings.output === 'raw') return asItem(element);
	const status = templateStatusEventSchema.safeParse(element);
	if (status.success) return simplifyTemplateStatus(status.data);
	const category = templateCategoryEventSchema.safeParse(element);
	return category.success ? simplifyTemplateCategory(category.data) : unrecognised(element);
}

/** The messages of customers in a delivery, simplified. Everything else in it is left out. */
export function receivedMessages(body: JsonValue): SimplifiedMessage[] {
	return (Array.isArray(body) ? body : [body])
		.map((element) => messageEventSchema.safeParse(element))
		.flatMap((parsed) => (parsed.success && parsed.data.message.metadata?.from_me === false ? [simplifyMessage(parsed.data)] : []))
		.filter(({ event }) => event === 'MESSAGE_RECEIVED');
}

/** A raw item. n8n's items are objects, so anything else is wrapped. */
function asItem(element: JsonValue): IDataObject {
	return isObject(element) ? element : unrecognised(element);
}

function unrecognised(element: JsonValue): IDataObject {
	return { event: null, payload: element };
}

function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface SimplifiedParty extends IDataObject {
	identifier: string | null;
	name: string | null;
}

export interface SimplifiedMessage extends IDataObject {
	event: ChannelEvent;
	channelId: string | null;
	messageId: string;
	/** ISO 8601 in UTC. */
	timestamp: string | null;
	fromMe: boolean;
	sender: SimplifiedParty;
	recipient: SimplifiedParty;
	type: string | null;
	text: string | null;
	status: string | null;
	attachments: IDataObject[];
}

function simplifyMessage({ message, messageEventType }: MessageEvent): SimplifiedMessage {
	const contents = message.contents ?? [];
	const attachments = message.attachments ?? [];
	const fromMe = message.metadata?.from_me === true;
	const texts = contents.map(({ message: text }) => text).filter((text): text is string => typeof text === 'string');
	const captions = attachments.map(({ caption }) => caption).filter((caption): caption is string => typeof caption === 'string');
	const rich = contents.filter(({ type }) => type !== 'TEXT').map(withoutInternals);
	return {
		event: eventOf(fromMe, messageEventType),
		channelId: message.channel_id ?? null,
		messageId: message._id,
		timestamp: toIsoDate(message.metadata?.moment ?? message.created),
		fromMe,
		sender: simplifyParty(message.sender),
		recipient: simplifyParty(message.recipient),
		type: attachments[0]?.type ?? contents[0]?.type ?? null,
		text: [...texts, ...captions].join('\n') || null,
		status: newestStatus([...contents, ...attachments]),
		attachments: attachments.map(simplifyAttachment),
		// Contacts, buttons and whatever else comes: their form is not published, so they are given as they are.
		...(rich.length > 0 ? { contents: rich } : {}),
	};
}

/**
 * Nothing in a body names the event it belongs to (published). What a customer wrote is MESSAGE_RECEIVED; a message of the business comes back to
 * tell how it fares. An event type other than NEW_MESSAGE is about a message that is there already (assumed).
 */
function eventOf(fromMe: boolean, messageEventType: string | null | undefined): ChannelEvent {
	const isNew = !messageEventType || messageEventType === 'NEW_MESSAGE';
	return !fromMe && isNew ? 'MESSAGE_RECEIVED' : 'MESSAGE_STATUS';
}

function simplifyParty(party: MessageEvent['message']['sender']): SimplifiedParty {
	return { identifier: party?.identifier ?? null, name: party?.name ?? null };
}

type Content = NonNullable<MessageEvent['message']['contents']>[number];
type Attachment = NonNullable<MessageEvent['message']['attachments']>[number];

function simplifyAttachment({ type, url, caption, thumbnail_url: thumbnailUrl }: Attachment): IDataObject {
	return {
		type: type ?? null,
		url: url ?? null,
		...(typeof caption === 'string' ? { caption } : {}),
		...(typeof thumbnailUrl === 'string' ? { thumbnailUrl } : {}),
	};
}

function withoutInternals(content: Content): IDataObject {
	const internal = new Set(['@class', 'identifier', 'state_items']);
	return Object.fromEntries(Object.entries(content).filter(([name]) => !internal.has(name))) as IDataObject;
}

/** The newest state by its moment; of several with the same moment, or with none, the last. */
function newestStatus(parts: ReadonlyArray<Content | Attachment>): string | null {
	let newest: { name: string; moment: number } | undefined;
	for (const { state, moment } of parts.flatMap(({ state_items: states }) => states ?? [])) {
		const at = moment ?? -Infinity;
		if (typeof state?.name === 'string' && at >= (newest?.moment ?? -Infinity)) newest = { name: state.name, moment: at };
	}
	return newest?.name ?? null;
}

function passesFilters(message: SimplifiedMessage, settings: OutputSettings): boolean {
	if (settings.skipOwnMessages && message.fromMe) return false;
	const { sender, type, attachments, status } = message;
	const kinds = [type, ...attachments.map((attachment) => attachment.type)];
	return (
		allows(settings.senders, [sender.identifier], normalizeIdentifier) && allows(settings.contentKinds, kinds) && allows(settings.statuses, [status], upperCase)
	);
}

function allows(wanted: readonly string[], found: readonly unknown[], normalize = (text: string) => text): boolean {
	if (wanted.length === 0) return true;
	const allowed = new Set(wanted.map(normalize));
	return found.some((value) => typeof value === 'string' && allowed.has(normalize(value)));
}

const upperCase = (text: string) => text.trim().toUpperCase();

/** People write phone numbers with spaces, dashes and a plus; the service does not. Other identifiers are left as they are. */
export function normalizeIdentifier(identifier: string): string {
	return /^\+?[\d\s().-]+$/.test(identifier) ? identifier.replace(/\D/g, '') : identifier.trim();
}

/** What n8n's agent and memory nodes read. A conversation is the channel and the customer in it, whoever writes. */
function chatFields({ channelId, fromMe, sender, recipient, text }: SimplifiedMessage): IDataObject {
	const customer = fromMe ? recipient : sender;
	return { chatInput: text ?? '', sessionId: `${channelId ?? ''}:${customer.identifier ?? ''}` };
}

function templateFields(event: TemplateStatusEvent | TemplateCategoryEvent): { templateId: string | null; templateName: string | null; language: string | null } {
	const { message_template_id: id, message_template_name: name, message_template_language: language } = event.value;
	return { templateId: id === null || id === undefined ? null : String(id), templateName: name ?? null, language: language ?? null };
}

function simplifyTemplateStatus(event: TemplateStatusEvent): IDataObject {
	const { event: status, reason, message_template_category: category } = event.value;
	return {
		event: 'UPDATE_TEMPLATE_STATUS',
		...templateFields(event),
		status,
		reason: reason ?? null,
		...(typeof category === 'string' ? { category } : {}),
		wabaId: event.waba_id ?? null,
	};
}

function simplifyTemplateCategory(event: TemplateCategoryEvent): IDataObject {
	const { previous_category: previous, new_category: current, correct_category: correct, category_update_timestamp: at } = event.value;
	return {
		event: 'UPDATE_TEMPLATE_CATEGORY',
		...templateFields(event),
		previousCategory: previous ?? null,
		newCategory: current ?? null,
		correctCategory: correct ?? null,
		timestamp: toIsoDate(at),
		wabaId: event.waba_id ?? null,
	};
}

/** From milliseconds, or from seconds, which are smaller by the factor of 1000 for every date between 1973 and 5138. */
function toIsoDate(moment: unknown): string | null {
	const number = typeof moment === 'string' && /^\d{1,16}$/.test(moment) ? Number(moment) : moment;
	if (typeof number !== 'number' || !Number.isFinite(number)) return typeof moment === 'string' ? moment : null;
	const date = new Date(Math.abs(number) < 1e11 ? number * 1000 : number);
	return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
