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

const stateItem = z.strictObject({
	...named('.StateItem'),
	integration_message_ids: z.array(z.string()),
	moment: z.number().int(),
	state: z.union([
		z.strictObject({ '@class': z.string(), name: z.enum(MESSAGE_STATES).exclude(['FAILED']) }),
		z.strictObject({
			'@class': z.string(),
			name: z.literal('FAILED'),
			code: z.union([z.string(), z.number().int()]),
			message: z.string(),
		}),
	]),
});

/** An http or https URL as it was given; its characters need not all be encoded. */
const address = z.string().min(1);

const common = { identifier: idSchema, state_items: z.array(stateItem).min(1) };
const noInformation = z.strictObject({});

const text = z.strictObject({
	...common,
	'@class': z.literal('.TextContent'),
	type: z.literal('TEXT'),
	internal_information: noInformation,
	message: z.string(),
});

const contact = z.strictObject({
	...named('.ContactContent'),
	type: z.literal('CONTACT'),
	name: z.string(),
	first_name: z.string(),
	last_name: z.string(),
	phones: z.array(z.string()).min(1),
});

const contacts = z.strictObject({
	...common,
	'@class': z.literal('.ContactArrayContent'),
	type: z.literal('CONTACT_ARRAY'),
	internal_information: noInformation,
	contacts: z.array(contact).min(1),
});

const replyButton = z.strictObject({
	...named('.ButtonContent'),
	type: z.literal('BUTTON'),
	id: z.string(),
	title: z.string(),
});

const replyButtons = z.strictObject({
	...common,
	'@class': z.literal('.InteractiveButtonContent'),
	type: z.literal('INTERACTIVE_BUTTON'),
	internal_information: z.strictObject({ mediaButtonType: z.enum(['TEXT', 'IMAGE', 'VIDEO']) }),
	message: z.string(),
	thumbnail: address.optional(),
	buttons: z.array(replyButton).min(1).max(REPLY_BUTTONS_MAX),
});

const actionButton = z.strictObject({
	...named('.ButtonActionContent'),
	id: z.string(),
	title: z.string(),
});

const part = <T extends string>(className: T) =>
	z.strictObject({ ...named(className), type: z.literal('BUTTON'), message: z.string() });

const actionButtons = z.strictObject({
	...common,
	'@class': z.literal('.InteractiveActionContent'),
	type: z.literal('INTERACTIVE_ACTION'),
	internal_information: noInformation,
	message: z.string(),
	action: z.strictObject({ ...named('.ActionContent'), type: z.literal('BUTTON') }),
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
});

const template = z.strictObject({
	...common,
	'@class': z.literal('.TemplateContent'),
	type: z.literal('TEMPLATE'),
	internal_information: noInformation,
	message: z.string(),
	template: z.strictObject({
		name: z.string(),
		language: z.strictObject({ policy: z.literal('deterministic'), code: z.string() }),
		components: z.array(z.object({ type: z.string() }).passthrough()),
	}),
});

/** The button that a customer tapped: its title and, if it has one, its id. */
const buttonReply = z.strictObject({
	...common,
	'@class': z.literal('.InteractiveButtonContent'),
	type: z.literal(BUTTON_REPLY_TYPE),
	internal_information: noInformation,
	message: z.string(),
	[BUTTON_REPLY_FIELD]: z.strictObject({ id: z.string(), title: z.string() }).optional(),
});

const file = { ...common, internal_information: noInformation, url: address };
const caption = z.string().optional();

/** An entry of `attachments`. A message that is a file has one. */
export const attachment = z.union([
	z.strictObject({
		...file,
		'@class': z.literal('.ImageAttachment'),
		type: z.literal('IMAGE'),
		caption,
		thumbnail_url: address,
	}),
	z.strictObject({
		...file,
		'@class': z.literal('.VideoAttachment'),
		type: z.literal('VIDEO'),
		caption,
	}),
	z.strictObject({ ...file, '@class': z.literal('.AudioAttachment'), type: z.literal('AUDIO') }),
	z.strictObject({
		...file,
		'@class': z.literal('.StickerAttachment'),
		type: z.literal('STICKER'),
	}),
]);

/** An entry of `contents` of a customer's message. A message that is not a file has one. */
export const customerContent = z.union([text, contacts, buttonReply]);

/** The same for the business's messages. */
export const businessContent = z.union([text, contacts, replyButtons, actionButtons, template]);
