import type { INodePropertyOptions } from 'n8n-workflow';

import type { ChannelEvent, TemplateEvent } from '../../service/contract';

/** The editor's texts. */
type EventTexts<Event extends string> = Record<Event, [name: string, description: string]>;

/** Common events first. */
const CHANNEL_EVENT_TEXTS: EventTexts<ChannelEvent> = {
	MESSAGE_RECEIVED: ['Message Received', 'To answer customers: one wrote'],
	MESSAGE_STATUS: ['Message Status Changed', 'To follow what you sent: read, failed, …'],
	CONNECTED: ['Channel Connected', 'To know that the channel is ready'],
	DISCONNECTED: ['Channel Disconnected', 'To know that nobody can write any more'],
	MESSAGE_DELIVERY: ['Message Delivered', 'To know only that what you sent has arrived'],
	RECEIVED_AND_DELIVERY: ['Any Message', 'To log both sides: received and delivered in one'],
	RECEIVED_STATUS: [
		'Message Received or Status Changed',
		'To answer and to follow: received and status in one',
	],
	PRESENCE_CHAT: [
		'Customer Online or Typing',
		'To know that somebody is in the chat. Very frequent.',
	],
	INITIAL_DATA: ['Channel Synchronized', 'To take over what was written before connecting'],
	BLOCK: ['Customer Blocked', 'To stop writing to a blocked contact'],
};

const TEMPLATE_EVENT_TEXTS: EventTexts<TemplateEvent> = {
	UPDATE_TEMPLATE_STATUS: [
		'Template Status Changed',
		'A message template was approved, rejected or otherwise changed its status',
	],
	UPDATE_TEMPLATE_CATEGORY: [
		'Template Category Changed',
		'The category of a message template changed',
	],
};

/** Two events in one, which the nodes panel does not list. */
const PAIRS = ['RECEIVED_AND_DELIVERY', 'RECEIVED_STATUS'];

const optionsOf = (texts: EventTexts<string>): INodePropertyOptions[] =>
	Object.entries(texts).map(([value, [name, description]]) => ({
		name,
		value,
		// The service's dashboard shows the code.
		description: `${description} (${value})`,
		...(PAIRS.includes(value) ? {} : { action: `On ${name.toLowerCase()}` }),
	}));

/** The events as the editor lists them. */
export const CHANNEL_EVENT_OPTIONS = optionsOf(CHANNEL_EVENT_TEXTS);
export const TEMPLATE_EVENT_OPTIONS = optionsOf(TEMPLATE_EVENT_TEXTS);
