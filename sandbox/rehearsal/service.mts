/** What a rehearsal asks the sandbox beside the chats themselves. */
import type { Channel, Customer, Message, Sandbox } from '../client/index.mts';
import { described } from '../client/messages.mts';
import { WINDOW_CLOSED } from '../contract.mts';
import type { LastMessage } from './patience.mts';

/**
 * A message of the workflow that the service refused because the window was closed, at once or by
 * FAILED later.
 */
export interface Refused {
	/** Of the request or the message. */
	id: string;
	recipient: string;
}

/** A customer's message that a webhook has not accepted yet. */
interface Undelivered {
	messageId: string;
	number: number;
	customer: string;
	attempts: number;
	/** By the sandbox's clock, ISO 8601. */
	nextAt: string;
	lastAttempt: { error: string | null } | null;
}

/** Whether a message was accepted and nobody gets it, as while the window is closed. */
export const failsLater = ({ failure }: Message): boolean => failure !== null;

/** Whether that is the message's own fault, whatever the window: its file is a document. */
export const isUndeliverable = (message: Message): boolean =>
	failsLater(message) && !message.windowClosed;

const hasFailedLater = ({ windowClosed, status }: Message): boolean =>
	windowClosed && status === 'FAILED';

export class Service {
	readonly #sandbox: Sandbox;
	readonly #channel: Channel;
	readonly #onWait: (why: string) => void;
	/** Names of the script's customers, by their numbers. */
	readonly #names = new Map<string, string>();
	/** Number of the newest message before the script began. */
	#start = 0;
	readonly #refusedBefore = new Set<string>();
	/** Failed attempts that were told of. */
	readonly #told = new Set<string>();

	constructor(sandbox: Sandbox, channel: Channel, onWait: (why: string) => void) {
		this.#sandbox = sandbox;
		this.#channel = channel;
		this.#onWait = onWait;
	}

	/** @returns the number of the newest message */
	async open(): Promise<number> {
		this.#start = (await this.#channel.messages()).at(-1)?.number ?? 0;
		for (const { id } of await this.#refused()) this.#refusedBefore.add(id);
		return this.#start;
	}

	/** Adds a customer of the script. */
	add({ number, name }: { number: string; name: string }): void {
		this.#names.set(number, name);
	}

	/** The refusals since the script began. */
	async refusals(): Promise<Refused[]> {
		return (await this.#refused()).filter(({ id }) => !this.#refusedBefore.has(id));
	}

	/**
	 * Whether the workflow has not got everything yet that the script's customers said. Its answer
	 * to one may wait for the words of another.
	 *
	 * @param isLate whether a step waits longer because of it, which is then told
	 */
	async isHeldUp(isLate: boolean): Promise<boolean> {
		const { undelivered } = await this.#undelivered();
		const theirs = undelivered.filter(
			({ number, customer }) => number > this.#start && this.#names.has(customer),
		);
		if (isLate) for (const one of theirs) await this.#tell(one);
		return theirs.length > 0;
	}

	/** The last message to a customer, of the workflow or of a colleague. */
	async lastMessageTo(customer: Customer): Promise<LastMessage | undefined> {
		// The time first: a message looks no older than it is.
		const { now } = await this.#undelivered();
		const last = (await customer.messages()).findLast(({ direction }) => direction === 'out');
		return last && { number: last.number, age: Date.parse(now) - Date.parse(last.createdAt) };
	}

	async #undelivered(): Promise<{ now: string; undelivered: Undelivered[] }> {
		return await this.#sandbox.control('GET', `/undelivered?channelId=${this.#channel.channelId}`);
	}

	/** Tells once of each failed attempt. */
	async #tell({ messageId, customer, attempts, nextAt, lastAttempt }: Undelivered): Promise<void> {
		const attempt = `${messageId} ${attempts}`;
		if (!lastAttempt?.error || this.#told.has(attempt)) return;
		this.#told.add(attempt);
		const message = await this.#sandbox.control<Message>('GET', `/messages/${messageId}`);
		this.#onWait(
			`'${described(message)}' of ${this.#names.get(customer)} was not delivered (${lastAttempt.error}). It is delivered again at ${nextAt.slice(11, 19)}, and the script waits for it`,
		);
	}

	/** Sends on the channel that failed because a window was closed, not by a fault. */
	async #refused(): Promise<Refused[]> {
		const path = `/v1/channels/${this.#channel.channelId}/messages`;
		const { requests } = await this.#sandbox.control<{
			requests: Array<{ number: number; recipient?: string; refusal?: string }>;
		}>('GET', `/requests?method=POST&path=${path}&limit=20000`);
		const atOnce = requests.flatMap(({ number, recipient, refusal }) =>
			recipient !== undefined && refusal === WINDOW_CLOSED.message
				? [{ id: `request ${number}`, recipient }]
				: [],
		);
		const messages = await this.#channel.messages();
		const later = messages.filter(hasFailedLater);
		return [...atOnce, ...later.map(({ id, customer }) => ({ id, recipient: customer }))];
	}
}
