import { idKey } from '../../../../service/contract';
import { steadyClock } from '../../../../shared/clock';
import { keyOf, keyOfEntered } from '../../../../shared/phoneNumbers';
import type {
	ChannelKey,
	RepliesInChat,
	WaitingList,
	Writer,
} from '../../../../shared/repliesInChat';
import { awaitedBy, isBeingSent } from '../../../../shared/waitingQuestion';

/** Milliseconds after a reply in which the person's messages count as replies, too. */
const AFTER_REPLY = 5000;
/** Milliseconds for which a list, or the failure to get it, is kept. Nobody replies faster. */
const LIST_KEPT = 2000;
/**
 * Milliseconds for which a question may be in the middle of its sending. Afterwards its execution
 * has ended, or its webhook could not be updated.
 */
const SENDING_MAX = 60_000;
/** Channels remembered by a process. */
const CHANNELS_MAX = 500;
/** Questions remembered of a channel. */
const QUESTIONS_MAX = 1000;

/** A person who is asked. */
interface Person {
	/** Their mark, or their key if this process got the reply. */
	name: string;
	/** Milliseconds by the service's clock. Earlier messages are no replies. */
	since?: number | undefined;
}

interface Question {
	people: readonly Person[];
	/** Milliseconds. Until then, at least, their messages count as replies. */
	until: number;
	/** Milliseconds at which this process first saw it being sent. Undefined once it was sent. */
	sendingSince?: number | undefined;
}

interface Channel {
	/** The questions of the last list, by webhook. */
	waiting: Map<string, Question>;
	/** Those that ended a moment ago. */
	over: Map<string, Question>;
	/** The mark of a person on the channel. Undefined while the list cannot be read. */
	markOf?: WaitingList['markOf'] | undefined;
	/** Milliseconds until which the list is kept. */
	listKept: number;
	/** Never rejects. */
	underWay?: Promise<void>;
	/** Grows with each question of this process. A list requested before lacks that question. */
	edition: number;
}

/**
 * Knows who is asked in the chat, from two sources: the service's list of webhooks, which all
 * processes share, and the questions that this process asked itself. Bounded in size.
 */
export class WhoIsAsked implements RepliesInChat {
	/** In the order of their last use, because a Map keeps insertion order. */
	private readonly channels = new Map<string, Channel>();

	/** @param now milliseconds of a steady clock */
	constructor(private readonly now: () => number) {}

	/**
	 * This process registered a question or updated its webhook. The list that is kept is too old.
	 */
	noteAsked(key: ChannelKey): void {
		const channel = this.channelOf(key);
		channel.listKept = 0;
		channel.edition += 1;
		delete channel.underWay;
	}

	/** This process got the reply. @param asked everyone who was asked, as the fields name them */
	noteReplied(key: ChannelKey, webhookId: string, asked: readonly Person[]): void {
		const channel = this.channelOf(key);
		channel.waiting.delete(idKey(webhookId));
		const people = asked.map(({ name, since }) => ({ name: keyOfEntered(name), since }));
		this.end(channel, idKey(webhookId), { people, until: this.now() + AFTER_REPLY });
	}

	async isReply(
		key: ChannelKey,
		writer: Writer,
		read: () => Promise<WaitingList>,
	): Promise<boolean | 'later'> {
		const channel = this.channelOf(key);
		if (this.isJustOver(channel, writer)) return true;
		if (this.now() >= channel.listKept) await (channel.underWay ?? this.read(channel, read));
		if (!channel.markOf) return false;
		const [question] = find(channel, channel.waiting, writer);
		if (!question) return this.isJustOver(channel, writer);
		const { sendingSince } = question;
		if (sendingSince !== undefined && !writer.isTap)
			return this.now() < sendingSince + SENDING_MAX ? 'later' : false;
		// This may be the reply, and another process may get it.
		question.until = this.now() + AFTER_REPLY;
		return true;
	}

	private isJustOver(channel: Channel, writer: Writer): boolean {
		return find(channel, channel.over, writer).some(
			({ until, sendingSince }) =>
				until > this.now() && (writer.isTap || sendingSince === undefined),
		);
	}

	private async read(channel: Channel, read: () => Promise<WaitingList>): Promise<void> {
		const { edition } = channel;
		const reading = read().then(
			(list) => this.keepList(channel, edition, list),
			(error: unknown) => {
				this.keepList(channel, edition);
				throw error;
			},
		);
		channel.underWay = reading.catch(() => {});
		await reading;
	}

	private keepList(channel: Channel, edition: number, list?: WaitingList): void {
		const now = this.now();
		channel.markOf = list?.markOf;
		if (channel.edition === edition) {
			channel.listKept = now + LIST_KEPT;
			delete channel.underWay;
		}
		if (!list) return;
		const before = channel.waiting;
		channel.waiting = new Map(
			list.questions.slice(-QUESTIONS_MAX).map((question) => {
				const id = idKey(question.webhook.id);
				const people = awaitedBy(question).map(({ mark, since }) => ({ name: mark, since }));
				const sendingSince = isBeingSent(question)
					? (before.get(id)?.sendingSince ?? now)
					: undefined;
				return [id, { people, until: now + AFTER_REPLY, sendingSince }];
			}),
		);
		for (const [id, question] of before)
			if (!channel.waiting.has(id)) this.end(channel, id, question);
	}

	private end({ over }: Channel, id: string, question: Question): void {
		over.set(id, question);
		for (const [other, { until }] of over)
			if (until <= this.now() || over.size > QUESTIONS_MAX) over.delete(other);
	}

	private channelOf({ credentialId, channelId }: ChannelKey): Channel {
		const key = `${credentialId} ${idKey(channelId)}`;
		const channel: Channel = this.channels.get(key) ?? {
			waiting: new Map(),
			over: new Map(),
			listKept: 0,
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

/** The questions that a message may reply to. */
function find(
	{ markOf }: Channel,
	questions: ReadonlyMap<string, Question>,
	// A message without a time may have been written just now.
	{ identifier, written = Number.MAX_VALUE, isTap = false }: Writer,
): Question[] {
	if (questions.size === 0) return [];
	const names = [keyOf(identifier), ...(markOf ? [markOf(identifier)] : [])];
	return [...questions.values()].filter(({ people }) =>
		people.some(
			({ name, since = -Infinity }) => (isTap || written >= since) && names.includes(name),
		),
	);
}

/** One for the whole process: for every node that asks and every trigger. */
export const whoIsAsked = new WhoIsAsked(() => steadyClock.now());
