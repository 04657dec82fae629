import { z } from 'zod';

/**
 * Bodies of deliveries, as published. Only the fields that identify the kind of event are required:
 * no customer's message may be lost because of a missing field.
 */

const partySchema = z
	.object({ identifier: z.string().nullish(), name: z.string().nullish() })
	.passthrough();

const stateItemSchema = z
	.object({
		moment: z.number().nullish(),
		state: z.object({ name: z.string().nullish() }).passthrough().nullish(),
	})
	.passthrough();

const contentSchema = z
	.object({
		type: z.string().nullish(),
		message: z.unknown(),
		state_items: z.array(stateItemSchema).nullish(),
	})
	.passthrough();
export type MessageContent = z.infer<typeof contentSchema>;

const attachmentSchema = z
	.object({
		type: z.string().nullish(),
		url: z.string().nullish(),
		caption: z.string().nullish(),
		thumbnail_url: z.string().nullish(),
		state_items: z.array(stateItemSchema).nullish(),
	})
	.passthrough();
export type MessageAttachment = z.infer<typeof attachmentSchema>;

/**
 * Body of a message event. Its status is the newest `state_items[].state.name` by `moment`, in
 * milliseconds. Source: published.
 */
export const messageEventSchema = z
	.object({
		message: z
			.object({
				_id: z.string(),
				channel_id: z.string().nullish(),
				created: z.number().nullish(),
				metadata: z
					.object({
						from_me: z.boolean().nullish(),
						/** A boolean: whether a message of the business was sent through the API. */
						from_api: z.unknown(),
						forwarded: z.unknown(),
						moment: z.number().nullish(),
					})
					.passthrough()
					.nullish(),
				sender: partySchema.nullish(),
				recipient: partySchema.nullish(),
				contents: z.array(contentSchema).nullish(),
				attachments: z.array(attachmentSchema).nullish(),
			})
			.passthrough(),
		messageEventType: z.string().nullish(),
	})
	.passthrough();
export type MessageEvent = z.infer<typeof messageEventSchema>;

const templateEventBase = {
	identifier: z.string().nullish(),
	type: z.string().nullish(),
	waba_id: z.string().nullish(),
};
const templateValueBase = {
	message_template_id: z.union([z.string(), z.number()]).nullish(),
	message_template_name: z.string().nullish(),
	message_template_language: z.string().nullish(),
};

/** One element of a template status delivery. Source: published. */
export const templateStatusEventSchema = z
	.object({
		...templateEventBase,
		field: z.literal('message_template_status_update'),
		value: z
			.object({
				...templateValueBase,
				event: z.string(),
				reason: z.string().nullish(),
				message_template_category: z.string().nullish(),
			})
			.passthrough(),
	})
	.passthrough();
export type TemplateStatusEvent = z.infer<typeof templateStatusEventSchema>;

/** One element of a template category delivery. Source: published. */
export const templateCategoryEventSchema = z
	.object({
		...templateEventBase,
		field: z.literal('template_category_update'),
		value: z
			.object({
				...templateValueBase,
				category_update_timestamp: z.union([z.string(), z.number()]).nullish(),
				correct_category: z.string().nullish(),
				new_category: z.string().nullish(),
				previous_category: z.string().nullish(),
			})
			.passthrough(),
	})
	.passthrough();
export type TemplateCategoryEvent = z.infer<typeof templateCategoryEventSchema>;
