import { z } from 'zod';

import { CHAT_LIMITS } from './assumptions';
import { requiredText } from './common';
import { CAPTION_MAX, REPLY_BUTTONS_MAX, templateContentSchema } from './messages';

/** What the service accepts. The nodes themselves check only lengths that no channel takes. */

/** Of texts, buttons, headers and footers. A field of one kind goes into that kind's schema. */
const body = z.strictObject({ message: requiredText });
const url = requiredText;

const textUpTo = (most: number) => body.extend({ message: requiredText.max(most) });
const textWithButtons = textUpTo(CHAT_LIMITS.textWithButtons);

const textSchema = z.strictObject({ type: z.literal('TEXT'), body: textUpTo(CHAT_LIMITS.text) });

/** A public http(s) address or a base64 data URL. Source: published; data URLs: an older page. */
const captioned = z
	.array(z.strictObject({ url, caption: z.string().max(CAPTION_MAX).optional() }))
	.min(1);
const plain = z.array(z.strictObject({ url })).min(1);
const imageSchema = z.strictObject({ type: z.literal('IMAGE'), attachments: captioned });
const videoSchema = z.strictObject({ type: z.literal('VIDEO'), attachments: captioned });
const audioSchema = z.strictObject({ type: z.literal('AUDIO'), attachments: plain });
const stickerSchema = z.strictObject({ type: z.literal('STICKER'), attachments: plain });

const phones = z.array(requiredText).min(1);

/** If there are several contacts, only the first arrives, as CONTACT_ARRAY. Source: published. */
const contactSchema = z.strictObject({
	type: z.literal('CONTACT'),
	attachments: z.array(z.strictObject({ name: requiredText, phones })).min(1),
});

/** `thumbnail` is the address of an image or video above the text. `mimeType` is its type. */
const replyButtonsSchema = z.strictObject({
	type: z.literal('INTERACTIVE_BUTTON'),
	body: textWithButtons.extend({ thumbnail: url.nullish(), mimeType: requiredText.optional() }),
	attachments: z
		.array(z.strictObject({ id: requiredText, title: requiredText.max(CHAT_LIMITS.buttonTitle) }))
		.min(1)
		.max(REPLY_BUTTONS_MAX),
});

const actionButton = { id: requiredText, title: requiredText };
const actionButtonSchema = z.discriminatedUnion('name', [
	z.strictObject({ ...actionButton, name: z.literal('URL'), url }),
	z.strictObject({ ...actionButton, name: z.literal('CALL'), phones }),
]);
const actionButtonsSchema = z.strictObject({
	type: z.literal('INTERACTIVE_ACTION'),
	body: textWithButtons,
	header: body.optional(),
	footer: body.optional(),
	attachments: z.array(actionButtonSchema).min(1),
});

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
