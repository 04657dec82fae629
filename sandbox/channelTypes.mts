import { z } from 'zod';

import { connectRequestSchema, requiredText, type SendRequest } from './contract.mts';
import { Refusal } from './core/errors.mts';

/**
 * The channel types of this sandbox. The service's description names the first one. The others are
 * the sandbox's own, because each service has its own.
 */
export const CHANNEL_TYPES = [
	'OFFICIAL_CHATAPP',
	'WEB_CHATAPP',
	'PHOTO_INBOX',
	'PAGE_INBOX',
	'MESSENGER_BOT',
] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

type ConnectionField = 'wabaId' | 'phoneId' | 'pageId' | 'coexistence';

/** What differs between the kinds. Messages, webhooks and events are the same for all. */
export interface ChannelKind {
	/** Whether free-form messages need an open conversation window. Source: published. */
	hasWindow: boolean;
	/** Whether it sends templates. Source: published. */
	hasTemplates: boolean;
	/** Whether customers have phone numbers, or names and opaque IDs. Source: published. */
	hasNumbers: boolean;
	/** Whether the types and sizes of media are checked. Source: published, on older pages. */
	checksMedia: boolean;
	/** Bytes of a text, at most. Left out: those of every channel. Source: published. */
	textBytesMax?: number;
	/** Whether it takes contacts. Source: published. */
	takesContacts: boolean;
	/** The value of the connection SDK's object that works once. Source: published. */
	grant: 'code' | 'accessToken' | 'botToken';
	/** What the object holds beside it, `success` and `channelId`. */
	beside: readonly ConnectionField[];
	/** The body of Connect. Which field belongs to which kind is an assumption. */
	connectRequest: z.ZodType<Record<string, unknown>, z.ZodTypeDef, unknown>;
}

const KINDS: Record<ChannelType, ChannelKind> = {
	OFFICIAL_CHATAPP: {
		...{ hasWindow: true, hasTemplates: true, hasNumbers: true, checksMedia: true },
		takesContacts: true,
		grant: 'code',
		beside: ['wabaId', 'phoneId', 'coexistence'],
		connectRequest: connectRequestSchema,
	},
	WEB_CHATAPP: {
		...{ hasWindow: false, hasTemplates: false, hasNumbers: true, checksMedia: false },
		takesContacts: true,
		grant: 'code',
		beside: [],
		connectRequest: z.object({ code: requiredText }),
	},
	PHOTO_INBOX: {
		...{ hasWindow: true, hasTemplates: false, hasNumbers: false, checksMedia: false },
		...{ textBytesMax: 1000, takesContacts: false },
		grant: 'accessToken',
		beside: [],
		connectRequest: z.object({ accessToken: requiredText }),
	},
	PAGE_INBOX: {
		...{ hasWindow: true, hasTemplates: false, hasNumbers: false, checksMedia: false },
		takesContacts: false,
		grant: 'accessToken',
		beside: ['pageId'],
		connectRequest: z.object({ accessToken: requiredText, pageId: requiredText }),
	},
	MESSENGER_BOT: {
		...{ hasWindow: false, hasTemplates: false, hasNumbers: false, checksMedia: false },
		takesContacts: true,
		grant: 'botToken',
		beside: [],
		connectRequest: z.object({ botToken: requiredText }),
	},
};

export const isChannelType = (type: string): type is ChannelType =>
	(CHANNEL_TYPES as readonly string[]).includes(type);

/** The kind of a channel. Older data files can have a type of another name: the official kind. */
export const kindOf = (type: string): ChannelKind =>
	KINDS[isChannelType(type) ? type : 'OFFICIAL_CHATAPP'];

/**
 * Refuses content that this type of channel cannot send. That it cannot is published; the refusals
 * are an assumption.
 */
export function requireTaken(type: string, content: SendRequest['content']): void {
	const { type: what } = content;
	const { hasTemplates, takesContacts, textBytesMax = Infinity } = kindOf(type);
	if (what === 'TEMPLATE' && !hasTemplates)
		throw new Refusal(422, 'A channel of this type has no templates');
	if (what === 'CONTACT' && !takesContacts)
		throw new Refusal(422, 'A channel of this type takes no contacts');
	if (what === 'TEXT' && Buffer.byteLength(content.body.message) > textBytesMax)
		throw new Refusal(422, `A channel of this type takes texts of up to ${textBytesMax} bytes`);
}

/** The refusal of any other type: of the list published, of Create assumed. */
export const TYPE_REFUSED = `type must be one of [${CHANNEL_TYPES.join(', ')}]`;

/**
 * Refuses a customer that the type cannot have. A typo that could be somebody passes: the service
 * does not know that either. That there are these forms is published; the refusal is an assumption.
 * @param field for the message, such as `recipient.identifier`
 */
export function requireCustomer(type: string, identifier: string, field: string): void {
	const { hasNumbers } = kindOf(type);
	if (hasNumbers ? /^[1-9]\d{7,14}$/.test(identifier) : /^[^\s+()/]+$/.test(identifier)) return;
	const form = hasNumbers
		? 'a phone number with its country code: 8 to 15 digits without signs'
		: 'a name or ID without blanks, +, parentheses and slashes';
	throw new Refusal(422, `${field}: must be ${form}`);
}
