import { type Duration, millisecondsOf, shown } from './duration.mts';
import {
	type BusinessContent,
	type CustomerContent,
	type Message,
	replyButtonsOf,
	templateAsked,
	type TemplateDetails,
	textOf,
} from './messages.mts';
import { poll } from './timers.mts';
import { ExpectationError, transcriptOf } from './transcript.mts';
import type { Wire } from './wire.mts';

const DEFAULT_WITHIN = '5s';
const MOST_MESSAGES = 10_000;

export interface Within {
	/** How long to wait. Default: 5 s. */
	within?: Duration;
}

/** The whole text, or a pattern that matches part of it. */
export type TextPattern = string | RegExp;

export type ExpectTemplateOptions = TemplateDetails & Within;

export interface SendFileOptions {
	caption?: string;
	/**
	 * The kind of message, for files that can be sent as several. Default: the first possible kind.
	 */
	as?: 'IMAGE' | 'VIDEO' | 'AUDIO' | 'STICKER';
}

// `search` ignores the position at which a pattern with the flag g stopped the last time.
const matches = (pattern: TextPattern, text: string | undefined): boolean =>
	text !== undefined &&
	(typeof pattern === 'string' ? text === pattern : text.search(pattern) >= 0);

/**
 * A customer of an account, with a chat. Each expectation looks only at messages after the one that
 * met the expectation before it, so two expectations of the same text need two messages.
 */
export class Customer {
	readonly #wire: Wire;
	readonly #channelId: string;
	/** Number of the message that met the last expectation. */
	#seen = 0;

	/**
	 * @param number how the channel knows the customer: a phone number with its country code and no
	 * plus, or a name or ID
	 */
	constructor(
		wire: Wire,
		channelId: string,
		readonly number: string,
		readonly name: string,
	) {
		this.#wire = wire;
		this.#channelId = channelId;
	}

	/** Writes a text. @returns the message's id */
	async write(text: string): Promise<string> {
		return await this.send({ type: 'TEXT', text });
	}

	/** Sends a content of any kind. @returns the message's id */
	async send(content: CustomerContent): Promise<string> {
		const { messageId } = await this.#wire.call<{ messageId: string }>('POST', '/inbound', {
			channelId: this.#channelId,
			from: this.number,
			name: this.name,
			...content,
		});
		return messageId;
	}

	/**
	 * Sends a file, by its media type: `new Blob([bytes], {type: 'image/png'})`.
	 *
	 * @returns the message's id
	 */
	async sendFile(file: Blob, { caption, as }: SendFileOptions = {}): Promise<string> {
		const { url, kinds } = await this.#wire.call<{
			url: string;
			kinds: Array<NonNullable<SendFileOptions['as']>>;
		}>('POST', `/media?channelId=${this.#channelId}`, file);
		const type = as ?? kinds[0] ?? 'IMAGE';
		return await this.send(
			caption === undefined || type === 'AUDIO' || type === 'STICKER'
				? { type, url }
				: { type, url, caption },
		);
	}

	/**
	 * Taps a button, by its title or id, of the newest message that has it. Waits until there is one.
	 *
	 * @returns the id of the reply
	 * @throws ExpectationError with the chat if no such button comes
	 */
	async tap(button: string, { within = DEFAULT_WITHIN }: Within = {}): Promise<string> {
		const limit = millisecondsOf(within);
		const found = await poll(async () => {
			const buttons = (await this.messages()).flatMap(({ id, content }) =>
				replyButtonsOf(content).map((candidate) => ({ messageId: id, ...candidate })),
			);
			return buttons.findLast(({ id, title }) => title === button || id === button);
		}, limit);
		if (!found)
			throw await this.#failure(`Expected a button '${button}' within ${shown(limit)}; none came.`);
		const { messageId } = await this.#wire.call<{ messageId: string }>(
			'POST',
			`/messages/${found.messageId}/tap`,
			{ buttonId: found.id },
		);
		return messageId;
	}

	/** Opens the chat, which reads the business's messages. */
	async read(): Promise<void> {
		const body = { channelId: this.#channelId, customer: this.number };
		await this.#wire.call('POST', '/read', body);
	}

	/** Closes the conversation window of this customer, as 24 hours of silence would. */
	async closeWindow(): Promise<void> {
		const body = { channelId: this.#channelId, customer: this.number };
		await this.#wire.call('POST', '/close-window', body);
	}

	/** The whole chat, oldest first. */
	async messages(): Promise<Message[]> {
		return await this.#list({ limit: String(MOST_MESSAGES) });
	}

	async #list(filter: Record<string, string>): Promise<Message[]> {
		const chat = { channelId: this.#channelId, customer: this.number };
		const query = new URLSearchParams({ ...chat, ...filter });
		const { messages } = await this.#wire.call<{ messages: Message[] }>(
			'GET',
			`/messages?${query.toString()}`,
		);
		return messages;
	}

	/**
	 * Waits for a matching text: a text message, the text above buttons, a filled-in template or a
	 * caption.
	 */
	async expectText(pattern: TextPattern, options: Within = {}): Promise<Message> {
		const wanted = typeof pattern === 'string' ? `'${pattern}'` : `that matches ${pattern}`;
		return await this.expectMessage(
			`a text ${wanted}`,
			({ content }) => matches(pattern, textOf(content)),
			options,
		);
	}

	/** Waits for a template of this name. */
	async expectTemplate(
		name: string,
		options: ExpectTemplateOptions = {},
	): Promise<Message & { content: Extract<BusinessContent, { type: 'TEMPLATE' }> }> {
		const { what, isIt } = templateAsked(name, options);
		const found = await this.expectMessage(what, isIt, options);
		return found as Message & { content: Extract<BusinessContent, { type: 'TEMPLATE' }> };
	}

	/**
	 * Waits for a message of the business that matches. Skips the messages before it.
	 *
	 * @param what completes "Expected …" if none comes
	 * @throws ExpectationError with the chat
	 */
	async expectMessage(
		what: string,
		isWanted: (message: Message) => boolean,
		{ within = DEFAULT_WITHIN }: Within = {},
	): Promise<Message> {
		const limit = millisecondsOf(within);
		const found = await poll(async () => (await this.#unseen()).find(isWanted), limit);
		if (!found) throw await this.#failure(`Expected ${what} within ${shown(limit)}; none came.`);
		this.#seen = found.number;
		return found;
	}

	/**
	 * Checks that the business sends nothing for a while.
	 *
	 * @throws ExpectationError with the chat as soon as it does
	 */
	async expectNone(duration: Duration = '500ms'): Promise<void> {
		const limit = millisecondsOf(duration);
		const found = await poll(async () => (await this.#unseen())[0], limit);
		if (found) throw await this.#failure(`Expected nothing for ${shown(limit)}; a message came.`);
	}

	/** The messages of the business after the last expectation. */
	async #unseen(): Promise<Message[]> {
		const messages = await this.#list({ after: String(this.#seen) });
		return messages.filter(({ direction }) => direction === 'out');
	}

	async #failure(what: string): Promise<ExpectationError> {
		const chat = transcriptOf(await this.messages(), this.name, this.#seen);
		return new ExpectationError(
			`${what}\n\nThe chat of ${this.name} (${this.number}), * marks what was expected:\n${chat}`,
		);
	}
}
