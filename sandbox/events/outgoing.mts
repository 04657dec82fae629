import {
	MEDIA_ATTACHMENTS_MAX,
	type MediaKind,
	type SendContent,
	TEMPLATE_LIMITS,
} from '../contract.mts';
import type { ActionButton } from '../client/messages.mts';
import { kindOf as channelKindOf } from '../channelTypes.mts';
import { Refusal } from '../core/errors.mts';
import {
	checkMedia,
	isDataUrl,
	mediaRefusal,
	mediaTypeOf,
	readDataUrl,
	requireMediaType,
} from '../media/file.mts';
import type { Channel } from '../store/channels.mts';
import type { Content } from '../store/content.mts';
import type { Stores } from '../stores.mts';
import { templateContent } from './templateContent.mts';
import { templateRefusal } from './templateRefusal.mts';

/** Longest beginning of a data URL that is searched for its type. */
const MAX_TYPE = 256;

const isWebUrl = (url: string): boolean =>
	URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/**
 * The address of media: a web address unchanged, a data URL as a file of the sandbox. `kindOf`
 * gives the required kind.
 */
function mediaUrl(
	{ media }: Stores,
	channel: Channel,
	url: string,
	field: string,
	kindOf: (type: string) => MediaKind,
): string {
	if (isDataUrl(url)) {
		const file = readDataUrl(url, field);
		// Of other kinds of channel, published is that a URL passes unchecked.
		if (channelKindOf(channel.type).checksMedia) checkMedia(kindOf(file.type), file, field);
		else requireMediaType(file, field);
		return media.add(channel.id, file);
	}
	if (!isWebUrl(url))
		throw mediaRefusal(
			'MEDIA_INVALID_URL',
			`${field}: must be an http or https URL, or a data URL`,
		);
	return url;
}

/** The type that a data URL names; empty for another URL. */
const typeNamedIn = (url: string): string =>
	isDataUrl(url) ? mediaTypeOf(url.slice('data:'.length, MAX_TYPE)) : '';

type Sent<T extends SendContent['type']> = Extract<SendContent, { type: T }>;

function mediaContent(
	stores: Stores,
	channel: Channel,
	{ type, attachments }: Sent<MediaKind>,
): Content {
	if (attachments.length > MEDIA_ATTACHMENTS_MAX)
		throw mediaRefusal(
			'MEDIA_UNSUPPORTED_ATTACHMENT',
			'content.attachments: a message has one file. Send one message for each',
		);
	const [attachment] = attachments;
	const { url, ...caption } = attachment!;
	const field = 'content.attachments.0.url';
	return { type, url: mediaUrl(stores, channel, url, field, () => type), ...caption };
}

/** Refuses titles of which two are equal. Source: the chat application's documents. */
function requireOwnTitles(buttons: ReadonlyArray<{ title: string }>): void {
	const titles = buttons.map(({ title }) => title);
	const again = titles.findIndex((title, index) => titles.indexOf(title) < index);
	if (again !== -1)
		throw new Refusal(400, `content.attachments.${again}.title: another button has this title`);
}

function replyButtons(
	stores: Stores,
	channel: Channel,
	{ body, attachments }: Sent<'INTERACTIVE_BUTTON'>,
): Content {
	requireOwnTitles(attachments);
	const { message: text, thumbnail, mimeType } = body;
	const base = { type: 'INTERACTIVE_BUTTON' as const, text, buttons: attachments };
	if (!thumbnail) return { ...base, mediaType: 'TEXT' };
	const kindOf = (type: string) => (type.startsWith('video/') ? 'VIDEO' : 'IMAGE');
	const named = mimeType === undefined ? undefined : mediaTypeOf(mimeType);
	if (named !== undefined && !/^(?:image|video)\//.test(named))
		throw mediaRefusal(
			'MEDIA_MIME_NOT_ALLOWED',
			'content.body.mimeType: the thumbnail must be an image or a video',
		);
	const url = mediaUrl(stores, channel, thumbnail, 'content.body.thumbnail', kindOf);
	return { ...base, thumbnail: url, mediaType: kindOf(named ?? typeNamedIn(thumbnail)) };
}

/** As short as in a template. Source: the chat application's documents. */
function requireShort(part: 'header' | 'footer', given: { message: string } | undefined): void {
	const most = TEMPLATE_LIMITS[part];
	if (given && given.message.length > most)
		throw new Refusal(400, `content.${part}.message: has more than ${most} characters`);
}

function actionButtons({ body, header, footer, attachments }: Sent<'INTERACTIVE_ACTION'>): Content {
	requireOwnTitles(attachments);
	requireShort('header', header);
	requireShort('footer', footer);
	const buttons = attachments.map((button, index): ActionButton => {
		if (button.name === 'CALL') {
			const { phones, ...rest } = button;
			return { ...rest, phone: phones[0]! };
		}
		if (!isWebUrl(button.url))
			throw new Refusal(400, `content.attachments.${index}.url: must be an http or https URL`);
		return button;
	});
	return {
		type: 'INTERACTIVE_ACTION',
		text: body.message,
		...(header ? { header: header.message } : {}),
		...(footer ? { footer: footer.message } : {}),
		buttons,
	};
}

/**
 * The content of a send as it is stored: files stored, a template filled in. Called inside the
 * transaction that stores the message. Refuses media and templates that cannot be sent.
 */
export function contentOf(stores: Stores, channel: Channel, content: SendContent): Content {
	switch (content.type) {
		case 'TEXT': {
			// A new field of `body` passes here. Its type is in client/messages.
			const { message: text, ...others } = content.body;
			return { type: 'TEXT', text, ...others };
		}
		case 'CONTACT':
			// If there are several, only the first arrives.
			return { type: 'CONTACT_ARRAY', contacts: content.attachments.slice(0, 1) };
		case 'INTERACTIVE_BUTTON':
			return replyButtons(stores, channel, content);
		case 'INTERACTIVE_ACTION':
			return actionButtons(content);
		case 'TEMPLATE': {
			const { template: sent } = content.attachments[0]!;
			const { name, language } = sent;
			const known = stores.templates.named(channel.wabaId ?? '', name, language.code);
			if (!known) throw templateRefusal('unknown', `${name} in ${language.code}`);
			if (known.status !== 'APPROVED')
				throw templateRefusal('notApproved', `${name} is ${known.status}`);
			return templateContent(sent, known);
		}
		case 'IMAGE':
		case 'VIDEO':
		case 'AUDIO':
		case 'STICKER':
			return mediaContent(stores, channel, content);
		default:
			// A kind that is stored in the form in which it is sent.
			return content;
	}
}
