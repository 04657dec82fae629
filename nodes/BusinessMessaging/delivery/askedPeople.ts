import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../service/client';
import { idKey } from '../service/contract';
import { normalizeIdentifier } from '../shared/phoneNumbers';
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
	/** All that stands for those who are asked: their marks, or, where this process got the reply, their identifiers. */
	people: readonly string[];
	/** Milliseconds: until when, at least, what they write counts as a reply. */
	until: number;
}

interface Channel {
	/** The questions that were listed last, by their webhooks. */
	waiting: Map<string, Asked>;
	/** Those that are over since a moment ago. */
	over: Map<string, Asked>;
	/** The marks of a person on the channel. Undefined while the list cannot be had. */
	marksOf?: Listed['marksOf'] | undefined;
	/** Milliseconds: until when the list counts. */
	listCounts: number;
	/** Never rejects. */
	underWay?: Promise<void>;
	/** Grows with each question of this process: a list that was asked for before does not hold it. */
	edition: number;
}

/** Where a question is asked: the channel, as it is reached by a credential. By its id, for to read a credential can cost n8n an isolate. */
export interface Where {
	credentialId: string;
	channelId: string;
}

export function whereOf(context: IExecuteFunctions | IWebhookFunctions, channelId: string): Where {
	return { credentialId: context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '', channelId };
}

/** What the service lists of a channel. */
export interface Listed {
	/** Those that wait. */
	questions: readonly WaitingQuestion[];
	/** The marks under which a question to a person can stand. */
	marksOf: (identifier: string) => readonly string[];
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

	/** This process got the reply to a question. @param identifiers of all who were asked */
	answered(where: Where, webhookId: string, identifiers: readonly string[]): void {
		const channel = this.channelOf(where);
		channel.waiting.delete(idKey(webhookId));
		const people = identifiers.map(normalizeIdentifier);
		this.end(channel, idKey(webhookId), { people, until: this.now() + AFTER_REPLY });
	}

	/**
	 * Whether what a person writes now replies to a question: one waits for them, or did a moment ago. False while the list cannot be had.
	 * @param read gets the list, where it is needed
	 * @throws what `read` rejects with; to others who needed the same list, it says false
	 */
	async isReply(where: Where, identifier: string, read: () => Promise<Listed>): Promise<boolean> {
		const channel = this.channelOf(where);
		if (this.isJustOver(channel, identifier)) return true;
		if (this.now() >= channel.listCounts) await (channel.underWay ?? this.read(channel, read));
		if (!channel.marksOf) return false;
		const [question] = find(channel, channel.waiting, identifier);
		if (!question) return this.isJustOver(channel, identifier);
		// It may be the reply, which another process gets.
		question.until = this.now() + AFTER_REPLY;
		return true;
	}

	private isJustOver(channel: Channel, identifier: string): boolean {
		return find(channel, channel.over, identifier).some(({ until }) => until > this.now());
	}

	private async read(channel: Channel, read: () => Promise<Listed>): Promise<void> {
		const { edition } = channel;
		const reading = read().then(
			(listed) => this.keep(channel, edition, listed),
			(error: unknown) => {
				this.keep(channel, edition);
				throw error;
			},
		);
		channel.underWay = reading.catch(() => {});
		await reading;
	}

	private keep(channel: Channel, edition: number, listed?: Listed): void {
		const now = this.now();
		channel.marksOf = listed?.marksOf;
		if (channel.edition === edition) {
			channel.listCounts = now + LIST_COUNTS;
			delete channel.underWay;
		}
		if (!listed) return;
		const before = channel.waiting;
		channel.waiting = new Map(
			listed.questions
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

	private channelOf({ credentialId, channelId }: Where): Channel {
		const key = `${credentialId} ${idKey(channelId)}`;
		const channel: Channel = this.channels.get(key) ?? {
			waiting: new Map(),
			over: new Map(),
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

/** The questions that ask a person. */
function find(
	{ marksOf }: Channel,
	questions: ReadonlyMap<string, Asked>,
	identifier: string,
): Asked[] {
	if (questions.size === 0) return [];
	const names = [normalizeIdentifier(identifier), ...(marksOf?.(identifier) ?? [])];
	return [...questions.values()].filter(({ people }) => people.some((one) => names.includes(one)));
}

/** One for the whole process, whichever node asks and whichever receives. */
export const askedPeople = new AskedPeople(() => Date.now());
