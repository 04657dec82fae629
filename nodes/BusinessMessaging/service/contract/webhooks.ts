import { z } from 'zod';

import {
	anyFlag,
	anyObject,
	anyTexts,
	anyWords,
	givenText,
	openObject,
	requiredText,
} from './common';

/** Four channel events of the description, and the published ones. */
export const CHANNEL_EVENTS = [
	...['MESSAGE_RECEIVED', 'MESSAGE_STATUS', 'CONNECTED', 'DISCONNECTED', 'MESSAGE_DELIVERY'],
	...['RECEIVED_STATUS', 'RECEIVED_AND_DELIVERY', 'PRESENCE_CHAT', 'INITIAL_DATA', 'BLOCK'],
] as const;
export type ChannelEvent = (typeof CHANNEL_EVENTS)[number];

/** Template events. Source: description. */
export const TEMPLATE_EVENTS = ['UPDATE_TEMPLATE_STATUS', 'UPDATE_TEMPLATE_CATEGORY'] as const;
export type TemplateEvent = (typeof TEMPLATE_EVENTS)[number];

/** Characters in a webhook's URL. Source: published. */
export const WEBHOOK_URL_MAX = 2048;

export const WEBHOOK_STATUSES = ['ENABLED', 'DISABLED'] as const;

/** Credentials that the service sends with each delivery. Write-only. Source: published. */
export const webhookAuthSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('NONE') }),
	z.object({ type: z.literal('BEARER'), token: requiredText }),
	z.object({ type: z.literal('API_KEY'), key: requiredText }),
	z.object({ type: z.literal('BASIC'), username: requiredText, password: requiredText }),
	z.object({
		type: z.literal('CUSTOM_HEADER'),
		headerName: requiredText,
		headerValue: requiredText,
	}),
]);
export type WebhookAuth = z.infer<typeof webhookAuthSchema>;

/** The credentials of a webhook in lists. Source: description. */
export const webhookAuthInfoSchema = openObject({
	type: anyWords,
	configured: anyFlag,
});

/** Body of webhook create. The events depend on the kind of webhook. Source: published. */
export const createWebhookRequestSchema = z.object({
	url: z
		.string()
		.min(1)
		.max(WEBHOOK_URL_MAX)
		.url()
		.regex(/^https?:\/\//i, 'must start with http:// or https://'),
	events: z.array(requiredText).min(1),
	description: z.string().nullish(),
	signing: z.boolean().optional(),
	auth: webhookAuthSchema.optional(),
	payloadFormat: requiredText.optional(),
	customAttributes: z.record(z.unknown()).optional(),
});
export type CreateWebhookRequest = z.infer<typeof createWebhookRequestSchema>;

/** Body of webhook update. `events` replaces all, `signing` the secret. Source: published. */
export const updateWebhookRequestSchema = createWebhookRequestSchema
	.extend({ status: z.enum(WEBHOOK_STATUSES) })
	.partial();
export type UpdateWebhookRequest = z.infer<typeof updateWebhookRequestSchema>;

/** A webhook in a list. Only the fields that the nodes need are required. Source: description. */
export const webhookSchema = openObject({
	id: givenText,
	channelId: anyWords,
	instanceId: anyWords,
	url: z.string(),
	description: anyWords,
	events: anyTexts.transform((events) => events ?? []),
	status: z.string(),
	signing: anyFlag,
	auth: anyObject(webhookAuthInfoSchema),
	payloadFormat: anyWords,
	customAttributes: anyObject(z.record(z.unknown())),
	createdAt: anyWords,
	updatedAt: anyWords,
});
export type Webhook = z.infer<typeof webhookSchema>;

export const webhookListSchema = z.array(webhookSchema);

/** Response of create and update. With `signing: true` it has the secret. Source: description. */
export const webhookWithSecretSchema = webhookSchema.extend({ secret: requiredText.nullish() });
export type WebhookWithSecret = z.infer<typeof webhookWithSecretSchema>;
