import { z } from 'zod';

import { anyWords, givenText, openObject, requiredText } from './common';

/** Entries on a page of the channel list. Source: published. */
export const CHANNEL_PAGE_SIZE = { max: 100, default: 20 } as const;

/** Body of `POST /v1/channels`. Source: published. */
export const createChannelRequestSchema = z.object({ name: requiredText, type: requiredText });
export type CreateChannelRequest = z.infer<typeof createChannelRequestSchema>;

/** Response of `POST /v1/channels` (200 or 201). Source: published. */
export const createChannelResponseSchema = openObject({ id: givenText });

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
	id: givenText,
	name: anyWords,
	type: anyWords,
	businessId: anyWords,
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

/** Responses (422, shape A) to the deletion of a connected or paid channel. Source: published. */
export const INSTANCE_STILL_CONNECTED = 'INSTANCE_STILL_CONNECTED';
export const INSTANCE_HAS_ACTIVE_SUBSCRIPTION = 'INSTANCE_HAS_ACTIVE_SUBSCRIPTION';

/**
 * Response of `GET /v1/channels/{channelId}/subscribe`, which charges the account although it is a
 * GET. Source: published: `type` is SUBSCRIPTION_UPDATED.
 */
export const subscribedSchema = openObject({ type: anyWords, message: anyWords });

/** Responses (422, shape A) to a subscription. Source: published. */
export const CREDIT_LIMIT_EXCEEDED = 'CREDIT_LIMIT_EXCEEDED';
export const SUBSCRIPTION_TERMINATED = 'SUBSCRIPTION_TERMINATED';
