import { z } from 'zod';

import { openObject, requiredText } from './common';

/** Characters in the caption of an image or video. Source: an older published page. */
export const CAPTION_MAX = 1024;

/** Quick-reply buttons in a message. Source: published. */
export const REPLY_BUTTONS_MAX = 3;

const templateComponentSchema = openObject({ type: requiredText });
export type TemplateComponent = z.infer<typeof templateComponentSchema>;

/** `components` is required, and holds the body even without parameters. */
export const templateContentSchema = z
	.object({
		type: z.literal('TEMPLATE'),
		attachments: z
			.array(
				z
					.object({
						template: z
							.object({
								name: requiredText,
								language: z
									.object({ policy: z.literal('deterministic'), code: requiredText })
									.strict(),
								components: z.array(templateComponentSchema),
							})
							.strict(),
					})
					.strict(),
			)
			.min(1),
	})
	.strict();

/**
 * Response of send. `messageId` equals `message._id` of the message's events. Source: description;
 * the equality: published.
 */
export const sendResponseSchema = openObject({ messageId: requiredText });

/** The largest file that the service converts. Source: an older published page. */
export const MEDIA_INPUT_MAX = 100 * 1024 ** 2;
