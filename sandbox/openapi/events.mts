import type { OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';

import {
	type ChannelEvent,
	GZIP_THRESHOLD,
	IDEMPOTENCY_HEADER,
	idSchema,
	MESSAGE_EVENT_TYPES,
	SIGNATURE_HEADER,
	type TemplateEvent,
} from '../contract.mts';
import { attachment, businessContent, customerContent } from '../events/contents.mts';

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

const BODIES = {
	MessageReceived: messageEvent(MESSAGE_EVENT_TYPES.newMessage, customer),
	MessageSent: messageEvent(MESSAGE_EVENT_TYPES.newMessage, business),
	MessageStatus: messageEvent(MESSAGE_EVENT_TYPES.status, business),
	Connected: connectionEvent('CONNECTED'),
	Disconnected: connectionEvent('DISCONNECTED'),
	TemplateStatus: z.array(templateStatus).length(1),
	TemplateCategory: z.array(templateCategory).length(1),
};
type Body = keyof typeof BODIES;

/** Can be subscribed to and is never sent: the bodies are not published. */
type NeverSent = 'PRESENCE_CHAT' | 'INITIAL_DATA' | 'BLOCK';

/** What happened, and the body: one of these, where there are two. */
const EVENTS: Record<
	Exclude<ChannelEvent, NeverSent> | TemplateEvent,
	[summary: string, body: Body, other?: Body]
> = {
	MESSAGE_RECEIVED: ['A customer wrote a message', 'MessageReceived'],
	MESSAGE_STATUS: [
		'A message of the business changed its state. `state_items` has all states so far',
		'MessageStatus',
	],
	MESSAGE_DELIVERY: ['The business wrote, through the API or on a phone', 'MessageSent'],
	RECEIVED_STATUS: ['MESSAGE_RECEIVED and MESSAGE_STATUS', 'MessageReceived', 'MessageStatus'],
	RECEIVED_AND_DELIVERY: [
		'MESSAGE_RECEIVED and MESSAGE_DELIVERY',
		...(['MessageReceived', 'MessageSent'] as const),
	],
	CONNECTED: ['The channel was connected', 'Connected'],
	DISCONNECTED: ['The channel was disconnected', 'Disconnected'],
	UPDATE_TEMPLATE_STATUS: [
		'A message template was approved, rejected, paused or deleted',
		'TemplateStatus',
	],
	UPDATE_TEMPLATE_CATEGORY: ['The category of a message template changed', 'TemplateCategory'],
};

const header = (description: string) => z.string().openapi({ description });

/** Adds the events that the sandbox delivers, as the webhooks of a document. */
export function registerEvents(registry: OpenAPIRegistry): void {
	const headers = z.object({
		'content-encoding': z
			.literal('gzip')
			.optional()
			.openapi({ description: `For bodies of ${GZIP_THRESHOLD} bytes or more` }),
		[IDEMPOTENCY_HEADER]: header(
			'Topic, partition and offset, separated by colons. A redelivery has the same key',
		),
		[SIGNATURE_HEADER]: header(
			'With signing: `t=<seconds>,v1=<HMAC-SHA256 in hexadecimal>`, over the seconds, topic, partition and offset, each on its own line, and the body before compression. Every attempt has a new signature',
		).optional(),
	});
	const bodies = new Map<Body, z.ZodTypeAny>();
	for (const [name, schema] of Object.entries(BODIES))
		bodies.set(name as Body, registry.register(name, schema));
	for (const [event, [summary, body, other]] of Object.entries(EVENTS)) {
		const one = bodies.get(body)!;
		const schema = other ? z.union([one, bodies.get(other)!]) : one;
		registry.registerWebhook({
			...{ method: 'post', path: event, summary },
			request: { headers, body: { required: true, content: { 'application/json': { schema } } } },
			responses: { '2XX': { description: 'Received. Any other response is tried again' } },
		});
	}
}
