/** How far a message of the business came. */
export type MessageStatus = 'PENDING' | 'SENT' | 'DELIVERED' | 'READ' | 'FAILED';

/** A button whose tap is a reply. */
export interface ReplyButton {
	id: string;
	title: string;
}

/** A button that opens a page or calls a number. */
export type ActionButton =
	| { id: string; title: string; name: 'URL'; url: string }
	| { id: string; title: string; name: 'CALL'; phone: string };

export interface Contact {
	name: string;
	first_name?: string | undefined;
	last_name?: string | undefined;
	phones: string[];
}

/** What a customer can send. `url`: an address on the web, or the path of a file that was uploaded. */
export type CustomerContent =
	| { type: 'TEXT'; text: string }
	| {
			type: 'IMAGE';
			url: string;
			caption?: string | undefined;
			thumbnailUrl?: string | undefined;
	  }
	| { type: 'VIDEO'; url: string; caption?: string | undefined }
	| { type: 'AUDIO' | 'STICKER'; url: string }
	| { type: 'CONTACT_ARRAY'; contacts: Contact[] }
	| { type: 'BUTTON_REPLY'; text: string; id?: string | null | undefined };

/** What a business alone sends. `text` of a template has its placeholders filled in. */
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
			text: string;
			template: {
				name: string;
				language: { policy: 'deterministic'; code: string };
				components: Array<{ type: string; [field: string]: unknown }>;
			};
			buttons: ReplyButton[];
	  };

/** A message of a chat, as the sandbox keeps it. */
export interface Message {
	/** Rises with every message of the sandbox. */
	number: number;
	id: string;
	channelId: string;
	/** The customer's number. */
	customer: string;
	/** `in`: of the customer. `out`: of the business. */
	direction: 'in' | 'out';
	/** Whether it was sent through the API. */
	fromApi: boolean;
	forwarded: boolean;
	content: CustomerContent | BusinessContent;
	/** ISO 8601, by the sandbox's clock. */
	createdAt: string;
	status: MessageStatus;
	/** When each state was reached, in ISO 8601. */
	reached: Partial<Record<MessageStatus, string>>;
}

/** What can be read of a content: its text, or a caption. Undefined where there is none. */
export function textOf(content: Message['content']): string | undefined {
	switch (content.type) {
		case 'IMAGE':
		case 'VIDEO':
			return content.caption;
		case 'AUDIO':
		case 'STICKER':
		case 'CONTACT_ARRAY':
			return undefined;
		default:
			return content.text;
	}
}

/** The buttons whose tap is a reply. */
export const replyButtonsOf = (content: Message['content']): ReplyButton[] =>
	content.type === 'INTERACTIVE_BUTTON' || content.type === 'TEMPLATE' ? content.buttons : [];

/** What a template's placeholders were filled in with, in order; what is no text, by its type. */
export function templateParametersOf(content: Message['content']): string[] {
	if (content.type !== 'TEMPLATE') return [];
	const body = content.template.components.find(({ type }) => type === 'body');
	const parameters = (body?.parameters ?? []) as Array<{ type: string; text?: string }>;
	return parameters.map(({ type, text }) => text ?? `[${type}]`);
}
