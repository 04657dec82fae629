import type { INodePropertyOptions } from 'n8n-workflow';

import type { ChannelEvent, TemplateEvent } from '../service/contract';

/** What the editor says of each event: its name, what it means, and its entry in the nodes panel. A record, so that none can be forgotten. */
type Words<Event extends string> = Record<
	Event,
	[name: string, description: string, action: string]
>;

/** The usual ones first. */
const CHANNEL_EVENT_WORDS: Words<ChannelEvent> = {
	MESSAGE_RECEIVED: ['Message Received', 'A customer wrote', 'On message received'],
	MESSAGE_STATUS: [
		'Message Status',
		'The status of a message changed, e.g. to read or failed',
		'On message status',
	],
	CONNECTED: ['Connected', 'The channel was connected', 'On channel connected'],
	DISCONNECTED: ['Disconnected', 'The channel was disconnected', 'On channel disconnected'],
	MESSAGE_DELIVERY: [
		'Message Delivery',
		'A message that was sent was delivered',
		'On message delivery',
	],
	RECEIVED_AND_DELIVERY: [
		'Received and Delivery',
		'A customer wrote, or a message that was sent was delivered',
		'On message received or delivery',
	],
	RECEIVED_STATUS: [
		'Received and Status',
		'A customer wrote, or the status of a message changed',
		'On message received or status',
	],
	PRESENCE_CHAT: [
		'Presence in Chat',
		'Somebody is online or typing in a chat',
		'On presence in chat',
	],
	INITIAL_DATA: ['Initial Data', 'The first synchronization of the channel', 'On initial data'],
	BLOCK: ['Block', 'A contact was blocked', 'On block'],
};

const TEMPLATE_EVENT_WORDS: Words<TemplateEvent> = {
	UPDATE_TEMPLATE_STATUS: [
		'Update Template Status',
		'A message template was approved, rejected or otherwise changed its status',
		'On template status',
	],
	UPDATE_TEMPLATE_CATEGORY: [
		'Update Template Category',
		'The category of a message template changed',
		'On template category',
	],
};

const optionsOf = (words: Words<string>): INodePropertyOptions[] =>
	Object.entries(words).map(([value, [name, description, action]]) => ({
		name,
		value,
		description,
		action,
	}));

/** The events as the editor lists them. */
export const CHANNEL_EVENT_OPTIONS = optionsOf(CHANNEL_EVENT_WORDS);
export const TEMPLATE_EVENT_OPTIONS = optionsOf(TEMPLATE_EVENT_WORDS);
