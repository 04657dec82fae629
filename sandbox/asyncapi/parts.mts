import { z } from 'zod';

import {
	BUTTON_REPLY_FIELD,
	BUTTON_REPLY_TYPE,
	idSchema,
	MESSAGE_STATES,
	REPLY_BUTTONS_MAX,
} from '../contract.mts';

/**
 * The parts of a message event as the sandbox sends them: exactly these fields. The schemas of
 * the contract are looser, because a receiver must tolerate fields that are missing or new.
 */
const named = <T extends string>(className: T) => ({
	'@class': z.literal(className),
	identifier: idSchema,
});

const stateItem = z
	.object({
		...named('.StateItem'),
		integration_message_ids: z.array(z.string()),
		moment: z.number().int(),
		state: z.union([
			z.object({ '@class': z.string(), name: z.enum(MESSAGE_STATES).exclude(['FAILED']) }).strict(),
			z
				.object({
					'@class': z.string(),
					name: z.literal('FAILED'),
					code: z.union([z.string(), z.number().int()]),
					message: z.string(),
				})
				.strict(),
		]),
	})
	.strict();

/** An http or https URL as it was given; its characters need not all be encoded. */
const address = z.string().min(1);

const common = { identifier: idSchema, state_items: z.array(stateItem).min(1) };
const noInformation = z.object({}).strict();

const text = z
	.object({
		...common,
		'@class': z.literal('.TextContent'),
		type: z.literal('TEXT'),
		internal_information: noInformation,
		message: z.string(),
	})
	.strict();

const contact = z
	.object({
		...named('.ContactContent'),
		type: z.literal('CONTACT'),
		name: z.string(),
		first_name: z.string(),
		last_name: z.string(),
		phones: z.array(z.string()).min(1),
	})
	.strict();

const contacts = z
	.object({
		...common,
		'@class': z.literal('.ContactArrayContent'),
		type: z.literal('CONTACT_ARRAY'),
		internal_information: noInformation,
		contacts: z.array(contact).min(1),
	})
	.strict();

const replyButton = z
	.object({
		...named('.ButtonContent'),
		type: z.literal('BUTTON'),
		id: z.string(),
		title: z.string(),
	})
	.strict();

const replyButtons = z
	.object({
		...common,
		'@class': z.literal('.InteractiveButtonContent'),
		type: z.literal('INTERACTIVE_BUTTON'),
		internal_information: z
			.object({ mediaButtonType: z.enum(['TEXT', 'IMAGE', 'VIDEO']) })
			.strict(),
		message: z.string(),
		thumbnail: address.optional(),
		buttons: z.array(replyButton).min(1).max(REPLY_BUTTONS_MAX),
	})
	.strict();

const actionButton = z
	.object({
		...named('.ButtonActionContent'),
		id: z.string(),
		title: z.string(),
	})
	.strict();

const part = <T extends string>(className: T) =>
	z.object({ ...named(className), type: z.literal('BUTTON'), message: z.string() }).strict();

const actionButtons = z
	.object({
		...common,
		'@class': z.literal('.InteractiveActionContent'),
		type: z.literal('INTERACTIVE_ACTION'),
		internal_information: noInformation,
		message: z.string(),
		action: z.object({ ...named('.ActionContent'), type: z.literal('BUTTON') }).strict(),
		header: part('.HeaderContent').optional(),
		footer: part('.FooterContent').optional(),
		buttons: z
			.array(
				z.union([
					actionButton.extend({ type: z.literal('URL'), url: address }),
					actionButton.extend({ type: z.literal('CALL'), phone: z.string() }),
				]),
			)
			.min(1),
	})
	.strict();

const template = z
	.object({
		...common,
		'@class': z.literal('.TemplateContent'),
		type: z.literal('TEMPLATE'),
		internal_information: noInformation,
		message: z.string(),
		template: z
			.object({
				name: z.string(),
				language: z.object({ policy: z.literal('deterministic'), code: z.string() }).strict(),
				components: z.array(z.object({ type: z.string() }).passthrough()),
			})
			.strict(),
	})
	.strict();

/** The button that a customer tapped: its title and, if it has one, its id. */
const buttonReply = z
	.object({
		...common,
		'@class': z.literal('.InteractiveButtonContent'),
		type: z.literal(BUTTON_REPLY_TYPE),
		internal_information: noInformation,
		message: z.string(),
		[BUTTON_REPLY_FIELD]: z.object({ id: z.string(), title: z.string() }).strict().optional(),
	})
	.strict();

const file = { ...common, internal_information: noInformation, url: address };
const caption = z.string().optional();

/** An entry of `attachments`. A message that is a file has one. */
export const attachment = z.union([
	z
		.object({
			...file,
			'@class': z.literal('.ImageAttachment'),
			type: z.literal('IMAGE'),
			caption,
			thumbnail_url: address,
		})
		.strict(),
	z
		.object({
			...file,
			'@class': z.literal('.VideoAttachment'),
			type: z.literal('VIDEO'),
			caption,
		})
		.strict(),
	z.object({ ...file, '@class': z.literal('.AudioAttachment'), type: z.literal('AUDIO') }).strict(),
	z
		.object({ ...file, '@class': z.literal('.StickerAttachment'), type: z.literal('STICKER') })
		.strict(),
]);

/** An entry of `contents` of a customer's message. A message that is not a file has one. */
export const customerContent = z.union([text, contacts, buttonReply]);

/** The same for the business's messages. */
export const businessContent = z.union([text, contacts, replyButtons, actionButtons, template]);
