import { claims, claimKeyOf, WORKFLOWS } from '../../../../delivery/questionOrWorkflow';
import type { Claims } from '../../../../delivery/questionOrWorkflow';
import { readTap } from '../../../../delivery/event/tap';
import { idKey, isSameId } from '../../../../service/contract';
import type { Clock } from '../../../../shared/clock';
import { steadyClock } from '../../../../shared/clock';
import { CHECK_TIMEOUT } from '../../../../shared/questionAddress';
import type {
	ChannelKey,
	Fate,
	RepliesInChat,
	Tools,
	WaitingList,
	Written,
} from '../../../../shared/repliesInChat';
import type { WaitingQuestion } from '../../../../shared/waitingQuestion';
import { isBeingSent, isTaken, marksOf } from '../../../../shared/waitingQuestion';
import { judgeByMark } from './judgeByMark';
import type { Judgement } from './wouldTake';

/** Milliseconds for which a list, or the failure to get it, is kept. Nobody replies faster. */
const LIST_KEPT = 2000;
/** Milliseconds to wait for the list. *Max Wait* of groups includes them. */
const LIST_TIMEOUT = 5000;
/** Milliseconds that a question gets to claim a message that it would take. */
const QUESTION_TIME = 5000;
/** Milliseconds between two looks at a claim. */
const LOOK = 100;
/**
 * Milliseconds for which a question may be in the middle of its sending. Afterwards its execution
 * has ended, or its webhook could not be updated.
 */
const SENDING_MAX = 60_000;
/** Milliseconds for which deliveries of a message are asked to come again. */
const LATER_MAX = 60_000;
/** Channels remembered by a process. */
const CHANNELS_MAX = 500;
/** Questions remembered of a channel. */
const QUESTIONS_MAX = 1000;
/** Messages that should come again, remembered by a process. */
const LATER_REMEMBERED = 20_000;

interface Channel {
	/** Undefined while it cannot be read. */
	list?: WaitingList | undefined;
	/** When this process first saw a question being sent, by webhook. */
	sendingSince: Map<string, number>;
	/** Milliseconds until which the list is kept. */
	listKept: number;
	/** Never rejects. */
	underWay?: Promise<void>;
	/**
	 * Counts the questions that this process sent. A list that was requested at a lower count may
	 * lack the newest, and is requested again.
	 */
	edition: number;
}

/** A question that would take a message. */
interface Taker {
	question: WaitingQuestion;
	judgement: Judgement;
}

/**
 * Decides whose a customer's message is: a question's, or the workflow's. The service delivers it
 * to both, in any order and at any time, and each delivery again until it gets a 2xx.
 *
 * 1. The trigger reads the service's list of webhooks, which all processes share. Their marks say
 *    which messages each question would take, by the function that the question itself uses. If
 *    none would take this one, the workflow has it at once.
 * 2. Else the question gets time to claim it, in this process: `delivery/questionOrWorkflow`. A
 *    claim whose delivery got a 2xx is final: the question took the message, and the trigger
 *    answers 200. A claim that is still open after all time: the trigger answers 503.
 * 3. No claim came. The trigger asks the question's own address, and then reads the list again: if
 *    another process got the answer, the question's mark names the message (`took`), before the
 *    webhook is deleted.
 *    - Nobody waits there any more: the workflow has the message.
 *    - The execution runs, or the message is a tap on the question's button: 503, for a minute.
 *    - Else the question had its time, and the workflow has the message. If the question's delivery
 *      comes after all, it finds the workflow's claim, and does nothing.
 * 4. Workflow: the trigger claims the message, and its claim ends as its response does. While it is
 *    open, the question answers 503.
 */
export class WhoIsAsked implements RepliesInChat {
	/** In the order of their last use, because a Map keeps insertion order. */
	private readonly channels = new Map<string, Channel>();
	/** When messages were first asked to come again. */
	private readonly later = new Map<string, number>();

	/** @param clock a steady one */
	constructor(
		private readonly clock: Clock,
		private readonly claims: Claims,
	) {}

	/**
	 * This process registered a question or updated its webhook. The list that is kept is too old.
	 */
	noteAsked(key: ChannelKey): void {
		const channel = this.channelOf(key);
		channel.listKept = 0;
		channel.edition += 1;
		delete channel.underWay;
	}

	async fateOf(key: ChannelKey, message: Written, tools: Tools): Promise<Fate> {
		const claim = claimKeyOf(key.channelId, message.messageId);
		if (this.claims.othersHave(claim, WORKFLOWS) === 'counted') return 'taken';
		const channel = this.channelOf(key);
		await this.freshen(channel, tools);
		// Two responses are better than none, so nothing is claimed.
		if (!channel.list) return { end: () => {} };
		if (isNamed(channel.list, message)) return 'taken';
		const taker = findTaker(channel.list, message);
		if (!taker) return await this.start(claim, tools);
		if (this.isSending(channel, taker)) return 'later';
		const claimed = await this.awaitClaim(claim, tools);
		if (claimed) return claimed;
		return await this.decide(claim, message, taker, tools);
	}

