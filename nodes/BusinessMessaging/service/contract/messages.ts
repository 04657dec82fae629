import { z } from 'zod';

import { requiredText } from './common';

/** Body of `POST /v1/channels/{channelId}/messages`. Source: description; all required: published. */
export const sendRequestSchema = z.object({
	recipient: z.object({ identifier: requiredText }),
	content: z.object({ type: z.literal('TEXT'), body: z.object({ message: requiredText }) }),
});
export type SendRequest = z.infer<typeof sendRequestSchema>;

/** Answer of send. `messageId` equals `message._id` of the events about it. Source: description; the equality: published. */
export const sendResponseSchema = z.object({ messageId: requiredText }).passthrough();
