/** The states of a business's message. */
export type MessageStatus = 'PENDING' | 'SENT' | 'DELIVERED' | 'READ' | 'FAILED';

/** A button that sends a reply. */
export interface ReplyButton {
	id: string;
	title: string;
}

/** A button that opens a page or calls a number. The service learns nothing of it. */
export type ActionButton =
	| { id: string; title: string; name: 'URL'; url: string }
	| { id: string; title: string; name: 'CALL'; phone: string };

export interface Contact {
	name: string;
	first_name?: string | undefined;
	last_name?: string | undefined;
	phones: string[];
}

/**
 * What a customer can send, and of these a business, too. `url`: an address on the web, or the path
 * of a file that was uploaded.
 */
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
	/** Parts that the sandbox names and does not draw. */
	others: string[];
}

/** What only a business sends. */
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
			template: {
				name: string;
				language: { policy: 'deterministic'; code: string };
				components: Array<{ type: string; [field: string]: unknown }>;
			};
			/** The quick replies. */
			buttons: ReplyButton[];
			/** Not in messages that an older sandbox stored. */
			shown?: ShownTemplate;
	  };

/** A message of a chat, as the sandbox stores it. */
export interface Message {
	/** Grows with every message of the sandbox. */
	number: number;
	id: string;
	channelId: string;
	/** The customer's number or other identifier, as given. */
	customer: string;
	/** `in`: from the customer. `out`: from the business. */
	direction: 'in' | 'out';
	/** Whether it was sent through the API, and not written on a phone. */
	fromApi: boolean;
	forwarded: boolean;
	/** Whether the service accepted it while the window was closed, and reports FAILED later. */
	windowClosed: boolean;
	/** Why it is FAILED, or will be. Null if nothing is known that speaks against it. */
	failure: { code: string | number; message: string } | null;
	content: CustomerContent | BusinessContent;
	/** ISO 8601, by the sandbox's clock. */
	createdAt: string;
	status: MessageStatus;
	/** When each state was reached, as ISO 8601. */
	reached: Partial<Record<MessageStatus, string>>;
}

/** The readable text of a content: its text or caption, else undefined. */
export function textOf(content: Message['content']): string | undefined {
	if ('caption' in content) return content.caption;
	return 'text' in content ? content.text : undefined;
}

const withTitles = (text: string, buttons: ReadonlyArray<{ title: string }>): string =>
	`${text} ${buttons.map(({ title }) => `[${title}]`).join(' ')}`;

const file = ({
	type,
	url,
	...given
}: {
	type: string;
	url: string;
	caption?: string | undefined;
}) => `${type.toLowerCase()} ${url}${given.caption === undefined ? '' : `: ${given.caption}`}`;

/** Each kind of content in words, for people. */
const WORDS: {
	[T in Message['content']['type']]: (content: Extract<Message['content'], { type: T }>) => string;
} = {
	TEXT: ({ text }) => text,
	IMAGE: file,
	VIDEO: file,
	AUDIO: file,
	STICKER: file,
	CONTACT_ARRAY: ({ contacts }) => `contacts: ${contacts.map(({ name }) => name).join(', ')}`,
	BUTTON_REPLY: ({ text }) => `taps [${text}]`,
	INTERACTIVE_BUTTON: ({ text, buttons }) => withTitles(text, buttons),
	INTERACTIVE_ACTION: ({ text, buttons }) => withTitles(text, buttons),
	TEMPLATE: (content) => {
		const { header, buttons = content.buttons } = content.shown ?? {};
		const above =
			header && 'title' in header ? `${header.format.toLowerCase()} ${header.title}\n` : '';
		const parameters = templateParametersOf(content).join(', ');
		return withTitles(
			`template ${content.template.name}(${parameters}): ${above}${content.text}`,
			buttons,
		);
	},
};

/** The kinds of content. */
export const CONTENT_TYPES = Object.keys(WORDS) as Array<Message['content']['type']>;

/** The content of a message, for people. */
export const described = ({ content }: Pick<Message, 'content'>): string =>
	(WORDS[content.type] as (given: Message['content']) => string)(content).trim();

/** The buttons that send a reply. */
export const replyButtonsOf = (content: Message['content']): ReplyButton[] =>
	content.type === 'INTERACTIVE_BUTTON' || content.type === 'TEMPLATE' ? content.buttons : [];

/** What a step or an expectation can ask of a template besides its name. */
export interface TemplateDetails {
	/** The values of the body's variables, in order. */
	parameters?: readonly string[] | undefined;
	/** Such as `en_US`. */
	language?: string | undefined;
	/** What the customer reads: header, body and footer, with an empty line between them. */
	text?: string | undefined;
}

/** A template in words, and whether a message is this template. */
export function templateAsked(name: string, { parameters, language, text }: TemplateDetails) {
	const what = [
		`the template ${name}`,
		language && `in ${language}`,
		parameters && `with [${parameters.join(', ')}]`,
		text !== undefined && `that reads '${text}'`,
	];
	const isIt = ({ content }: Pick<Message, 'content'>): boolean =>
		content.type === 'TEMPLATE' &&
		content.template.name === name &&
		(language === undefined || content.template.language.code === language) &&
		(text === undefined || content.text === text) &&
		(parameters === undefined ||
			JSON.stringify(templateParametersOf(content)) === JSON.stringify(parameters));
	return { what: what.filter(Boolean).join(' '), isIt };
}

/**
 * The values of a template's placeholders, in order. A value that is not a text is shown by its
 * type.
 */
export function templateParametersOf(content: Message['content']): string[] {
	if (content.type !== 'TEMPLATE') return [];
	const body = content.template.components.find(({ type }) => type === 'body');
	const parameters = (body?.parameters ?? []) as Array<{ type: string; text?: string }>;
	return parameters.map(({ type, text }) => text ?? `[${type}]`);
}
