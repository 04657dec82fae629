import { z } from 'zod';

import {
	idSchema,
	MESSAGE_EVENT_TYPES,
	type ChannelEvent,
	type TemplateEvent,
} from '../contract.mts';
import { attachment, businessContent, customerContent } from './parts.mts';

const party = <T extends string>(className: T) =>
	z.strictObject({ '@class': z.literal(className), identifier: z.string(), name: z.string() });

/** Source of the form: published. */
function messageEvent<C extends z.ZodTypeAny, A extends z.ZodTypeAny>(
	type: (typeof MESSAGE_EVENT_TYPES)[keyof typeof MESSAGE_EVENT_TYPES],
	{ fromMe, fromApi, content }: { fromMe: boolean; fromApi: A; content: C },
) {
	const metadata = z.strictObject({
		'@class': z.literal('.Metadata'),
		forwarded: z.boolean(),
		from_api: fromApi,
		from_me: z.literal(fromMe),
		middleware: z.string(),
		moment: z.number().int(),
	});
	const message = z.strictObject({
		_id: idSchema,
		tenant: idSchema,
		tenant_owner: z.string(),
		channel_id: idSchema,
		created_by: z.string(),
		created: z.number().int(),
		metadata,
		sender: party('.Sender'),
		recipient: party('.Recipient'),
		contents: z.array(content).max(1),
		attachments: z.array(attachment).max(1),
		actions: z.array(z.unknown()).max(0),
		webhook_processed: z.literal(false),
	});
	return z.strictObject({ message, messageEventType: z.literal(type) });
}

const customer = { fromMe: false, fromApi: z.literal(false), content: customerContent };
const business = { fromMe: true, fromApi: z.boolean(), content: businessContent };

/** Nothing is published: assumed. */
const connectionEvent = (event: 'CONNECTED' | 'DISCONNECTED') =>
	z.strictObject({
		channel_id: idSchema,
		tenant: idSchema,
		name: z.string(),
		type: z.string(),
		connection_event: z.literal(event),
		business_number: z.string(),
		moment: z.number().int(),
	});

const templateValue = {
	message_template_id: z.string(),
	message_template_name: z.string(),
	message_template_language: z.string(),
};
const templateEvent = { identifier: idSchema, waba_id: z.string() };

/** Source of the forms: published. */
const templateStatus = z.strictObject({
	...templateEvent,
	field: z.literal('message_template_status_update'),
	type: z.literal('TEMPLATE_STATUS'),
	value: z.strictObject({
		...templateValue,
		event: z.string(),
		message_template_category: z.string(),
		reason: z.string().nullable(),
	}),
});
const templateCategory = z.strictObject({
	...templateEvent,
	field: z.literal('template_category_update'),
	type: z.literal('TEMPLATE_CATEGORY_UPDATE'),
	value: z.strictObject({
		...templateValue,
		category_update_timestamp: z.number().int(),
		correct_category: z.string(),
		new_category: z.string(),
		previous_category: z.string(),
	}),
});

/** Every body that a delivery can have, by its name in the document. */
export const BODIES = {
	MessageReceived: messageEvent(MESSAGE_EVENT_TYPES.newMessage, customer),
	MessageSent: messageEvent(MESSAGE_EVENT_TYPES.newMessage, business),
	MessageStatus: messageEvent(MESSAGE_EVENT_TYPES.status, business),
	Connected: connectionEvent('CONNECTED'),
	Disconnected: connectionEvent('DISCONNECTED'),
	TemplateStatus: z.array(templateStatus).length(1),
	TemplateCategory: z.array(templateCategory).length(1),
};
export type BodyName = keyof typeof BODIES;

export interface EventDescription {
	summary: string;
	/** The body is one of these. */
	bodies: BodyName[];
}

/** Channel events that can be subscribed to and are never sent: their bodies are not published. */
type NeverSent = 'PRESENCE_CHAT' | 'INITIAL_DATA' | 'BLOCK';

export const CHANNEL_EVENT_DESCRIPTIONS: Record<
	Exclude<ChannelEvent, NeverSent>,
	EventDescription
> = {
	MESSAGE_RECEIVED: { summary: 'A customer wrote a message', bodies: ['MessageReceived'] },
	MESSAGE_STATUS: {
		summary: 'A message of the business changed its state. `state_items` has all states so far',
		bodies: ['MessageStatus'],
	},
	MESSAGE_DELIVERY: {
		summary: 'The business wrote, through the API or on a phone',
		bodies: ['MessageSent'],
	},
	RECEIVED_STATUS: {
		summary: 'MESSAGE_RECEIVED and MESSAGE_STATUS',
		bodies: ['MessageReceived', 'MessageStatus'],
	},
	RECEIVED_AND_DELIVERY: {
		summary: 'MESSAGE_RECEIVED and MESSAGE_DELIVERY',
		bodies: ['MessageReceived', 'MessageSent'],
	},
	CONNECTED: { summary: 'The channel was connected', bodies: ['Connected'] },
	DISCONNECTED: { summary: 'The channel was disconnected', bodies: ['Disconnected'] },
};

export const TEMPLATE_EVENT_DESCRIPTIONS: Record<TemplateEvent, EventDescription> = {
	UPDATE_TEMPLATE_STATUS: {
		summary: 'A message template was approved, rejected, paused or deleted',
		bodies: ['TemplateStatus'],
	},
	UPDATE_TEMPLATE_CATEGORY: {
		summary: 'The category of a message template changed',
		bodies: ['TemplateCategory'],
	},
};
