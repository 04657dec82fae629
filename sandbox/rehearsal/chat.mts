import { runInNewContext } from 'node:vm';

import type { Customer, Duration, Message } from '../client/index.mts';
import { millisecondsOf, shown } from '../client/duration.mts';
import { replyButtonsOf, textOf } from '../client/messages.mts';
import { poll } from '../client/timers.mts';
import { pollPatiently, waitForPace } from './patience.mts';
import type { Pattern } from './pattern.mts';
import { failsLater, isUndeliverable, type Refused, type Service } from './service.mts';

/** An expected message that did not come, or a message where none was expected. */
export interface Missed {
	what: string;
	line: number;
	/** Number of the newest message at that moment. */
	after: number;
}

/** A chat of a script, with the messages that met its steps and the steps that failed. */
export class Chat {
	/** Lines of the steps, by the numbers of the messages that met them. */
	readonly met = new Map<number, number>();
	readonly missed: Missed[] = [];
	/** Number of the last customer message that needs no answer. */
	#settledUpTo = 0;
	/** Refused sends that steps expected. */
	readonly #askedRefusals = new Set<string>();
	#seen: number;

	/**
	 * @param key the script's name for the customer
	 * @param start number of the newest message before the script began
	 */
	constructor(
		readonly key: string,
		readonly customer: Customer,
		readonly start: number,
		readonly service: Service,
	) {
		this.#seen = start;
	}

	/** The messages since the script began, oldest first, without those that fail on their way. */
	async messages(): Promise<Message[]> {
		return (await this.#all()).filter((message) => !failsLater(message));
	}

	/** The messages since the script began that the service does not deliver, in any window. */
	async undelivered(): Promise<Message[]> {
		return (await this.#all()).filter(isUndeliverable);
	}

	/** Waits until the customer had this long to read the last message. */
	async takesTime(pace: Duration): Promise<void> {
		await waitForPace(millisecondsOf(pace), () => this.service.lastMessageTo(this.customer));
	}

	/** Waits for a button, and taps it. @returns whether it came */
	async taps(button: string, within: Duration, line: number): Promise<boolean> {
		const found = await this.#patiently(
			async () => (await this.customer.messages()).find(hasButton(button)),
			millisecondsOf(within),
		);
		if (!found) return await this.miss(`expected a button '${button}' to tap; none came`, line);
		await this.customer.tap(button);
		return true;
	}

	/** Waits for a message of the workflow after the last one. @returns whether it came */
	async gets(
		what: string,
		isWanted: (message: Message) => boolean,
		within: Duration,
		line: number,
	): Promise<boolean> {
		const limit = millisecondsOf(within);
		const found = await this.#patiently(async () => (await this.#unseen()).find(isWanted), limit);
		if (!found) return await this.miss(`expected ${what} within ${shown(limit)}; none came`, line);
		this.#seen = found.number;
		this.met.set(found.number, line);
		return true;
	}

	/** Checks that the workflow sends nothing for a while. */
	async getsNothing(duration: Duration, line: number): Promise<boolean> {
		const limit = millisecondsOf(duration);
		const found = await poll(async () => (await this.#unseen())[0], limit);
		if (found) return await this.miss(`expected nothing for ${shown(limit)}; a message came`, line);
		await this.#settle();
		return true;
	}

	/** Waits until the service refuses a message of the workflow. */
	async isRefused(within: Duration, line: number): Promise<boolean> {
		const limit = millisecondsOf(within);
		const found = await this.#patiently(async () => (await this.unaskedRefusals())[0], limit);
		if (!found)
			return await this.miss(
				`expected the service to refuse a send within ${shown(limit)} because the window is closed; none was refused`,
				line,
			);
		this.#askedRefusals.add(found.id);
		await this.#settle();
		return true;
	}

	/** Refused sends to this customer that no step expected. */
	async unaskedRefusals(): Promise<Refused[]> {
		return (await this.service.refusals()).filter(
			({ id, recipient }) => recipient === this.customer.number && !this.#askedRefusals.has(id),
		);
	}

	/** Messages of the customer that got no answer but needed one. */
	unanswered(messages: readonly Message[]): Message[] {
		const answer = messages.findLast(({ direction }) => direction === 'out')?.number ?? 0;
		const owed = Math.max(answer, this.#settledUpTo);
		return messages.filter(({ direction, number }) => direction === 'in' && number > owed);
	}

	/** Records that a step failed. @returns false */
	async miss(what: string, line: number): Promise<false> {
		const after = (await this.messages()).at(-1)?.number ?? this.start;
		this.missed.push({ what, line, after });
		return false;
	}

	async #all(): Promise<Message[]> {
		return (await this.customer.messages()).filter(({ number }) => number > this.start);
	}

	async #patiently<T>(look: () => Promise<T | undefined>, limit: number): Promise<T | undefined> {
		return await pollPatiently(look, limit, (isLate) => this.service.isHeldUp(isLate));
	}

	async #settle(): Promise<void> {
		this.#settledUpTo = (await this.messages()).at(-1)?.number ?? this.start;
	}

	async #unseen(): Promise<Message[]> {
		const messages = await this.messages();
		return messages.filter((message) => message.number > this.#seen && isOfWorkflow(message));
	}
}

/** Whether a message came through the API, not from a colleague's phone. */
export const isOfWorkflow = ({ direction, fromApi }: Message): boolean =>
	direction === 'out' && fromApi;

const hasButton =
	(button: string) =>
	({ content }: Message): boolean =>
		replyButtonsOf(content).some(({ id, title }) => title === button || id === button);

const MATCH_LIMIT = 1000;

/** Runs an expression that a script chose, which may try without end. */
function isMatch(expression: string, text: string): boolean {
	const given = { expression, text };
	try {
		return Boolean(
			runInNewContext('new RegExp(expression).test(text)', given, { timeout: MATCH_LIMIT }),
		);
	} catch {
		throw new Error(
			`matches /${expression}/ took longer than ${shown(MATCH_LIMIT)} on '${text}'. Write it so that it has one way to match a text`,
		);
	}
}

/** Whether a message matches a step. */
export function isAsWanted({ content }: Message, pattern: Pattern, buttons?: string[]): boolean {
	const text = textOf(content) ?? '';
	const isIn = (phrase: string): boolean => text.toLowerCase().includes(phrase.toLowerCase());
	const titles = 'buttons' in content ? content.buttons.map(({ title }) => title) : [];
	return (
		(pattern.text === undefined || text === pattern.text) &&
		(pattern.matches === undefined || isMatch(pattern.matches, text)) &&
		(pattern.contains ?? []).every(isIn) &&
		!(pattern.containsNone ?? []).some(isIn) &&
		(pattern.type === undefined || content.type === pattern.type) &&
		(buttons === undefined || titles.join('\n') === buttons.join('\n'))
	);
}

/** A pattern in words: "a message 'Hello'". */
export function inWords(pattern: Pattern, buttons?: string[]): string {
	const { text, matches, contains, containsNone, type } = pattern;
	const words = [
		type === undefined ? 'a message' : `a message ${type}`,
		text !== undefined && `'${text}'`,
		matches !== undefined && `that matches /${matches}/`,
		contains && `that contains ${listed(contains)}`,
		containsNone && `without ${listed(containsNone)}`,
		buttons !== undefined && `with the buttons ${buttons.map((title) => `[${title}]`).join(' ')}`,
	];
	return words.filter(Boolean).join(' ');
}

const listed = (phrases: readonly string[]): string =>
	phrases.map((phrase) => `'${phrase}'`).join(', ');
