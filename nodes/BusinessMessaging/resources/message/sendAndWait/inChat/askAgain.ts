import type { IWebhookFunctions } from 'n8n-workflow';

import { judge, NOT_ASKED_BEFORE_END, sinceThen } from '../../../../replies/judge';
import type { AskedOf, Heard } from '../../../../replies/judge';
import { isTaken, readWaiting, WAIT_ATTRIBUTE, writeMark } from '../../../../replies/questionMark';
import type { AskedOnceMore, WaitingQuestion, WaitMark } from '../../../../replies/questionMark';
import { replyRouter } from '../../../../replies/router';
import { sendAlone } from '../../../../sending/sendAlone';
import type { ServiceClient } from '../../../../service/client';
import { isSameId, type SendContent } from '../../../../service/contract';
import { asError, mayBeDone } from '../../../../service/errors';
import type { WebhookApi } from '../../../../service/webhooks';
import { log } from '../../../../service/log';
import { steadyClock } from '../../../../shared/tools/clock';
import { type DatedChange, sentSpan, type SentSpan } from '../../../../shared/texts/sentSpan';
import { type ChatQuestion, peopleOf, repliesTo } from '../kinds';
import type { ChatReply } from '../kinds/kind';
import { withChoices, withValues } from './questionButtons';
import { turnsOfQuestions } from './temporaryWebhook';

/** What it takes to act on a question that waits. */
export interface Asker {
	context: IWebhookFunctions;
	client: ServiceClient;
	api: WebhookApi;
	question: ChatQuestion;
}

/** Milliseconds until a message leaves, or its delivery comes again. The service waits 15 s. */
const LEAVES_WITHIN = 4000;
const LIST_TIMEOUT = 3000;
const UPDATE_TIMEOUT = 2000;
const SEND_TIMEOUT = 5000;

export const askedByFields = (question: ChatQuestion, person: number): AskedOf => ({
	...repliesTo(question),
	deadline: Date.parse(question.deadline),
	first: question.sent[person],
	firstId: question.messageIds?.[person],
});

/** Above the values that a reply can have. */
const WHICH = 'Which one do you mean?';

/**
 * Asks again after a reply outside the choices, and counts it, unless it is the first that can mean
 * several values. `later`: not sent, not counted.
 */
export async function askAgain(
	asker: Asker,
	{ atMost, text }: { atMost: number; text: string },
	{ message: { messageId }, values }: Pick<ChatReply, 'message' | 'values'>,
): Promise<'asked' | 'tooOften' | 'later'> {
	const { question } = asker;
	return await inTurn(asker, async (waiting, timeLeft) => {
		if (!waiting) return 'tooOften';
		const { mark } = waiting;
		// Counted already, but the response was lost, so the service delivered it again.
		const isCounted = isSameId(mark.lastWrong, messageId);
		const isFree = values.length > 1 && !mark.askedBack;
		if (!isCounted && !isFree && mark.wrongAnswers >= atMost) return 'tooOften';
		const counted = (now: WaitMark) =>
			isFree ? { askedBack: true as const } : { wrongAnswers: now.wrongAnswers + 1 };
		const make = (now: WaitMark) =>
			isCounted ? now : { ...now, ...counted(now), lastWrong: messageId };
		const undo = (now: WaitMark) => {
			const before = { ...withoutMessage(now, 'lastWrong', mark, messageId) };
			if (isCounted) return now;
			if (isFree) delete before.askedBack;
			return isFree ? before : { ...before, wrongAnswers: now.wrongAnswers - 1 };
		};
		const content =
			values.length > 1 ? withValues(WHICH, question, values) : withChoices(text, question);
		const to = { recipient: question.recipient, content, within: timeLeft() };
		return (await sendCounted(asker, { make, undo }, to)) ? 'asked' : 'later';
	});
}

/**
 * Judges a message that may be about something else. In doubt, it asks the person once more. Only
 * once, and not counted.
 * @param of which of the two times: words and taps without an ID share one. Taps on a template's
 * button with another title have one
 */
export async function askOnceMore(
	asker: Asker,
	heard: Heard & { person: number; messageId: string },
	of: 'again' | 'againForTap',
): Promise<'asked' | 'isReply' | 'ignored' | 'later'> {
	const { question } = asker;
	return await inTurn(asker, async (waiting, timeLeft) => {
		const { person, messageId } = heard;
		const recipient = peopleOf(question)[person];
		if (!waiting || recipient === undefined) return 'ignored';
		const { mark } = waiting;
		const once = mark[of]?.[person];
		const isRepeated = isSameId(mark.askedFor, messageId) && once !== undefined;
		// Asked already, but the response was lost, so the service delivered it again.
		if (isRepeated && once !== null) return 'asked';
		// Null: nobody saw it leave, and an approver who is not asked again takes it for answered.
		const judged = isRepeated ? 'ask' : judgeOnce(question, heard, waiting, of);
		if (judged !== 'ask') return judged === 'yes' ? 'isReply' : 'ignored';
		const set = (value: AskedOnceMore | null) => (now: WaitMark) => ({
			...now,
			[of]: { ...now[of], [person]: value },
			askedFor: messageId,
		});
		const undo = (now: WaitMark): WaitMark => ({
			...withoutMessage(now, 'askedFor', mark, messageId),
			[of]: { ...now[of], [person]: once },
		});
		const content = withChoices(question.message, question);
		const to = { recipient, content, within: timeLeft() };
		const sent = await sendCounted(asker, { make: set(null), undo }, to);
		if (!sent) return 'later';
		await tryToSave(asker, set(sent));
		return 'asked';
	});
}

