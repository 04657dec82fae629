import { z } from 'zod';

import {
	channelSchema,
	CHANNEL_EVENTS,
	CHANNEL_PAGE_SIZE,
	channelPageSchema,
	createChannelResponseSchema,
	connectResponseSchema,
	idSchema,
	sendResponseSchema,
	TEMPLATE_EVENTS,
	WEBHOOK_STATUSES,
	webhookSchema,
} from '../contract.mts';

/**
 * What the sandbox responds, as strictly as it is known. The schemas of the contract leave much open, because a client must bear with what
 * the service leaves out or adds; here every field is there and nothing else.
 */
const webhook = webhookSchema.extend({
	id: idSchema,
	url: z.string().url(),
	description: z.string().nullable(),
	status: z.enum(WEBHOOK_STATUSES),
	signing: z.boolean(),
	auth: z
		.object({
			type: z.enum(['NONE', 'BEARER', 'API_KEY', 'BASIC', 'CUSTOM_HEADER']),
			configured: z.boolean(),
		})
		.strict(),
	payloadFormat: z.literal('DEFAULT'),
	customAttributes: z.record(z.unknown()),
});
const channelDate = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+0000$/);
const templateDate = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+00:00$/);
const secret = {
	secret: z
		.string()
		.regex(/^[0-9a-f]{64}$/)
		.optional(),
};

export const channelWebhook = webhook
	.extend({
		channelId: idSchema,
		instanceId: idSchema,
		events: z.array(z.enum(CHANNEL_EVENTS)).min(1),
		createdAt: channelDate,
		updatedAt: channelDate,
	})
	.strict();
export const templateWebhook = webhook
	.extend({
		channelId: z.null(),
		instanceId: z.null(),
		events: z.array(z.enum(TEMPLATE_EVENTS)).min(1),
		createdAt: templateDate,
		updatedAt: templateDate,
	})
	.strict();
export const channelWebhookWithSecret = channelWebhook.extend(secret);
export const templateWebhookWithSecret = templateWebhook.extend(secret);

export const sent = sendResponseSchema.extend({ messageId: idSchema }).strict();
export const connected = connectResponseSchema.strict();
export const channelCreated = createChannelResponseSchema.extend({ id: idSchema }).strict();
const channelFields = {
	id: idSchema,
	name: z.string(),
	type: z.string(),
	token: z.string(),
	tenant: idSchema,
	created: z.string().datetime(),
	due: z.number().int().nullable(),
	paymentStatus: z.string(),
	trial: z.boolean(),
	phoneConnected: z.boolean(),
	phoneNumberConnected: z.string().nullable(),
	businessId: z.string().nullable(),
	webhooksCount: z.number().int(),
};
export const channelPage = channelPageSchema
	.extend({
		pageSize: z.number().int().min(1).max(CHANNEL_PAGE_SIZE.max),
		content: z.array(channelSchema.extend(channelFields).strict()),
	})
	.strict();
const webhookOfChannel = z
	.object({ id: idSchema, url: z.string().url(), events: z.array(z.enum(CHANNEL_EVENTS)) })
	.strict();
export const channelWithWebhooks = channelSchema
	.extend({ ...channelFields, webhooks: z.array(webhookOfChannel) })
	.strict();

/** The shapes that send refuses in besides A: C as told by the settings and of media, D of templates. */
export const errorC = z
	.object({
		timestamp: z.string(),
		code: z.string(),
		message: z.string(),
		subCode: z.string().optional(),
	})
	.strict();
export const errorD = z
	.object({
		error: z
			.object({
				errors: z.array(z.object({ message: z.string(), code: z.number().int() }).strict()),
			})
			.strict(),
	})
	.strict();
