import { z } from 'zod';

import type { Message } from '../client/messages.mts';
import type { SendContent } from '../contract.mts';

const text = z.string().min(1).max(65_536);
/** A web address, or the path of an uploaded file. */
const link = z
	.string()
	.max(2048)
	.refine(
		(url) => url.startsWith('/media/') || URL.canParse(url),
		'must be a URL, or the path of an uploaded file',
	);
const captioned = { url: link, caption: text.optional() };

const contact = z.strictObject({
	name: text,
	first_name: text.optional(),
	last_name: text.optional(),
	phones: z.array(z.string().min(1).max(64)).min(1).max(20),
});

/** What a person writes on a phone, customer or colleague. */
const written = [
	z.object({ type: z.literal('TEXT'), text }),
	z.object({ type: z.literal('IMAGE'), ...captioned, thumbnailUrl: link.optional() }),
	z.object({ type: z.literal('AUDIO'), url: link }),
	z.object({ type: z.literal('VIDEO'), ...captioned }),
	z.object({ type: z.literal('STICKER'), url: link }),
	z.object({ type: z.literal('CONTACT_ARRAY'), contacts: z.array(contact).min(1).max(100) }),
] as const;

export const writtenContentSchema = z.discriminatedUnion('type', [...written]);

/**
 * What a customer can send: the above, and the reply to a button, whose `text` is the button's
 * title.
 */
export const customerContentSchema = z.discriminatedUnion('type', [
	...written,
	z.object({ type: z.literal('BUTTON_REPLY'), text, id: z.string().min(1).max(256).nullish() }),
]);

export type SentTemplate = Extract<SendContent, { type: 'TEMPLATE' }>['attachments'][0]['template'];

/** The stored content of a message: client/messages has its kinds. Addresses of files are paths. */
export type Content = Message['content'];
