import { z } from 'zod';

import type { SendContent } from '../contract.mts';

const text = z.string().min(1).max(65_536);
/** An address on the web, or the path of a file that was uploaded. */
const link = z
	.string()
	.max(2048)
	.refine(
		(url) => url.startsWith('/media/') || URL.canParse(url),
		'must be a URL, or the path of an uploaded file',
	);
const captioned = { url: link, caption: text.optional() };

const contact = z
	.object({
		name: text,
		first_name: text.optional(),
		last_name: text.optional(),
		phones: z.array(z.string().min(1).max(64)).min(1).max(20),
	})
	.strict();

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

/** What a customer can send: all of that, and the reply to a button, whose `text` is the button's title. */
export const customerContentSchema = z.discriminatedUnion('type', [
	...written,
	z.object({ type: z.literal('BUTTON_REPLY'), text, id: z.string().min(1).max(256).nullish() }),
]);
export type CustomerContent = z.infer<typeof customerContentSchema>;

/** A button that the customer can tap. */
export interface ReplyButton {
	id: string;
	title: string;
}

/** A button that opens a page or calls a number: the service is told nothing. */
export type ActionButton =
	| { id: string; title: string; name: 'URL'; url: string }
	| { id: string; title: string; name: 'CALL'; phone: string };

export type SentTemplate = Extract<SendContent, { type: 'TEMPLATE' }>['attachments'][0]['template'];

/** What only the business sends. `text` of a template: with its placeholders filled in. */
export type BusinessContent =
	| {
			type: 'INTERACTIVE_BUTTON';
			text: string;
			thumbnail?: string;
			mediaType: 'TEXT' | 'IMAGE' | 'VIDEO';
			buttons: ReplyButton[];
	  }
	| {
			type: 'INTERACTIVE_ACTION';
			text: string;
			header?: string;
			footer?: string;
			buttons: ActionButton[];
	  }
	| { type: 'TEMPLATE'; text: string; template: SentTemplate; buttons: ReplyButton[] };

/** What a message holds, as it is kept. Addresses of files of the sandbox are paths. */
export type Content = CustomerContent | BusinessContent;

/** One line that stands for a message in a list. */
export function summaryOf(content: Content): string {
	switch (content.type) {
		case 'CONTACT_ARRAY':
			return content.contacts.map((contact) => contact.name).join(', ');
		case 'IMAGE':
		case 'VIDEO':
			return content.caption ?? content.type;
		case 'AUDIO':
		case 'STICKER':
			return content.type;
		default:
			return content.text;
	}
}
