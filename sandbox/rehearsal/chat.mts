import type { Customer, Duration, Message } from '../client/index.mts';
import { millisecondsOf, shown } from '../client/duration.mts';
import { textOf } from '../client/messages.mts';
import { poll } from '../client/timers.mts';
import type { Pattern } from './schema.mts';

/** What was expected and did not come, or came where nothing was expected. */
export interface Missed {
	what: string;
	line: number;
	/** Number of the newest message at that moment. */
	after: number;
}

/** What a workflow sent and the service refused, since the window was closed. */
export interface Refused {
	number: number;
	recipient: string;
}

/** A chat of a script: what its steps were met by, and what they missed. */
export class Chat {
	/** Lines of the steps, by the numbers of the messages that met them. */
	readonly met = new Map<number, number>();
	readonly missed: Missed[] = [];
	/** Up to which message of the customer no answer is owed. */
	#settledUpTo = 0;
	/** Refused sends that steps asked for. */
	readonly #askedRefusals = new Set<number>();
	#seen: number;

	/**
	 * @param key what the script calls the customer
	 * @param start number of the newest message before the script began
	 * @param refusals what the service refused on the channel since then
	 */
	constructor(
		readonly key: string,
		readonly customer: Customer,
		readonly start: number,
		readonly refusals: () => Promise<Refused[]>,
	) {
		this.#seen = start;
	}

	/** What was said since the script began, oldest first. */
	async messages(): Promise<Message[]> {
		return (await this.customer.messages()).filter(({ number }) => number > this.start);
	}

	/** Waits for a message of the workflow after the one before. @returns whether it came */
	async gets(
		what: string,
		isWanted: (message: Message) => boolean,
		within: Duration,
		line: number,
	): Promise<boolean> {
		const limit = millisecondsOf(within);
		const found = await poll(async () => (await this.#unseen()).find(isWanted), limit);
		if (!found) return await this.miss(`expected ${what} within ${shown(limit)}; none came`, line);
		this.#seen = found.number;
		this.met.set(found.number, line);
		return true;
	}

	/** Sees that the workflow sends nothing for a while. */
	async getsNothing(duration: Duration, line: number): Promise<boolean> {
		const limit = millisecondsOf(duration);
		const found = await poll(async () => (await this.#unseen())[0], limit);
		if (found) return await this.miss(`expected nothing for ${shown(limit)}; a message came`, line);
		await this.#settle();
		return true;
	}

	/** Waits until the service refuses what the workflow sends. */
	async isRefused(within: Duration, line: number): Promise<boolean> {
		const limit = millisecondsOf(within);
		const found = await poll(async () => (await this.unaskedRefusals())[0], limit);
		if (!found)
			return await this.miss(
				`expected a send that the service refuses, as the window is closed, within ${shown(limit)}; none was refused`,
				line,
			);
		this.#askedRefusals.add(found.number);
		await this.#settle();
		return true;
	}

	/** What was refused to this customer without a step that asked for it. */
	async unaskedRefusals(): Promise<Refused[]> {
		return (await this.refusals()).filter(
			({ number, recipient }) =>
				recipient === this.customer.number && !this.#askedRefusals.has(number),
		);
	}

	/** Messages of the customer after which nothing came, and nothing was to come. */
	unanswered(messages: readonly Message[]): Message[] {
		const answer = messages.findLast(({ direction }) => direction === 'out')?.number ?? 0;
		const owed = Math.max(answer, this.#settledUpTo);
		return messages.filter(({ direction, number }) => direction === 'in' && number > owed);
	}

	/** Notes that a step was not met. @returns false */
	async miss(what: string, line: number): Promise<false> {
		const after = (await this.messages()).at(-1)?.number ?? this.start;
		this.missed.push({ what, line, after });
		return false;
	}

	async #settle(): Promise<void> {
		this.#settledUpTo = (await this.messages()).at(-1)?.number ?? this.start;
	}

	async #unseen(): Promise<Message[]> {
		const messages = await this.messages();
		return messages.filter((message) => message.number > this.#seen && isOfWorkflow(message));
	}
}

/** Whether a message came through the API, and not from a colleague's phone. */
export const isOfWorkflow = ({ direction, fromApi }: Message): boolean =>
	direction === 'out' && fromApi;

/** Whether a message is as a step wants it. */
export function isAsWanted({ content }: Message, pattern: Pattern, buttons?: string[]): boolean {
	const text = textOf(content) ?? '';
	const titles = 'buttons' in content ? content.buttons.map(({ title }) => title) : [];
	return (
		(pattern.text === undefined || text === pattern.text) &&
		(pattern.matches === undefined || new RegExp(pattern.matches).test(text)) &&
		(pattern.type === undefined || content.type === pattern.type) &&
		(buttons === undefined || titles.join('\n') === buttons.join('\n'))
	);
}

/** A pattern in words: "a text 'Hello'". */
export function inWords({ text, matches, type }: Pattern, buttons?: string[]): string {
	const words = [
		type === undefined ? 'a message' : `a message ${type}`,
		text !== undefined && `'${text}'`,
		matches !== undefined && `that matches /${matches}/`,
		buttons !== undefined && `with the buttons ${buttons.map((title) => `[${title}]`).join(' ')}`,
	];
	return words.filter(Boolean).join(' ');
}
