import { z } from 'zod';

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
export type CustomerContent = z.infer<typeof customerContentSchema>;

/** A button that the customer can tap. */
export interface ReplyButton {
	id: string;
	title: string;
}

/** A button that opens a page or calls a number. The service learns nothing of it. */
export type ActionButton =
	| { id: string; title: string; name: 'URL'; url: string }
	| { id: string; title: string; name: 'CALL'; phone: string };

export type SentTemplate = Extract<SendContent, { type: 'TEMPLATE' }>['attachments'][0]['template'];

/** A button of a template for the customer: it replies, opens a page, calls, or is copied. */
export type TemplateButton =
	| (ReplyButton & { name: 'REPLY' })
	| ActionButton
	| { title: string; name: 'CODE'; code: string }
	| { title: string; name: 'OTHER' };

/** A file by its address, or by the id of an uploaded one, which the sandbox does not have. */
export type TemplateHeader =
	| { format: 'TEXT'; text: string }
	| { format: 'IMAGE' | 'VIDEO' | 'DOCUMENT'; url?: string; title: string }
	| { format: 'OTHER'; title: string };

/** A template part by part, as the customer sees it. */
export interface ShownTemplate {
	header?: TemplateHeader;
	body: string;
	footer?: string;
	/** In the template's order. */
	buttons: TemplateButton[];
	/** Parts that the page names and does not draw. */
	others: string[];
}

/** What only the business sends. */
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
	| {
			type: 'TEMPLATE';
			/** What the customer reads: header, body and footer, filled in. */
			text: string;
			template: SentTemplate;
			/** The quick replies. */
			buttons: ReplyButton[];
			/** Not in messages that an older sandbox stored. */
			shown?: ShownTemplate;
	  };

/** The stored content of a message. Addresses of the sandbox's files are paths. */
export type Content = CustomerContent | BusinessContent;

/** One line about a message, for lists. */
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
