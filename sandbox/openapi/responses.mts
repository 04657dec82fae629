import { z } from 'zod';

import { CHANNEL_TYPES } from '../channelTypes.mts';
import { PAYLOAD_FORMATS } from '../store/webhooks.mts';
import { PAYMENT_STATUSES } from '../store/payment.mts';
import {
	channelSchema,
	CHANNEL_EVENTS,
	CHANNEL_PAGE_SIZE,
	channelPageSchema,
	createChannelResponseSchema,
	connectResponseSchema,
	idSchema,
	listedTemplateSchema,
	PARAMETER_FORMATS,
	sendResponseSchema,
	SUBSCRIPTION_UPDATED,
	TEMPLATE_EVENTS,
	TEMPLATE_STATUSES,
	templatePageSchema,
	WEBHOOK_STATUSES,
	webhookSchema,
} from '../contract.mts';

/**
 * The sandbox's responses, with exactly these fields. The schemas of the contract are looser,
 * because a client must tolerate fields that are missing or new.
 */
const webhook = webhookSchema.extend({
	id: idSchema,
	url: z.string().url(),
	description: z.string().nullable(),
	status: z.enum(WEBHOOK_STATUSES),
	signing: z.boolean(),
	auth: z.strictObject({
		type: z.enum(['NONE', 'BEARER', 'API_KEY', 'BASIC', 'CUSTOM_HEADER']),
		configured: z.boolean(),
	}),
	customAttributes: z.record(z.unknown()),
});
const channelDate = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+0000$/);
const templateDate = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+00:00$/);
const secret = z.string().regex(/^[0-9a-f]{64}$/);
/**
 * Creating a webhook returns the secret, or null without signing. An update with signing returns
 * the new one.
 */
const createdSecret = { secret: secret.nullable() };
const updatedSecret = { secret: secret.optional() };

export const channelWebhook = webhook
	.extend({
		channelId: idSchema,
		instanceId: idSchema,
		events: z.array(z.enum(CHANNEL_EVENTS)).min(1),
		payloadFormat: z.enum(PAYLOAD_FORMATS.channel),
		createdAt: channelDate,
		updatedAt: channelDate,
	})
	.strict();
export const templateWebhook = webhook
	.extend({
		channelId: z.null(),
		instanceId: z.null(),
		events: z.array(z.enum(TEMPLATE_EVENTS)).min(1),
		payloadFormat: z.enum(PAYLOAD_FORMATS.template),
		createdAt: templateDate,
		updatedAt: templateDate,
	})
	.strict();
export const createdChannelWebhook = channelWebhook.extend(createdSecret);
export const createdTemplateWebhook = templateWebhook.extend(createdSecret);
export const updatedChannelWebhook = channelWebhook.extend(updatedSecret);
export const updatedTemplateWebhook = templateWebhook.extend(updatedSecret);

export const sent = sendResponseSchema.extend({ messageId: idSchema }).strict();
export const connected = connectResponseSchema.strict();
export const subscribed = z.strictObject({
	type: z.literal(SUBSCRIPTION_UPDATED),
	message: z.string(),
});
export const channelCreated = createChannelResponseSchema.extend({ id: idSchema }).strict();
const channelFields = {
	id: idSchema,
	name: z.string(),
	type: z.enum(CHANNEL_TYPES),
	token: z.string(),
	tenant: idSchema,
	created: z.string().datetime(),
	due: z.number().int().nullable(),
	paymentStatus: z.enum(PAYMENT_STATUSES),
	trial: z.boolean(),
	phoneConnected: z.boolean(),
	phoneNumberConnected: z.string().nullable(),
	businessId: z.string().nullable(),
};
export const channelPage = channelPageSchema
	.extend({
		pageSize: z.number().int().min(1).max(CHANNEL_PAGE_SIZE.max),
		content: z.array(
			channelSchema.extend({ ...channelFields, webhooksCount: z.number().int() }).strict(),
		),
	})
	.strict();
const webhookOfChannel = z.strictObject({
	id: idSchema,
	url: z.string().url(),
	events: z.array(z.enum(CHANNEL_EVENTS)),
});
export const channelWithWebhooks = channelSchema
	.extend({ ...channelFields, webhooks: z.array(webhookOfChannel) })
	.strict();

export const businesses = z.array(
	z.strictObject({
		businessId: z.string(),
		name: z.string(),
		channelsCount: z.number().int(),
		connectedCount: z.number().int(),
		disconnectedCount: z.number().int(),
	}),
);

const listedTemplate = listedTemplateSchema
	.extend({
		id: z.string(),
		status: z.enum(TEMPLATE_STATUSES),
		category: z.string(),
		parameter_format: z.enum(PARAMETER_FORMATS),
		message_send_ttl_seconds: z.number().int().optional(),
		components: z.array(z.object({}).passthrough()),
	})
	.strict();

export const templateCreated = z.strictObject({
	id: z.string(),
	status: z.enum(TEMPLATE_STATUSES),
	category: z.string(),
});
export const templateDone = z.strictObject({ success: z.boolean() });
export const templatesSynced = z.strictObject({
	data: z.array(listedTemplate),
	syncedCount: z.number().int(),
	synced: z.boolean(),
});
export const templateLibrary = z.strictObject({
	data: z.array(
		z.strictObject({
			...{ name: z.string(), category: z.string(), body: z.string() },
			languages: z.array(z.string()),
		}),
	),
});

export const templatePage = templatePageSchema
	.extend({
		data: z.array(listedTemplate),
		paging: z
			.strictObject({ cursors: z.strictObject({ before: z.string(), after: z.string() }) })
			.optional(),
	})
	.strict();

/** The error shapes of send besides A: C for media, D for templates. */
export const errorC = z.strictObject({
	timestamp: z.string(),
	code: z.string(),
	message: z.string(),
	subCode: z.string().optional(),
});
const errorsOf = (code: z.ZodTypeAny, more: z.ZodRawShape = {}) =>
	z.strictObject({
		errors: z.array(
			z.strictObject({ message: z.string(), code, description: z.string(), ...more }),
		),
	});
const name = { name: z.string() };
export const errorD = z.strictObject({ error: errorsOf(z.number().int()) });
export const templateErrorD = z.strictObject({
	error: errorsOf(z.string(), { ...name, subCode: z.string().optional() }),
});

/** Shape B of the template routes, with what is wrong. */
export const errorBWithValue = z.strictObject({
	error: z.string(),
	value: errorsOf(z.string(), name),
});
