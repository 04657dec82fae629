import type { ActionButton } from '../client/messages.mts';
import { derivedId } from '../core/ids.mts';
import type { Origin } from '../core/origin.mts';
import type { Imitation } from '../facts/imitate.mts';
import type { Content } from '../store/content.mts';
import type { Message } from '../store/messages.mts';

type Fields = Record<string, unknown>;
type Of<T extends Content['type']> = Extract<Content, { type: T }>;

const CLASSES = {
	IMAGE: '.ImageAttachment',
	AUDIO: '.AudioAttachment',
	VIDEO: '.VideoAttachment',
	STICKER: '.StickerAttachment',
};

/** The first word of a name, and the rest. */
function namesOf(name: string): { first_name: string; last_name: string } {
	const [first = '', ...rest] = name.trim().split(' ');
	return { first_name: first, last_name: rest.join(' ') };
}

const caption = (text: string | undefined): Fields => (text === undefined ? {} : { caption: text });

function attachmentFields(
	content: Of<'IMAGE' | 'AUDIO' | 'VIDEO' | 'STICKER'>,
	origin: Origin,
): Fields {
	const url = origin.resolve(content.url);
	switch (content.type) {
		case 'IMAGE': {
			const thumbnail = origin.resolve(content.thumbnailUrl ?? content.url);
			return { ...caption(content.caption), thumbnail_url: thumbnail, url };
		}
		case 'VIDEO':
			return { ...caption(content.caption), url };
		default:
			return { url };
	}
}

function actionButton(button: ActionButton): Fields {
	const { name: type, ...rest } = button;
	return { ...rest, type };
}

/** A tapped button in the field of a content, or directly on it. */
function tapped(field: string, id: string, title: string): Fields {
	return field === '' ? { id, title } : { [field]: { id, title } };
}

/**
 * The fields of each type of content, besides the common ones. `id`: the base of nested
 * identifiers.
 */
function contentFields(
	content: Exclude<Content, Of<'IMAGE' | 'AUDIO' | 'VIDEO' | 'STICKER'>>,
	id: (part: string) => string,
	origin: Origin,
	{ buttonField, buttonType, tapIds }: Imitation,
): Fields {
	const named = (className: string, part: string) => ({
		'@class': className,
		identifier: id(part),
	});
	switch (content.type) {
		case 'TEXT':
			return { '@class': '.TextContent', internal_information: {}, message: content.text };
		case 'CONTACT_ARRAY':
			return {
				'@class': '.ContactArrayContent',
				internal_information: {},
				contacts: content.contacts.map((contact, index) => ({
					...named('.ContactContent', `contact${index}`),
					...namesOf(contact.name),
					...contact,
					type: 'CONTACT',
				})),
			};
		case 'INTERACTIVE_BUTTON':
			return {
				'@class': '.InteractiveButtonContent',
				internal_information: { mediaButtonType: content.mediaType },
				buttons: content.buttons.map((button, index) => ({
					...named('.ButtonContent', `button${index}`),
					...button,
					type: 'BUTTON',
				})),
				message: content.text,
				...(content.thumbnail === undefined
					? {}
					: { thumbnail: origin.resolve(content.thumbnail) }),
			};
		case 'INTERACTIVE_ACTION': {
			const { header, footer } = content;
			const part = (className: string, name: string, message: string | undefined) =>
				message === undefined
					? {}
					: { [name]: { ...named(className, name), message, type: 'BUTTON' } };
			return {
				'@class': '.InteractiveActionContent',
				internal_information: {},
				action: { ...named('.ActionContent', 'action'), type: 'BUTTON' },
				buttons: content.buttons.map((button, index) => ({
					...named('.ButtonActionContent', `button${index}`),
					...actionButton(button),
				})),
				...part('.FooterContent', 'footer', footer),
				...part('.HeaderContent', 'header', header),
				message: content.text,
			};
		}
		case 'TEMPLATE':
			return {
				'@class': '.TemplateContent',
				internal_information: {},
				message: content.text,
				template: content.template,
			};
		case 'BUTTON_REPLY':
			return {
				'@class': '.InteractiveButtonContent',
				internal_information: {},
				message: content.text,
				type: buttonType,
				...(content.id && tapIds !== 'none'
					? tapped(buttonField, tapIds === 'own' ? content.id : content.text, content.text)
					: {}),
			};
	}
}

/**
 * `contents` and `attachments` of a message event. Source of the forms: published, except templates
 * and replies to buttons.
 */
export function partsOf(
	{ id, content }: Message,
	stateItems: unknown[],
	origin: Origin,
	imitation: Imitation,
) {
	const identifier = derivedId(id, 'content');
	switch (content.type) {
		case 'IMAGE':
		case 'AUDIO':
		case 'VIDEO':
		case 'STICKER': {
			const attachment = {
				'@class': CLASSES[content.type],
				identifier,
				internal_information: {},
				...attachmentFields(content, origin),
				state_items: stateItems,
				type: content.type,
			};
			return { contents: [], attachments: [attachment] };
		}
		default: {
			const fields = contentFields(content, (part) => derivedId(id, part), origin, imitation);
			const one = { identifier, type: content.type, ...fields, state_items: stateItems };
			return { contents: [one], attachments: [] };
		}
	}
}
