import { z } from 'zod';

import type { ActionButton } from '../client/messages.mts';
import {
	BUTTON_REPLY_FIELD,
	BUTTON_REPLY_TYPE,
	idSchema,
	MESSAGE_STATES,
	REPLY_BUTTONS_MAX,
} from '../contract.mts';
import { derivedId } from '../core/ids.mts';
import type { Origin } from '../core/origin.mts';
import type { Content } from '../store/content.mts';
import type { Message } from '../store/messages.mts';

/**
 * What each kind of content looks like in events: its schema and its fields. The schemas have
 * exactly these fields. Those of the contract are looser, because a receiver must tolerate fields
 * that are missing or new. Source of the forms: published, except templates and replies to buttons.
 */
type Of<T extends Content['type']> = Extract<Content, { type: T }>;

interface Around {
	origin: Origin;
	/** The class and the identifier of a nested part. */
	named: <C extends string>(className: C, part: string) => { '@class': C; identifier: string };
}

interface Kind<C> {
	isFile: boolean;
	schema: z.ZodTypeAny;
	fieldsOf: (content: C, around: Around) => Record<string, unknown>;
}

const named = <C extends string>(className: C) => ({
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

const schemaOf = <S extends z.ZodRawShape>(className: string, shape: S) =>
	z.strictObject({
		identifier: idSchema,
		state_items: z.array(stateItem).min(1),
		'@class': z.literal(className),
		internal_information: z.strictObject({}),
		...shape,
	});

/** `shape` and `fields`: what a kind has besides the common fields. */
function kind<T extends Content['type'], S extends z.ZodRawShape>(
	type: T,
	className: string,
	shape: S,
	fields: (content: Of<T>, around: Around) => z.input<z.ZodObject<S>>,
): Kind<Of<T>> {
	return {
		isFile: className.endsWith('Attachment'),
		schema: schemaOf(className, { type: z.literal(type), ...shape }),
		fieldsOf: (content, around) => ({
			...{ '@class': className, type, internal_information: {} },
			...fields(content, around),
		}),
	};
}

/** An http or https URL as it was given; its characters need not all be encoded. */
const address = z.string().min(1);
const captioned = { url: address, caption: z.string().optional() };

const withCaption = (caption: string | undefined) => (caption === undefined ? {} : { caption });

/** The first word of a name, and the rest. */
function namesOf(name: string): { first_name: string; last_name: string } {
	const [first = '', ...rest] = name.trim().split(' ');
	return { first_name: first, last_name: rest.join(' ') };
}

const contact = z.strictObject({
	...named('.ContactContent'),
	type: z.literal('CONTACT'),
	...{ name: z.string(), first_name: z.string(), last_name: z.string() },
	phones: z.array(z.string()).min(1),
});

const replyButton = z.strictObject({
	...named('.ButtonContent'),
	type: z.literal('BUTTON'),
	...{ id: z.string(), title: z.string() },
});

const actionButton = z.strictObject({
	...named('.ButtonActionContent'),
	...{ id: z.string(), title: z.string() },
});

function actionFields(button: ActionButton) {
	const { id, title } = button;
	return button.name === 'URL'
		? { id, title, type: button.name, url: button.url }
		: { id, title, type: button.name, phone: button.phone };
}

const part = <C extends string>(className: C) =>
	z.strictObject({ ...named(className), type: z.literal('BUTTON'), message: z.string() });

const partOf = <C extends string>(
	className: C,
	place: string,
	message: string | undefined,
	{ named }: Around,
) => (message === undefined ? undefined : { ...named(className, place), message, type: BUTTON });

const BUTTON = 'BUTTON' as const;

const KINDS: { [T in Content['type']]: Kind<Of<T>> } = {
	TEXT: kind('TEXT', '.TextContent', { message: z.string() }, ({ text }) => ({ message: text })),
	IMAGE: kind(
		'IMAGE',
		'.ImageAttachment',
		{ ...captioned, thumbnail_url: address },
		({ url, caption, thumbnailUrl }, { origin }) => ({
			...{ url: origin.resolve(url), ...withCaption(caption) },
			thumbnail_url: origin.resolve(thumbnailUrl ?? url),
		}),
	),
	VIDEO: kind('VIDEO', '.VideoAttachment', captioned, ({ url, caption }, { origin }) => ({
		...{ url: origin.resolve(url), ...withCaption(caption) },
	})),
	AUDIO: kind('AUDIO', '.AudioAttachment', { url: address }, ({ url }, { origin }) => ({
		url: origin.resolve(url),
	})),
	STICKER: kind('STICKER', '.StickerAttachment', { url: address }, ({ url }, { origin }) => ({
		url: origin.resolve(url),
	})),
	CONTACT_ARRAY: kind(
		'CONTACT_ARRAY',
		'.ContactArrayContent',
		{ contacts: z.array(contact).min(1) },
		({ contacts }, around) => ({
			contacts: contacts.map(({ name, phones, ...given }, index) => ({
				...around.named('.ContactContent', `contact${index}`),
				...{ ...namesOf(name), ...given, name, phones, type: 'CONTACT' as const },
			})),
		}),
	),
	INTERACTIVE_BUTTON: kind(
		'INTERACTIVE_BUTTON',
		'.InteractiveButtonContent',
		{
			internal_information: z.strictObject({ mediaButtonType: z.enum(['TEXT', 'IMAGE', 'VIDEO']) }),
			message: z.string(),
			thumbnail: address.optional(),
			buttons: z.array(replyButton).min(1).max(REPLY_BUTTONS_MAX),
		},
		({ text, thumbnail, mediaType, buttons }, around) => ({
			internal_information: { mediaButtonType: mediaType },
			message: text,
			...(thumbnail === undefined ? {} : { thumbnail: around.origin.resolve(thumbnail) }),
			buttons: buttons.map((button, index) => ({
				...around.named('.ButtonContent', `button${index}`),
				...{ ...button, type: BUTTON },
			})),
		}),
	),
	INTERACTIVE_ACTION: kind(
		'INTERACTIVE_ACTION',
		'.InteractiveActionContent',
		{
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
		},
		({ text, header, footer, buttons }, around) => ({
			message: text,
			action: { ...around.named('.ActionContent', 'action'), type: BUTTON },
			header: partOf('.HeaderContent', 'header', header, around),
			footer: partOf('.FooterContent', 'footer', footer, around),
			buttons: buttons.map((button, index) => ({
				...around.named('.ButtonActionContent', `button${index}`),
				...actionFields(button),
			})),
		}),
	),
	TEMPLATE: kind(
		'TEMPLATE',
		'.TemplateContent',
		{
			message: z.string(),
			template: z.strictObject({
				name: z.string(),
				language: z.strictObject({ policy: z.literal('deterministic'), code: z.string() }),
				components: z.array(z.object({ type: z.string() }).passthrough()),
			}),
		},
		({ text, template }) => ({ message: text, template }),
	),
	/** The button that a customer tapped: its title and, if it has one, its id. */
	BUTTON_REPLY: {
		isFile: false,
		schema: schemaOf('.InteractiveButtonContent', {
			type: z.literal(BUTTON_REPLY_TYPE),
			message: z.string(),
			[BUTTON_REPLY_FIELD]: z.strictObject({ id: z.string(), title: z.string() }).optional(),
		}),
		fieldsOf: ({ id, text }) => ({
			...{ '@class': '.InteractiveButtonContent', type: BUTTON_REPLY_TYPE },
			...{ internal_information: {}, message: text },
			...(id ? { [BUTTON_REPLY_FIELD]: { id, title: text } } : {}),
		}),
	},
};

/** Any of several kinds. */
const anyOf = (kinds: Array<Kind<never>>): z.ZodTypeAny =>
	z.union(kinds.map(({ schema }) => schema) as [z.ZodTypeAny, z.ZodTypeAny]);

const { BUTTON_REPLY, ...SENT } = KINDS;
const sent: Array<Kind<never>> = Object.values(SENT);

/** An entry of `attachments`. A message that is a file has one. */
export const attachment = anyOf(sent.filter(({ isFile }) => isFile));

/** An entry of `contents` of a customer's message. A message that is not a file has one. */
export const customerContent = anyOf([KINDS.TEXT, KINDS.CONTACT_ARRAY, BUTTON_REPLY]);

/** The same for the business's messages. */
export const businessContent = anyOf(sent.filter(({ isFile }) => !isFile));

/** `contents` and `attachments` of a message event. */
export function partsOf({ id, content }: Message, stateItems: unknown[], origin: Origin) {
	const { isFile, fieldsOf } = KINDS[content.type] as Kind<Content>;
	const fields = fieldsOf(content, {
		origin,
		named: (className, part) => ({ '@class': className, identifier: derivedId(id, part) }),
	});
	const one = { identifier: derivedId(id, 'content'), ...fields, state_items: stateItems };
	return isFile ? { contents: [], attachments: [one] } : { contents: [one], attachments: [] };
}
