import { idKey } from '../service/contract';
import type { WaitingQuestion } from '../shared/waitingQuestion';
import { marksOf } from '../shared/waitingQuestion';

/** Milliseconds for which what a person writes after a reply counts as one, too. */
const AFTER_REPLY = 5000;
/** Milliseconds for which a list counts, or the failure to get it. Nobody reads a question and replies to it in less. */
const LIST_COUNTS = 2000;
/** Channels remembered by a process. */
const CHANNELS_MAX = 500;
/** Questions remembered of a channel. */
const QUESTIONS_MAX = 1000;

interface Asked {
	/** All that stands for those who are asked: their marks, or their identifiers as they are compared. */
	people: readonly string[];
	/** Milliseconds: until when, at least, what they write counts as a reply. */
	until: number;
}

interface Channel {
	/** The questions that were listed last, by their webhooks. */
	waiting: Map<string, Asked>;
	/** Those that are over since a moment ago. */
	over: Map<string, Asked>;
	isListed: boolean;
	/** Milliseconds: until when the list counts. */
	listCounts: number;
	/** Never rejects. */
	underWay?: Promise<void>;
	/** Grows with each question of this process: a list that was asked for before does not hold it. */
	edition: number;
}

/** Where a question is asked. */
export interface Where {
	/** Of the service's client. */
	account: string;
	channelId: string;
}

/**
 * Knows who is asked something in the chat, by the service's list of webhooks, which all processes share, and by what this process asked and had
 * answered itself. One for the whole process; bounded.
 */
export class AskedPeople {
	/** In the order of their last use: a Map keeps insertion order. */
	private readonly channels = new Map<string, Channel>();

	/** @param now milliseconds */
	constructor(private readonly now: () => number) {}

	/** This process registered a question: the list that is kept does not hold it. */
	asked(where: Where): void {
		const channel = this.channelOf(where);
		channel.listCounts = 0;
		channel.edition += 1;
		delete channel.underWay;
	}

	/** This process got the reply to a question. @param people their identifiers, as they are compared */
	answered(where: Where, webhookId: string, people: readonly string[]): void {
		const channel = this.channelOf(where);
		channel.waiting.delete(idKey(webhookId));
		this.end(channel, idKey(webhookId), { people, until: this.now() + AFTER_REPLY });
	}

	/**
	 * Whether what a person writes now replies to a question: one waits for them, or did a moment ago. False while the list cannot be had.
	 * @param names all that stands for the person. Asked for only where there are questions
	 * @param list the questions that wait on the channel
	 * @throws what `list` rejects with; to others who needed the same list, it says false
	 */
	async isReply(
		where: Where,
		names: () => Promise<readonly string[]>,
		list: () => Promise<WaitingQuestion[]>,
	): Promise<boolean> {
		const channel = this.channelOf(where);
		let known: readonly string[] | undefined;
		const find = async (questions: Asked[]) => {
			if (questions.length === 0) return undefined;
			const person = (known ??= await names());
			return questions.find(({ people }) => people.some((one) => person.includes(one)));
		};
		const isJustOver = async () => {
			const now = this.now();
			return (
				(await find([...channel.over.values()].filter(({ until }) => until > now))) !== undefined
			);
		};

		if (await isJustOver()) return true;
		if (this.now() >= channel.listCounts) await (channel.underWay ?? this.read(channel, list));
		if (!channel.isListed) return false;
		const question = await find([...channel.waiting.values()]);
		if (!question) return await isJustOver();
		// It may be the reply, which another process gets.
		question.until = this.now() + AFTER_REPLY;
		return true;
	}

	private async read(channel: Channel, list: () => Promise<WaitingQuestion[]>): Promise<void> {
		const { edition } = channel;
		const reading = list().then(
			(questions) => this.keep(channel, edition, questions),
			(error: unknown) => {
				this.keep(channel, edition);
				throw error;
			},
		);
		channel.underWay = reading.catch(() => {});
		await reading;
	}

	private keep(channel: Channel, edition: number, questions?: readonly WaitingQuestion[]): void {
		const now = this.now();
		channel.isListed = questions !== undefined;
		if (channel.edition === edition) {
			channel.listCounts = now + LIST_COUNTS;
			delete channel.underWay;
		}
		if (!questions) return;
		const before = channel.waiting;
		channel.waiting = new Map(
			questions
				.slice(-QUESTIONS_MAX)
				.map((question) => [
					idKey(question.webhook.id),
					{ people: marksOf(question), until: now + AFTER_REPLY },
				]),
		);
		for (const [id, asked] of before) if (!channel.waiting.has(id)) this.end(channel, id, asked);
	}

	private end({ over }: Channel, id: string, asked: Asked): void {
		over.set(id, asked);
		for (const [other, { until }] of over)
			if (until <= this.now() || over.size > QUESTIONS_MAX) over.delete(other);
	}

	private channelOf({ account, channelId }: Where): Channel {
		const key = `${account} ${idKey(channelId)}`;
		const channel = this.channels.get(key) ?? {
			waiting: new Map(),
			over: new Map(),
			isListed: false,
			listCounts: 0,
			edition: 0,
		};
		this.channels.delete(key);
		this.channels.set(key, channel);
		const [oldest = ''] = this.channels.keys();
		if (this.channels.size > CHANNELS_MAX) this.channels.delete(oldest);
		return channel;
	}

	get size(): { channels: number; questions: number } {
		const all = [...this.channels.values()];
		const questions = all.reduce((sum, { waiting, over }) => sum + waiting.size + over.size, 0);
		return { channels: all.length, questions };
	}
}

/** One for the whole process, whichever node asks and whichever receives. */
export const askedPeople = new AskedPeople(Date.now);
