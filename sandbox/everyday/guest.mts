/** A customer of a scene, and what all of them share. */
import type { ActiveFault, Channel, Message, Sandbox } from '../client/index.mts';
import { now, poll, sleep } from '../client/timers.mts';
import { NOTHING_LISTENS } from '../delivery/send.mts';
import { isOfBot, type Note, type Phone } from './played.mts';

/** Where and how patiently scenes are played. Times are milliseconds. */
export interface Setting {
	sandbox: Sandbox;
	channel: Channel;
	/** Longest wait for an answer. */
	within: number;
	/** How long to watch for more at least. A slow bot is watched as long as its answer took. */
	settle: number;
	/** What a customer of this bot writes first, one for each opening. */
	openings: readonly string[];
	/** Ids of the webhooks that the bot listens with. */
	webhooks: readonly string[];
	/** Whether the bot need not answer. */
	mayBeSilent?: boolean | undefined;
}

/** What one customer of a scene does. */
export interface Part {
	/** Left out: a name that nobody else has. */
	name?: string;
	/** Left out: a fault. */
	silence?: Phone['silence'];
	play: (guest: Guest) => Promise<void>;
}

interface Undelivered {
	customer?: string;
	state?: string;
	lastAttempt: { error: string | null } | null;
}

/** How often the channel is asked, for all customers at once. */
const LOOK_EVERY = 150;
/** How often to watch again because a message came. */
const MOST_ROUNDS = 10;
const TIMES = 3;
const UNDER_WAY = 'under way';

/** Asks at most every so often, unless a fresh result is needed. */
function remembered<T>(ask: () => Promise<T>) {
	let last: Promise<T> | undefined;
	let until = 0;
	return (isFresh = false): Promise<T> => {
		if (last && !isFresh && now() < until) return last;
		until = now() + LOOK_EVERY;
		return (last = ask());
	};
}

/** The setting, with views of the channel that all customers share. */
export async function viewOf(setting: Setting) {
	const { sandbox, channel } = setting;
	const id = channel.channelId;
	/** Asks for a list by its name, which the path and the response have. */
	const list =
		<T,>(name: string, query: string) =>
		async (): Promise<T[]> =>
			(await sandbox.control<Record<string, T[]>>('GET', `/${name}?${query}`))[name]!;
	const start = (await channel.messages()).at(-1)?.number ?? 0;
	const news = `channelId=${id}&after=${start}&limit=10000`;
	const sends = `method=POST&path=/v1/channels/${id}/messages&limit=20000`;
	return {
		...setting,
		/** All customers so far, and the faults that are switched on. */
		guests: [] as Guest[],
		faults: [] as ActiveFault[],
		/** Milliseconds that the slowest answer took. */
		slowest: 0,
		messages: remembered(list<Message>('messages', news)),
		undelivered: remembered(list<Undelivered>('undelivered', `channelId=${id}`)),
		sends: list<Phone['sends'][0] & { recipient?: string }>('requests', sends),
	};
}

export type View = Awaited<ReturnType<typeof viewOf>>;

/** A customer who got no answer goes. */
class Silence extends Error {}

export class Guest {
	#silence: Phone['silence'] = 'fault';
	readonly mark = crypto.randomUUID().slice(0, 6).toUpperCase();
	readonly customer;
	readonly #view: View;
	readonly #part: Part;
	readonly #notes: Note[] = [];
	/** A delivery of no message of the chat. */
	#copy: number | undefined;

	constructor(view: View, part: Part) {
		this.#view = view;
		this.#part = part;
		this.silence = part.silence ?? 'fault';
		// Bots know some by their name, and mix them up.
		const count = view.guests.push(this);
		this.customer = view.channel.customer({ name: part.name ?? `Customer ${count}` });
	}

	get silence(): Phone['silence'] {
		return this.#silence;
	}

	/** Whatever a scene says, a bot that need not answer may be silent. */
	set silence(silence) {
		this.#silence = this.#view.mayBeSilent ? 'fine' : silence;
	}

