import { z } from 'zod';

import { openObject, optionalText, requiredText } from './common';

/** Entries on a page of the channel list. Source: published. */
export const CHANNEL_PAGE_SIZE = { max: 100, default: 20 } as const;

/** Body of `POST /v1/channels`. Source: published. */
export const createChannelRequestSchema = z.object({ name: requiredText, type: requiredText });
export type CreateChannelRequest = z.infer<typeof createChannelRequestSchema>;

/** Response of `POST /v1/channels` (200 or 201). Source: published. */
export const createChannelResponseSchema = openObject({ id: requiredText });

/**
 * Body of `POST /v1/channels/{channelId}/connect` for a channel of the official kind: four fields
 * of the connection SDK's result. Source: description; all required: published.
 */
export const connectRequestSchema = z.object({
	wabaId: requiredText,
	phoneId: requiredText,
	code: requiredText,
	coexistence: z.boolean(),
});

/**
 * The same body for a channel of any kind: what the connection SDK returned, as it is. By kind it
 * holds `code`, `accessToken`, `pageId` or `botToken`, with `success` and `channelId` beside. All
 * of its values are secrets. Source: published.
 */
export type ConnectionData = Readonly<Record<string, unknown>>;

/** Response of connect. Source: description. */
export const connectResponseSchema = openObject({ success: z.boolean() });

/** Response of disconnect: `true`. Source: published. */
export const disconnectResponseSchema = z.boolean();

/** A channel, by its ID with `webhooks`. Its `token` is a secret. Source: published. */
export const channelSchema = openObject({
	id: requiredText,
	name: optionalText,
	type: optionalText,
});
export type Channel = z.infer<typeof channelSchema>;

/** Response of `GET /v1/channels`. On newer pages, `page` starts at 0. Source: published. */
export const channelPageSchema = openObject({
	total: z.number().int(),
	totalPage: z.number().int(),
	pageSize: z.number().int(),
	page: z.number().int(),
	content: z.array(channelSchema),
});

/**
 * Responses (422) to an account without the ENTERPRISE role. Getting one channel has the message of
 * the list. Disconnecting needs no role; one page says that creating needs it. Source: published.
 */
export const CHANNEL_LIST_NEEDS_ROLE = 'Channel listing requires ENTERPRISE role';
export const CHANNEL_DELETION_NEEDS_ROLE = 'Channel deletion requires ENTERPRISE role';

/** Response (400, shape B) to a wrong key when channels are listed or read. Source: published. */
export const CHANNELS_UNAUTHORIZED = 'Authorization invalid';

/** Response (404, shape A) to the deletion of an unknown channel. Source: published. */
export const INSTANCE_NOT_FOUND = 'Instance not found';

/** Responses (422, shape A) to the deletion of a connected or paid channel. Source: published. */
export const INSTANCE_STILL_CONNECTED = 'INSTANCE_STILL_CONNECTED';
export const INSTANCE_HAS_ACTIVE_SUBSCRIPTION = 'INSTANCE_HAS_ACTIVE_SUBSCRIPTION';

/** Optional body of a channel's deletion, and of the end of a subscription. Source: published. */
export const cancelReasonSchema = z.object({ cancelReason: requiredText.optional() });

/**
 * Response of `GET /v1/channels/{channelId}/subscribe`, which charges the account although it is a
 * GET. Source: published: `type` is SUBSCRIPTION_UPDATED.
 */
export const subscribedSchema = openObject({ type: optionalText, message: optionalText });
export const SUBSCRIPTION_UPDATED = 'SUBSCRIPTION_UPDATED';

/** Responses (422, shape A) to a subscription. Source: published. */
export const CREDIT_LIMIT_EXCEEDED = 'CREDIT_LIMIT_EXCEEDED';
export const SUBSCRIPTION_TERMINATED = 'SUBSCRIPTION_TERMINATED';

/** Response (400, shape A) to `DELETE …/cancel` without `?cancel=true`. Source: published. */
export const CANCEL_REQUIRED = 'cancel query param is required';
