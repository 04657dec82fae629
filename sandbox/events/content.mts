import { z } from 'zod';

const text = z.string().min(1).max(65_536);
const link = z.string().max(2048).url();

/**
 * What a customer can write: every kind that is published. The kinds and the fields of attachments are published; the fields in which
 * contacts and button answers carry their values are assumed.
 */
export const contentSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('TEXT'), text }),
	z.object({ type: z.literal('IMAGE'), url: link, caption: text.optional(), thumbnailUrl: link.optional() }),
	z.object({ type: z.literal('AUDIO'), url: link }),
	z.object({ type: z.literal('VIDEO'), url: link, caption: text.optional() }),
	z.object({ type: z.literal('STICKER'), url: link }),
	z.object({
		type: z.literal('CONTACT_ARRAY'),
		contacts: z
			.array(z.object({ name: text, phone: z.string().min(1).max(64) }))
			.min(1)
			.max(100),
	}),
	z.object({ type: z.literal('INTERACTIVE_BUTTON'), text, buttonId: z.string().min(1).max(256).optional() }),
	z.object({ type: z.literal('INTERACTIVE_ACTION'), text, actionId: z.string().min(1).max(256).optional() }),
]);
export type Content = z.infer<typeof contentSchema>;

/** One line that stands for a message in a list. */
export function summaryOf(content: Content): string {
	switch (content.type) {
		case 'TEXT':
		case 'INTERACTIVE_BUTTON':
		case 'INTERACTIVE_ACTION':
			return content.text;
		case 'CONTACT_ARRAY':
			return content.contacts.map((contact) => contact.name).join(', ');
		case 'IMAGE':
		case 'VIDEO':
			return content.caption ?? content.type;
		default:
			return content.type;
	}
}