function judgeOnce(
	question: ChatQuestion,
	heard: Heard & { person: number },
	waiting: WaitingQuestion,
	of: 'again' | 'againForTap',
) {
	const asked = askedByFields(question, heard.person);
	if (of === 'again') return judge(heard, asked, sinceThen(waiting, heard.person), Date.now());
	const endsSoon = asked.deadline - Date.now() < NOT_ASKED_BEFORE_END;
	return waiting.mark.againForTap?.[heard.person] === undefined && !endsSoon ? 'ask' : 'no';
}

async function inTurn<Result>(
	asker: Asker,
	work: (waiting: WaitingQuestion | undefined, timeLeft: () => number) => Promise<Result>,
): Promise<Result | 'later'> {
	const untilDeadline = Date.parse(asker.question.deadline) - Date.now();
	const until = steadyClock.now() + Math.min(LEAVES_WITHIN, untilDeadline);
	const timeLeft = () => Math.max(0, until - steadyClock.now());
	return await turnsOfQuestions.take(asker.question.id, async () => {
		if (timeLeft() === 0) return 'later';
		const waiting = await findWaiting(asker);
		return timeLeft() === 0 ? 'later' : await work(waiting, timeLeft);
	});
}

/** The webhook holds the count: nothing else outlives a restart. Undefined: it was answered. */
async function findWaiting({ api, client, question }: Asker): Promise<WaitingQuestion | undefined> {
	const { id: questionId, channelId, webhookId } = question;
	const { account } = client;
	const webhook = (await api.list(LIST_TIMEOUT)).find(({ id }) => isSameId(id, webhookId));
	const waiting = webhook && readWaiting(webhook);
	const isKnown = replyRouter.isAnswered({ account, channelId }, questionId);
	const isAnswered = isKnown || (waiting && isTaken(waiting));
	return isAnswered ? undefined : waiting;
}

/** Another process may have named another message since, which stays. */
const withoutMessage = (
	now: WaitMark,
	field: 'lastWrong' | 'askedFor',
	before: WaitMark,
	messageId: string,
): WaitMark => (isSameId(now[field], messageId) ? { ...now, [field]: before[field] } : now);

/** Counts before it sends, so it never asks too often. @returns undefined if it left nothing */
async function sendCounted(
	asker: Asker,
	{ make, undo }: Record<'make' | 'undo', (now: WaitMark) => WaitMark>,
	{ recipient, content, within }: { recipient: string; content: SendContent; within: number },
): Promise<{ span?: SentSpan; messageId?: string } | undefined> {
	const { client, question, context } = asker;
	const { channelId } = question;
	const message = { channelId, recipient, content };
	const counting: { change?: DatedChange } = {};
	const prepare = async () => {
		const start = steadyClock.now();
		const { updatedAt } = await save(asker, make);
		counting.change = { at: updatedAt, times: { start, end: steadyClock.now() } };
	};
	try {
		const bounds = { within, timeout: SEND_TIMEOUT, prepare };
		const { messageId, ...times } = await sendAlone(client, message, bounds);
		const span = counting.change && sentSpan(counting.change, times);
		return { messageId, ...(span ? { span } : {}) };
	} catch (error) {
		log(context, 'warn', asError(error).message);
		// It may have been sent, so it is not sent again.
		if (counting.change && mayBeDone(error)) return {};
		if (counting.change) await tryToSave(asker, undo);
		return undefined;
	}
}

/**
 * Changes the mark as it is now, because another process may have changed it.
 * @throws Error if the question was answered, whose webhook must keep which message it took
 */
async function save(
	asker: Asker,
	change: (now: WaitMark) => WaitMark,
): ReturnType<WebhookApi['update']> {
	const waiting = await findWaiting(asker);
	if (!waiting) throw new Error('The question was answered meanwhile, so it is not asked again');
	const { webhook, mark } = waiting;
	const customAttributes = {
		...webhook.customAttributes,
		[WAIT_ATTRIBUTE]: writeMark(change(mark)),
	};
	return await asker.api.update(webhook.id, { customAttributes }, UPDATE_TIMEOUT);
}

async function tryToSave(asker: Asker, change: (now: WaitMark) => WaitMark): Promise<void> {
	await save(asker, change).catch((error: unknown) =>
		log(asker.context, 'warn', asError(error).message),
	);
}
