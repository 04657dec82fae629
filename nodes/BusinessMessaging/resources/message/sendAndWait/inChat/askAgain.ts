import type { IWebhookFunctions } from 'n8n-workflow';

import { log } from '../../../../service/log';
import { KeyedQueue } from '../../../../sending/keyedQueue';
import { sendAlone } from '../../../../sending/sendAlone';
import type { ServiceClient } from '../../../../service/client';
import type { Webhook } from '../../../../service/contract';
import { isSameId } from '../../../../service/contract';
import { asError, mayBeDone } from '../../../../service/errors';
import type { WebhookApi } from '../../../../service/webhooks';
import { steadyClock } from '../../../../shared/clock';
import type { DatedChange, SentSpan } from '../../../../shared/sentSpan';
import { sentSpan } from '../../../../shared/sentSpan';
import type { AskedOnceMore, WaitingQuestion, WaitMark } from '../../../../shared/waitingQuestion';
import {
	isTaken,
	readWaiting,
	WAIT_ATTRIBUTE,
	writeMark,
} from '../../../../shared/waitingQuestion';
import type { ChatQuestion } from '../question';
import { peopleOf } from '../question';
import { withChoices } from './buttons';
import { askedByFields, sinceThen } from './judgeByMark';
import type { Heard } from './wouldTake';
import { wouldTake } from './wouldTake';

/** What it takes to ask again. */
export interface Asker {
	context: IWebhookFunctions;
	client: ServiceClient;
	api: WebhookApi;
}

/**
 * Milliseconds in which the message must leave, or the delivery comes again. All steps together
 * stay below the 15 s that the service waits.
 */
const LEAVES_WITHIN = 4000;
const LIST_TIMEOUT = 3000;
const UPDATE_TIMEOUT = 2000;
const SEND_TIMEOUT = 5000;

/** One delivery of a question at a time, because the count is read first and written later. */
const turns = new KeyedQueue({ maxConcurrency: Infinity, maxQueued: Infinity });

/** Asks again after a reply outside the choices, and counts it. `later`: not sent, not counted. */
export async function askAgain(
	asker: Asker,
	question: ChatQuestion,
	{ atMost, text }: { atMost: number; text: string },
	messageId: string,
): Promise<'asked' | 'tooOften' | 'later'> {
	return await inTurn(asker, question, async (waiting, timeLeft) => {
		if (!waiting || isTaken(waiting)) return 'tooOften';
		const { mark } = waiting;
		// Counted already, but the response was lost, so the service delivered it again.
		const isCounted = mark.lastWrong === messageId;
		if (!isCounted && mark.wrongAnswers >= atMost) return 'tooOften';
		const counted = isCounted
			? mark
			: { ...mark, wrongAnswers: mark.wrongAnswers + 1, lastWrong: messageId };
		const content = withChoices(text, question);
		const message = { channelId: question.channelId, recipient: question.recipient, content };
		return (await sendCounted(asker, waiting, counted, message, timeLeft())) ? 'asked' : 'later';
	});
}

/**
 * Judges a message that may be about something else. In doubt, it asks the person once more. Only
 * once, and not counted.
 * @param person index among those who were asked
 */
export async function askOnceMore(
	asker: Asker,
	question: ChatQuestion,
	heard: Heard & { person: number; messageId: string },
): Promise<'asked' | 'isReply' | 'ignored' | 'later'> {
	return await inTurn(asker, question, async (waiting, timeLeft) => {
		const recipient = peopleOf(question)[heard.person];
		if (!waiting || isTaken(waiting) || recipient === undefined) return 'ignored';
		const { mark } = waiting;
		const { person, messageId } = heard;
		// Asked already, but the response was lost, so the service delivered it again.
		if (isSameId(mark.askedFor, messageId)) return 'asked';
		const since = sinceThen(waiting, person);
		const judged = wouldTake(heard, askedByFields(question, person), since, Date.now());
		if (judged !== 'ask') return judged === 'no' || judged === 'unread' ? 'ignored' : 'isReply';
		const content = withChoices(question.message, question);
		const message = { channelId: question.channelId, recipient, content };
		const claimed = { ...withAgain(mark, person, null), askedFor: messageId };
		const sent = await sendCounted(asker, waiting, claimed, message, timeLeft());
		if (!sent) return 'later';
		const { span, messageId: sentId } = sent;
		if (span) {
			const again = { ...span, ...(sentId === undefined ? {} : { messageId: sentId }) };
			await tryToSave(asker, waiting, withAgain(claimed, person, again));
		}
		return 'asked';
	});
}

async function inTurn<Result>(
	asker: Asker,
	question: ChatQuestion,
	work: (waiting: WaitingQuestion | undefined, timeLeft: () => number) => Promise<Result>,
): Promise<Result | 'later'> {
	const until = steadyClock.now() + LEAVES_WITHIN;
	const timeLeft = () => Math.max(0, until - steadyClock.now());
	const takeTurn = async () => {
		if (timeLeft() === 0) return 'later';
		const waiting = await findWaiting(asker, question);
		return timeLeft() === 0 ? 'later' : await work(waiting, timeLeft);
	};
	return await new Promise((resolve, reject) => {
		turns.add(question.id, async () => {
			await takeTurn().then(resolve, (error: unknown) => reject(asError(error)));
		});
	});
}

/** The webhook holds the count. Nothing else outlives a restart while the execution waits. */
async function findWaiting(
	{ api }: Asker,
	{ webhookId }: ChatQuestion,
): Promise<WaitingQuestion | undefined> {
	const webhook = (await api.list(LIST_TIMEOUT)).find(({ id }) => isSameId(id, webhookId));
	return webhook && readWaiting(webhook);
}

/**
 * Counts first and then sends, so a failure in between cannot make it ask too often.
 * @returns undefined if it was certainly not sent. Then it does not count
 */
async function sendCounted(
	asker: Asker,
	waiting: WaitingQuestion,
	counted: WaitMark,
	message: Parameters<typeof sendAlone>[1],
	within: number,
): Promise<{ span?: SentSpan | undefined; messageId?: string } | undefined> {
	const counting: { change?: DatedChange } = {};
	const prepare = async () => {
		const start = steadyClock.now();
		const { updatedAt } = await save(asker, waiting, counted);
		counting.change = { at: updatedAt, times: { start, end: steadyClock.now() } };
	};
	try {
		const bounds = { within, timeout: SEND_TIMEOUT, prepare };
		const { messageId, ...times } = await sendAlone(asker.client, message, bounds);
		return counting.change ? { span: sentSpan(counting.change, times), messageId } : {};
	} catch (error) {
		log(asker.context, 'warn', asError(error).message);
		// It may have been sent, so it is not sent again.
		if (counting.change && mayBeDone(error)) return {};
		if (counting.change) await tryToSave(asker, waiting, waiting.mark);
		return undefined;
	}
}

const withAgain = (mark: WaitMark, person: number, once: AskedOnceMore | null): WaitMark => ({
	...mark,
	again: { ...mark.again, [person]: once },
});

async function save(
	{ api }: Asker,
	{ webhook }: WaitingQuestion,
	mark: WaitMark,
): Promise<Webhook> {
	const customAttributes = { ...webhook.customAttributes, [WAIT_ATTRIBUTE]: writeMark(mark) };
	return await api.update(webhook.id, { customAttributes }, UPDATE_TIMEOUT);
}

async function tryToSave(asker: Asker, waiting: WaitingQuestion, mark: WaitMark): Promise<void> {
	await save(asker, waiting, mark).catch((error: unknown) =>
		log(asker.context, 'warn', asError(error).message),
	);
}
