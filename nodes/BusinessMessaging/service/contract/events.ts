import { z } from 'zod';

import { anyNumber, openObject, optionalText } from './common';

/** Bodies of deliveries, as published. No message may be lost because of a missing field. */

const partySchema = openObject({ identifier: optionalText, name: optionalText });

const stateItemSchema = openObject({
	moment: anyNumber.nullish(),
	state: openObject({ name: optionalText }).nullish(),
});

const contentSchema = openObject({
	type: optionalText,
	message: z.unknown(),
	state_items: z.array(stateItemSchema).nullish(),
});
export type MessageContent = z.infer<typeof contentSchema>;

const attachmentSchema = openObject({
	type: optionalText,
	url: optionalText,
	caption: optionalText,
	thumbnail_url: optionalText,
	state_items: z.array(stateItemSchema).nullish(),
});
export type MessageAttachment = z.infer<typeof attachmentSchema>;

/** Body of a message event. `moment` is in milliseconds. Source: published. */
export const messageEventSchema = openObject({
	message: openObject({
		_id: z.string(),
		channel_id: optionalText,
		created: anyNumber.nullish(),
		metadata: openObject({
			from_me: z.boolean().nullish(),
			/** A boolean: whether a message of the business was sent through the API. */
			from_api: z.unknown(),
			forwarded: z.unknown(),
			moment: anyNumber.nullish(),
		}).nullish(),
		sender: partySchema.nullish(),
		recipient: partySchema.nullish(),
		contents: z.array(contentSchema).nullish(),
		attachments: z.array(attachmentSchema).nullish(),
	}),
	messageEventType: optionalText,
});
export type MessageEvent = z.infer<typeof messageEventSchema>;

const templateEventBase = { identifier: optionalText, type: optionalText, waba_id: optionalText };
const templateValueBase = {
	message_template_id: z.union([z.string(), z.number()]).nullish(),
	message_template_name: optionalText,
	message_template_language: optionalText,
};

/** One element of a template status delivery. Source: published. */
export const templateStatusEventSchema = openObject({
	...templateEventBase,
	field: z.literal('message_template_status_update'),
	value: openObject({
		...templateValueBase,
		event: z.string(),
		reason: optionalText,
		message_template_category: optionalText,
	}),
});
export type TemplateStatusEvent = z.infer<typeof templateStatusEventSchema>;

/** One element of a template category delivery. Source: published. */
export const templateCategoryEventSchema = openObject({
	...templateEventBase,
	field: z.literal('template_category_update'),
	value: openObject({
		...templateValueBase,
		category_update_timestamp: z.union([z.string(), z.number()]).nullish(),
		correct_category: optionalText,
		new_category: optionalText,
		previous_category: optionalText,
	}),
});
export type TemplateCategoryEvent = z.infer<typeof templateCategoryEventSchema>;