	/** The question had its time. */
	private async decide(
		claim: string,
		message: Written,
		{ question, judgement }: Taker,
		tools: Tools,
	): Promise<Fate> {
		const timeLeft = () => Math.max(0, tools.until - this.clock.now());
		const verdict = await tools.check(question, Math.min(CHECK_TIMEOUT, timeLeft()));
		const list = await tools.read(Math.max(1, timeLeft())).catch(() => undefined);
		if (list && isNamed(list, message)) return 'taken';
		const isListed =
			!list || list.questions.some((one) => isSameId(one.webhook.id, question.webhook.id));
		if (verdict === 'gone' || !isListed) return await this.start(claim, tools);
		if (verdict === 'running' || judgement === 'tap') {
			const first = this.later.get(claim) ?? this.clock.now();
			this.later.set(claim, first);
			const [oldest = ''] = this.later.keys();
			if (this.later.size > LATER_REMEMBERED) this.later.delete(oldest);
			if (this.clock.now() < first + LATER_MAX) return 'later';
		}
		return await this.start(claim, tools);
	}

	/** Claims the message for the workflow. */
	private async start(claim: string, tools: Tools): Promise<Fate> {
		const lost = await this.awaitClaim(claim, tools, 0);
		if (lost) return lost;
		const claimed = this.claims.claim(claim, WORKFLOWS);
		return claimed.state === 'mine' ? { end: claimed.end } : 'later';
	}

	/** Gives a question time to claim a message, and a claim time to end. Undefined: no claim. */
	private async awaitClaim(
		claim: string,
		{ until }: Tools,
		time = QUESTION_TIME,
	): Promise<'taken' | 'later' | undefined> {
		const given = Math.min(until, this.clock.now() + time);
		for (;;) {
			const state = this.claims.othersHave(claim, WORKFLOWS);
			if (state === 'counted') return 'taken';
			const left = (state === 'pending' ? until : given) - this.clock.now();
			if (left <= 0) return state === 'pending' ? 'later' : undefined;
			await this.clock.sleep(Math.min(LOOK, left));
		}
	}

	private isSending({ sendingSince }: Channel, { question }: Taker): boolean {
		const since = sendingSince.get(idKey(question.webhook.id));
		return since !== undefined && this.clock.now() < since + SENDING_MAX;
	}

	private async freshen(channel: Channel, tools: Tools): Promise<void> {
		if (this.clock.now() < channel.listKept) return;
		await (channel.underWay ?? this.read(channel, tools));
	}

	private async read(channel: Channel, tools: Tools): Promise<void> {
		const { edition } = channel;
		const timeout = Math.max(1, Math.min(LIST_TIMEOUT, tools.until - this.clock.now()));
		const reading = tools.read(timeout).then(
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
		const now = this.clock.now();
		if (channel.edition === edition) {
			channel.listKept = now + LIST_KEPT;
			delete channel.underWay;
		}
		if (!list) {
			channel.list = undefined;
			return;
		}
		const questions = list.questions.slice(-QUESTIONS_MAX);
		channel.list = { ...list, questions };
		const sending = questions.filter(isBeingSent).map(({ webhook }) => idKey(webhook.id));
		const before = channel.sendingSince;
		channel.sendingSince = new Map(sending.map((id) => [id, before.get(id) ?? now]));
	}

	private channelOf({ credentialId, channelId }: ChannelKey): Channel {
		const key = `${credentialId} ${idKey(channelId)}`;
		const channel: Channel = this.channels.get(key) ?? {
			sendingSince: new Map(),
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
		const questions = all.reduce((sum, { list }) => sum + (list?.questions.length ?? 0), 0);
		return { channels: all.length, questions };
	}
}

/** Whether a question of any process took the message, by its mark. */
const isNamed = ({ questions }: WaitingList, { messageId }: Written): boolean =>
	questions.some(({ mark: { took, lastWrong, askedFor } }) =>
		[took, lastWrong, askedFor].some((id) => isSameId(id, messageId)),
	);

/** The question that would take a message, the one whose button it is before all others. */
function findTaker(list: WaitingList, message: Written): Taker | undefined {
	const waiting = list.questions.filter((one) => !isTaken(one) && one.webhook.status === 'ENABLED');
	if (waiting.length === 0) return undefined;
	const author = list.markOf(message.identifier);
	const tap = readTap(message.raw);
	const takers = waiting.flatMap((question) => {
		const person = marksOf(question).indexOf(author);
		if (person < 0) return [];
		const judgement = judgeByMark(question, person, message, tap, list.markOfWords);
		return judgement === 'no' ? [] : [{ question, judgement }];
	});
	return takers.find(({ judgement }) => judgement === 'tap') ?? takers[0];
}

/** One for the whole process: for every node that asks and every trigger. */
export const whoIsAsked = new WhoIsAsked(steadyClock, claims);
