import { z } from 'zod';

import { CHAT_LIMITS } from './assumptions';
import { requiredText } from './common';
import { CAPTION_MAX, REPLY_BUTTONS_MAX, templateContentSchema } from './messages';

/** What the service accepts. The nodes themselves check only lengths that no channel takes. */

/** Of texts, buttons, headers and footers. A field of one kind goes into that kind's schema. */
const body = z.object({ message: requiredText }).strict();
const url = requiredText;

const textUpTo = (most: number) => body.extend({ message: requiredText.max(most) });
const textWithButtons = textUpTo(CHAT_LIMITS.textWithButtons);

const textSchema = z.object({ type: z.literal('TEXT'), body: textUpTo(CHAT_LIMITS.text) }).strict();

/** A public http(s) address or a base64 data URL. Source: published; data URLs: an older page. */
const captioned = z
	.array(z.object({ url, caption: z.string().max(CAPTION_MAX).optional() }).strict())
	.min(1);
const plain = z.array(z.object({ url }).strict()).min(1);
const imageSchema = z.object({ type: z.literal('IMAGE'), attachments: captioned }).strict();
const videoSchema = z.object({ type: z.literal('VIDEO'), attachments: captioned }).strict();
const audioSchema = z.object({ type: z.literal('AUDIO'), attachments: plain }).strict();
const stickerSchema = z.object({ type: z.literal('STICKER'), attachments: plain }).strict();

/** If there are several contacts, only the first arrives, as CONTACT_ARRAY. Source: published. */
const contactSchema = z
	.object({
		type: z.literal('CONTACT'),
		attachments: z
			.array(z.object({ name: requiredText, phones: z.array(requiredText).min(1) }).strict())
			.min(1),
	})
	.strict();

/** `thumbnail` is the address of an image or video above the text. `mimeType` is its type. */
const replyButtonsSchema = z
	.object({
		type: z.literal('INTERACTIVE_BUTTON'),
		body: textWithButtons.extend({ thumbnail: url.nullish(), mimeType: requiredText.optional() }),
		attachments: z
			.array(
				z.object({ id: requiredText, title: requiredText.max(CHAT_LIMITS.buttonTitle) }).strict(),
			)
			.min(1)
			.max(REPLY_BUTTONS_MAX),
	})
	.strict();

const actionButton = { id: requiredText, title: requiredText };
const actionButtonsSchema = z
	.object({
		type: z.literal('INTERACTIVE_ACTION'),
		body: textWithButtons,
		header: body.optional(),
		footer: body.optional(),
		attachments: z
			.array(
				z.discriminatedUnion('name', [
					z.object({ ...actionButton, name: z.literal('URL'), url }).strict(),
					z
						.object({
							...actionButton,
							name: z.literal('CALL'),
							phones: z.array(requiredText).min(1),
						})
						.strict(),
				]),
			)
			.min(1),
	})
	.strict();

/** The kinds of messages. Source: published; TEXT: description. */
export const sendContentSchema = z.discriminatedUnion('type', [
	textSchema,
	imageSchema,
	videoSchema,
	audioSchema,
	stickerSchema,
	contactSchema,
	replyButtonsSchema,
	actionButtonsSchema,
	templateContentSchema,
]);
export type SendContent = z.infer<typeof sendContentSchema>;

/** The kinds in errors, to follow "the ". */
export const CONTENT_NAMES: Record<SendContent['type'], string> = {
	TEXT: 'text',
	IMAGE: 'image',
	VIDEO: 'video',
	AUDIO: 'audio',
	STICKER: 'sticker',
	CONTACT: 'contact',
	INTERACTIVE_BUTTON: 'buttons',
	INTERACTIVE_ACTION: 'buttons',
	TEMPLATE: 'template',
};

/** The content of a message: a published kind, or one that the service added later. */
export type Content = SendContent | { type: string; [field: string]: unknown };
