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

/** Codes of errors about media, and their status. After a 502, nothing was sent. Same source. */
export const MEDIA_SUB_CODES = {
	MEDIA_URL_REQUIRED: 400,
	MEDIA_INVALID_URL: 400,
	MEDIA_INVALID_DATA_URL: 400,
	MEDIA_MIME_NOT_ALLOWED: 400,
	MEDIA_TOO_LARGE: 400,
	MEDIA_CAPTION_TOO_LONG: 400,
	MEDIA_UNSUPPORTED_ATTACHMENT: 400,
	MEDIA_DOWNLOAD_FAILED: 502,
	MEDIA_CONVERSION_FAILED: 502,
	MEDIA_UPLOAD_FAILED: 502,
	MEDIA_PROCESSING_FAILED: 502,
} as const;
export type MediaSubCode = keyof typeof MEDIA_SUB_CODES;
