import type { INodePropertyOptions } from 'n8n-workflow';

import type { ChannelEvent, TemplateEvent } from '../../service/contract';

/** The editor's texts. `action` is for the nodes panel. An event that is two in one has none. */
type EventTexts<Event extends string> = Record<
	Event,
	[name: string, description: string, action?: string]
>;

/** Common events first. */
const CHANNEL_EVENT_TEXTS: EventTexts<ChannelEvent> = {
	MESSAGE_RECEIVED: ['Message Received', 'To answer customers: one wrote', 'On message received'],
	MESSAGE_STATUS: [
		'Message Status Changed',
		'To follow what you sent: read, failed, …',
		'On message status changed',
	],
	CONNECTED: ['Channel Connected', 'To know that the channel is ready', 'On channel connected'],
	DISCONNECTED: [
		'Channel Disconnected',
		'To know that nobody can write any more',
		'On channel disconnected',
	],
	MESSAGE_DELIVERY: [
		'Message Delivered',
		'To know only that what you sent has arrived',
		'On message delivered',
	],
	RECEIVED_AND_DELIVERY: ['Any Message', 'To log both sides: received and delivered in one'],
	RECEIVED_STATUS: [
		'Message Received or Status Changed',
		'To answer and to follow: received and status in one',
	],
	PRESENCE_CHAT: [
		'Customer Online or Typing',
		'To know that somebody is in the chat. Very frequent.',
		'On customer online or typing',
	],
	INITIAL_DATA: [
		'Channel Synchronized',
		'To take over what was written before connecting',
		'On channel synchronized',
	],
	BLOCK: ['Customer Blocked', 'To stop writing to a blocked contact', 'On customer blocked'],
};

const TEMPLATE_EVENT_TEXTS: EventTexts<TemplateEvent> = {
	UPDATE_TEMPLATE_STATUS: [
		'Template Status Changed',
		'A message template was approved, rejected or otherwise changed its status',
		'On template status changed',
	],
	UPDATE_TEMPLATE_CATEGORY: [
		'Template Category Changed',
		'The category of a message template changed',
		'On template category changed',
	],
};

const optionsOf = (texts: EventTexts<string>): INodePropertyOptions[] =>
	Object.entries(texts).map(([value, [name, description, action]]) => ({
		name,
		value,
		// The service's dashboard shows the code.
		description: `${description} (${value})`,
		action,
	}));

/** The events as the editor lists them. */
export const CHANNEL_EVENT_OPTIONS = optionsOf(CHANNEL_EVENT_TEXTS);
export const TEMPLATE_EVENT_OPTIONS = optionsOf(TEMPLATE_EVENT_TEXTS);
