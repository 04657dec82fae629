/** Where a scene plays: its customers, and what it does to the account. */
import type { ActiveFault, Channel, Fault, Message, Sandbox } from '../client/index.mts';
import { now, poll, sleep } from '../client/timers.mts';
import { isOfBot, type Note, type Phone, type Send } from './played.mts';

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
}

interface Undelivered {
	customer?: string;
	state?: string;
	lastAttempt: { error: string | null } | null;
}

type Request = Send & { number: number; recipient?: string };

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

/** The setting, with views of the channel that all scenes share. */
export async function viewOf(setting: Setting) {
	const { sandbox, channel } = setting;
	const id = channel.channelId;
	const asks =
		<K extends string, T>(key: K, path: string) =>
		async (): Promise<T> =>
			(await sandbox.control<Record<K, T>>('GET', path))[key];
	const requests = asks<'requests', Request[]>(
		'requests',
		`/requests?method=POST&path=/v1/channels/${id}/messages&limit=20000`,
	);
	const start = (await channel.messages()).at(-1)?.number ?? 0;
	const before = (await requests()).at(-1)?.number ?? 0;
	const news = `/messages?channelId=${id}&after=${start}&limit=10000`;
	let customers = 0;
	return {
		...setting,
		/** Milliseconds that the slowest answer took. */
		pace: { slowest: 0 },
		/** The name of the next customer. Bots know some by it, and mix them up. */
		nextName: () => `Customer ${(customers += 1)}`,
		messages: remembered(asks<'messages', Message[]>('messages', news)),
		undelivered: remembered(
			asks<'undelivered', Undelivered[]>('undelivered', `/undelivered?channelId=${id}`),
		),
		sends: async () => (await requests()).filter(({ number }) => number > before),
	};
}

export type View = Awaited<ReturnType<typeof viewOf>>;

/** A customer who got no answer goes. */
class Silence extends Error {}

export class Guest {
	/** Silence is a fault, unless the scene says otherwise. */
	silence: Phone['silence'] = 'fault';
	readonly mark = crypto.randomUUID().slice(0, 6).toUpperCase();
	readonly customer;
	readonly #view: View;
	readonly #notes: Note[] = [];
	/** A delivery of no message of the chat. */
	#copy: number | undefined;

	constructor(view: View, name: string) {
		this.#view = view;
		this.customer = view.channel.customer({ name });
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
		await this.answered();
		if (this.silence === 'fault' && !(await this.hears(0))) throw new Silence();
	}

	async messages(isFresh = true): Promise<Message[]> {
		const { number } = this.customer;
		return (await this.#view.messages(isFresh)).filter(({ customer }) => customer === number);
	}

	/**
	 * Waits until the last words have an answer: if it may stay out, some times as long as other
	 * answers took.
	 *
	 * @returns whether they have
	 */
	async hears(longest = this.#view.within): Promise<boolean> {
		const { settle, pace } = this.#view;
		const likely = 2 * settle + TIMES * pace.slowest;
		const limit = this.silence === 'fault' ? longest : Math.min(longest, likely);
		const began = now();
		await this.messages();
		const hasAnswer = async () =>
			(await this.messages(false)).findLast((one) => one.direction === 'in' || isOfBot(one))
				?.direction === 'out' || undefined;
		const isAnswered = (await poll(hasAnswer, limit)) ?? false;
		if (isAnswered) pace.slowest = Math.max(pace.slowest, now() - began);
		return isAnswered;
	}

	/** Waits until the last words have an answer and no more comes. */
	async answered(): Promise<void> {
		if ((await this.hears()) || this.silence !== 'fault') await this.rests();
	}

	/** Watches until the bot took everything, and nothing comes for a while. */
	async rests(): Promise<void> {
		const { within, settle, pace } = this.#view;
		await this.#view.undelivered(true);
		await poll(async () => (await this.#untaken()).length === 0 || undefined, within);
		let before = -1;
		for (let round = 0; round < MOST_ROUNDS; round += 1) {
			const { length } = await this.messages();
			if (length === before) return;
			before = length;
			await sleep(Math.max(settle, Math.min(pace.slowest, within)));
		}
	}

	/** Notes what no phone shows. */
	async notes(what: string, kind?: Note['kind']): Promise<void> {
		this.#notes.push({ after: (await this.messages()).at(-1)?.number ?? 0, kind, what });
	}

	/** Delivers the last message once more: the event itself, or a copy under another key. */
	async again(how: 'redeliver' | 'copy', contents?: object[]): Promise<void> {
		const { sandbox, channel, webhooks } = this.#view;
		const { number } = this.customer;
		const { messages } = await sandbox.control<{
			messages: Array<{ deliveries?: Array<{ id: number; webhookId: string }> }>;
		}>('GET', `/messages?channelId=${channel.channelId}&customer=${number}&deliveries=true`);
		const last = messages.findLast(({ deliveries }) => deliveries)?.deliveries ?? [];
		for (const { id } of last.filter(({ webhookId }) => webhooks.includes(webhookId))) {
			const path = `/deliveries/${id}/${how}`;
			const made = await sandbox.control<{ id: number }>('POST', path, contents && { contents });
			if (contents) this.#copy = made.id;
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
		const { channelId } = this.#view.channel;
		const query = new URLSearchParams({ channelId, customer: this.customer.number });
		await this.#view.sandbox
			.control('DELETE', `/conversations?${query.toString()}`)
			.catch(() => {});
	}

	/** What the bot has not taken yet, by the errors. */
	async #untaken(isFresh = false): Promise<string[]> {
		const copy =
			this.#copy !== undefined &&
			(await this.#view.sandbox.control<Undelivered>('GET', `/deliveries/${this.#copy}`));
		return [
			...(await this.#view.undelivered(isFresh)).filter(
				({ customer }) => customer === this.customer.number,
			),
			...(copy && copy.state !== 'DELIVERED' ? [copy] : []),
		].map(({ lastAttempt }) => lastAttempt?.error ?? UNDER_WAY);
	}
}

export class Stage {
	readonly guests: Guest[] = [];
	readonly #faults: ActiveFault[] = [];

	constructor(readonly view: View) {}

	guest(silence: Phone['silence'] = 'fault', name = this.view.nextName()): Guest {
		const guest = new Guest(this.view, name);
		guest.silence = silence;
		this.guests.push(guest);
		return guest;
	}

	/** A customer for each, side by side. */
	async each(
		words: readonly string[],
		play: (guest: Guest, words: string) => Promise<void>,
		name?: string,
	): Promise<void> {
		await Promise.all(
			words.map(async (one) => await untilSilence(play(this.guest('fault', name), one))),
		);
	}

	/** Switches a fault of this account on, at most until the scene ends. */
	async fails(fault: Fault): Promise<void> {
		this.#faults.push(await this.view.channel.faults.set(fault));
	}

	/** The next delivery to the bot comes later. */
	async holds(ms: number): Promise<void> {
		for (const webhookId of this.view.webhooks)
			await this.fails({ on: 'webhook', webhookId, kind: 'latency', ms, times: 1 });
	}

	/** Leaves the account as it was. */
	async clears(): Promise<void> {
		for (const fault of this.#faults.splice(0)) await fault.clear();
	}
}

/** What a customer does, at most until an answer that is owed does not come. */
export const untilSilence = async (play: Promise<void>): Promise<void> =>
	await play.catch((error: unknown) => {
		if (!(error instanceof Silence)) throw error;
	});
