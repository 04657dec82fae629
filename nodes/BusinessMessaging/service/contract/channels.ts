import { z } from 'zod';

import { requiredText } from './common';

/** The type of channel that the description knows. The service may know more: others are passed through. */
export const CHANNEL_TYPE = 'OFFICIAL_CHATAPP';

/** Largest and usual page of the channel list. Source: published. */
export const CHANNEL_PAGE_SIZE = { max: 100, default: 20 } as const;

/** Body of `POST /v1/channels`. Source: published. */
export const createChannelRequestSchema = z.object({ name: requiredText, type: requiredText });
export type CreateChannelRequest = z.infer<typeof createChannelRequestSchema>;

/** Answer of `POST /v1/channels` (200 or 201). Source: published. */
export const createChannelResponseSchema = z.object({ id: requiredText }).passthrough();

/** Body of `POST /v1/channels/{channelId}/connect`: what the connection SDK produced. Source: description; all required: published. */
export const connectRequestSchema = z.object({
	wabaId: requiredText,
	phoneId: requiredText,
	code: requiredText,
	coexistence: z.boolean(),
});
export type ConnectRequest = z.infer<typeof connectRequestSchema>;

/** Answer of connect. Source: description. */
export const connectResponseSchema = z.object({ success: z.boolean() }).passthrough();

/** An entry of the channel list. It can hold a `token`, which is a secret. Source: published. */
export const channelSchema = z.object({ id: requiredText, name: z.string().nullish(), type: z.string().nullish() }).passthrough();
export type Channel = z.infer<typeof channelSchema>;

/** Answer of `GET /v1/channels`. Whether `page` starts at 0 or 1 is not published. Source: published. */
export const channelPageSchema = z
	.object({
		total: z.number().int(),
		totalPage: z.number().int(),
		pageSize: z.number().int(),
		page: z.number().int(),
		content: z.array(channelSchema),
	})
	.passthrough();
export type ChannelPage = z.infer<typeof channelPageSchema>;
