import { z } from 'zod';

import { givenText, openObject, requiredText } from './common';

/** Characters in the caption of an image or video. Source: an older published page. */
export const CAPTION_MAX = 1024;

/** Quick-reply buttons in a message. Source: published. */
export const REPLY_BUTTONS_MAX = 3;

const templateComponentSchema = openObject({ type: requiredText });
export type TemplateComponent = z.infer<typeof templateComponentSchema>;

/** `components` is required, and holds the body even without parameters. */
const templateSchema = z.strictObject({
	name: requiredText,
	language: z.strictObject({ policy: z.literal('deterministic'), code: requiredText }),
	components: z.array(templateComponentSchema),
});
export const templateContentSchema = z.strictObject({
	type: z.literal('TEMPLATE'),
	attachments: z.array(z.strictObject({ template: templateSchema })).min(1),
});

/**
 * Response of send. `messageId` equals `message._id` of the message's events. Source: description;
 * the equality: published.
 */
export const sendResponseSchema = openObject({ messageId: givenText });

/** The largest file that the service converts. Source: an older published page. */
export const MEDIA_INPUT_MAX = 100 * 1024 ** 2;
