import { z } from 'zod';

import { requiredText } from './common';

/** The type of channel that the description knows. The service may know more: others are passed through. */
export const CHANNEL_TYPE = 'OFFICIAL_CHATAPP';

/** Largest and usual page of the channel list. Source: published. */
export const CHANNEL_PAGE_SIZE = { max: 100, default: 20 } as const;

/** Body of `POST /v1/channels`. Source: published. */
export const createChannelRequestSchema = z.object({ name: requiredText, type: requiredText });
export type CreateChannelRequest = z.infer<typeof createChannelRequestSchema>;

/** Response of `POST /v1/channels` (200 or 201). Source: published. */
export const createChannelResponseSchema = z.object({ id: requiredText }).passthrough();

/** Body of `POST /v1/channels/{channelId}/connect`: what the connection SDK produced. Source: description; all required: published. */
export const connectRequestSchema = z.object({
	wabaId: requiredText,
	phoneId: requiredText,
	code: requiredText,
	coexistence: z.boolean(),
});
export type ConnectRequest = z.infer<typeof connectRequestSchema>;

/** Response of connect. Source: description. */
export const connectResponseSchema = z.object({ success: z.boolean() }).passthrough();

/** Response of disconnect: `true`. Source: published. */
export const disconnectResponseSchema = z.boolean();

/** An entry of the channel list, or a channel by itself, then with `webhooks: [{id, url, events}]`. It can hold a `token`, which is a secret. Source: published. */
export const channelSchema = z
	.object({ id: requiredText, name: z.string().nullish(), type: z.string().nullish() })
	.passthrough();
export type Channel = z.infer<typeof channelSchema>;

/** Response of `GET /v1/channels`. `page` starts at 0 on newer pages; older ones do not say. Source: published. */
/** Response of `GET /v1/channels`. Whether `page` starts at 0 or 1 is not published. Source: published. */
export const channelPageSchema = z
	.object({
		total: z.number().int(),
		totalPage: z.number().int(),
		pageSize: z.number().int(),
		page: z.number().int(),
		content: z.array(channelSchema),
	})
	.passthrough();

/** Responses to an account without the ENTERPRISE role. Those of getting and of disconnecting a channel are not published. Source: published. */
export const CHANNEL_LIST_NEEDS_ROLE = 'Channel listing requires ENTERPRISE role';
export const CHANNEL_DELETION_NEEDS_ROLE = 'Channel deletion requires ENTERPRISE role';

/** Response (400, shape B) of listing and getting channels to a wrong key. Source: published. */
export const CHANNELS_UNAUTHORIZED = 'Authorization invalid';

/** Response (404, shape A) of deleting to a channel that the account does not have. Source: published. */
export const INSTANCE_NOT_FOUND = 'Instance not found';

/** Response (422, shape A) to deleting a channel that is connected. Source: published. */
export const INSTANCE_STILL_CONNECTED = 'INSTANCE_STILL_CONNECTED';

/** Body of `DELETE /v1/channels/{channelId}`, which can be left out. Source: published. */
export const deleteChannelRequestSchema = z.object({ cancelReason: requiredText.optional() });
export type DeleteChannelRequest = z.infer<typeof deleteChannelRequestSchema>;