	/** Plays to the end, or until an answer that is owed does not come. */
	async plays(): Promise<void> {
		await this.#part.play(this).catch((error: unknown) => {
			if (!(error instanceof Silence)) throw error;
		});
	}

	/** The first opening, with this customer's mark. */
	get opening(): string {
		return this.marked(this.#view.openings[0] ?? '');
	}

	marked(words: string): string {
		return `${words} (${this.mark})`;
	}

	/** Writes, and waits for the answer. Says no more if an answer is owed and none comes. */
	async asks(words: string): Promise<void> {
		await this.customer.write(words);
		if (!(await this.answered()) && this.silence === 'fault') throw new Silence();
	}

	/** Waits until the last words have an answer and no more comes. @returns whether they have */
	async answered(): Promise<boolean> {
		const isAnswered = await this.hears();
		if (isAnswered || this.silence !== 'fault') await this.rests();
		return isAnswered;
	}

	async messages(isFresh = true): Promise<Message[]> {
		const { number } = this.customer;
		return (await this.#view.messages(isFresh)).filter(({ customer }) => customer === number);
	}

	/**
	 * Waits until the last words have an answer. If it may stay out: until the bot took them, and
	 * some times as long as other answers took.
	 *
	 * @returns whether they have
	 */
	async hears(): Promise<boolean> {
		const { settle, within } = this.#view;
		const began = now();
		await this.messages();
		const hasAnswer = async () => {
			const last = (await this.messages(false)).findLast(
				(one) => one.direction === 'in' || isOfBot(one),
			);
			const untaken = await this.#untaken();
			if (last?.direction === 'out') return true;
			const isPatient = now() - began < 2 * settle + TIMES * this.#view.slowest;
			if (this.silence === 'fault' || isPatient) return undefined;
			return untaken.length === 0 ? false : undefined;
		};
		const isAnswered = (await poll(hasAnswer, within)) ?? false;
		if (isAnswered) this.#view.slowest = Math.max(this.#view.slowest, now() - began);
		return isAnswered;
	}

	/** Watches until the bot took everything, and nothing comes for a while. */
	async rests(): Promise<void> {
		const { within, settle, undelivered } = this.#view;
		await undelivered(true);
		await poll(async () => (await this.#untaken()).length === 0 || undefined, within);
		let before = -1;
		for (let round = 0; round < MOST_ROUNDS; round += 1) {
			const { length } = await this.messages();
			if (length === before) return;
			before = length;
			await sleep(Math.max(settle, Math.min(this.#view.slowest, within)));
		}
	}

	/** Notes what no phone shows. */
	async notes(what: string, kind?: Note['kind']): Promise<void> {
		this.#notes.push({ after: (await this.messages()).at(-1)?.number ?? 0, kind, what });
	}

	/** Delivers the last message once more: the event itself, or a copy under another key. */
	async again(how: 'redeliver' | 'copy', contents?: object[]): Promise<void> {
		const { sandbox, channel, webhooks } = this.#view;
		const query = `channelId=${channel.channelId}&customer=${this.customer.number}&deliveries=true`;
		const { messages } = await sandbox.control<{
			messages: Array<{ deliveries?: Array<{ id: number; webhookId: string }> }>;
		}>('GET', `/messages?${query}`);
		const last = messages.findLast(({ deliveries }) => deliveries)?.deliveries ?? [];
		for (const { id } of last.filter(({ webhookId }) => webhooks.includes(webhookId))) {
			const path = `/deliveries/${id}/${how}`;
			const made = await sandbox.control<{ id: number }>('POST', path, contents && { contents });
			this.#copy = made.id;
		}
		await this.rests();
	}

	async colleagueWrites(text: string): Promise<void> {
		const { number, name } = this.customer;
		const body = { channelId: this.#view.channel.channelId, to: number, name, text };
		await this.#view.sandbox.control('POST', '/from-phone', body);
		await this.rests();
	}

	async phone(): Promise<Phone> {
		const { mark, silence, customer } = this;
		return {
			...{ name: customer.name, mark, silence, notes: this.#notes },
			messages: await this.messages(),
			sends: (await this.#view.sends()).filter(({ recipient }) => recipient === customer.number),
			// What is still under way says nothing of the bot.
			untaken: (await this.#untaken(true)).filter((error) => error !== UNDER_WAY),
		};
	}

	/** Leaves no chat behind. A customer who has not written yet has none. */
	async leaves(): Promise<void> {
		const { sandbox, channel } = this.#view;
		const query = `channelId=${channel.channelId}&customer=${encodeURIComponent(this.customer.number)}`;
		await sandbox.control('DELETE', `/conversations?${query}`).catch(() => {});
	}

	/**
	 * What the bot has not taken yet, by the errors.
	 *
	 * @throws Error if the bot is gone, for then nothing that follows says anything of it
	 */
	async #untaken(isFresh = false): Promise<string[]> {
		const { sandbox, undelivered } = this.#view;
		const copy =
			this.#copy !== undefined &&
			(await sandbox.control<Undelivered>('GET', `/deliveries/${this.#copy}`));
		const errors = [
			...(await undelivered(isFresh)).filter(({ customer }) => customer === this.customer.number),
			...(copy && copy.state !== 'DELIVERED' ? [copy] : []),
		].map(({ lastAttempt }) => lastAttempt?.error ?? UNDER_WAY);
		if (errors.includes(NOTHING_LISTENS)) throw new Error(NOTHING_LISTENS);
		return errors;
	}
}
