import type { INodePropertyOptions } from 'n8n-workflow';

import type { ChannelEvent, TemplateEvent } from '../service/contract';

/** The texts of each event in the editor. `action` is its entry in the nodes panel. */
type EventTexts<Event extends string> = Record<
	Event,
	[name: string, description: string, action: string]
>;

/** Common events first. */
const CHANNEL_EVENT_TEXTS: EventTexts<ChannelEvent> = {
	MESSAGE_RECEIVED: ['Message Received', 'A customer wrote', 'On message received'],
	MESSAGE_STATUS: [
		'Message Status Changed',
		'The status of a message changed, e.g. to read or failed',
		'On message status changed',
	],
	CONNECTED: ['Channel Connected', 'The channel was connected', 'On channel connected'],
	DISCONNECTED: ['Channel Disconnected', 'The channel was disconnected', 'On channel disconnected'],
	MESSAGE_DELIVERY: ['Message Delivered', 'A sent message was delivered', 'On message delivered'],
	RECEIVED_AND_DELIVERY: [
		'Any Message',
		'A customer wrote, or a sent message was delivered',
		'On any message',
	],
	RECEIVED_STATUS: [
		'Message Received or Status Changed',
		'A customer wrote, or the status of a message changed',
		'On message received or status changed',
	],
	PRESENCE_CHAT: [
		'Customer Online or Typing',
		'Somebody is online or typing in a chat',
		'On customer online or typing',
	],
	INITIAL_DATA: [
		'Channel Synchronized',
		'The first synchronization of the channel',
		'On channel synchronized',
	],
	BLOCK: ['Customer Blocked', 'A contact was blocked', 'On customer blocked'],
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
