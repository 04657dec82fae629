import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import {
	endOfResponse,
	admitOnce,
	askToRepeat,
	refuse,
	respond,
} from '../../../../delivery/respond';
import type { DeliveryMemory } from '../../../../delivery/respond';
import { type DeliveredMessage, receivedMessages } from '../../../../delivery/event/message';
import { type KnownProof, openDelivery } from '../../../../delivery/open';
import { log, warnOf } from '../../../../service/log';
import { thisN8n } from '../../../../replies/waitingExecution';
import { type Place, placeKeyOf } from '../../../../replies/claims';
import { arrivalOf, type Heard, heardIn, judge } from '../../../../replies/judge';
import { replyRouter } from '../../../../replies/router';
import { isSameId, SUGGESTED_TIMESTAMP_TOLERANCE } from '../../../../service/contract';
import { webhookApi, type WebhookApi } from '../../../../service/webhooks';
import { BoundedMap } from '../../../../shared/tools/boundedMap';
import { steadyClock } from '../../../../shared/tools/clock';
import { nodeMark } from '../../../../shared/node/nodeMark';
import { keyOf, keyOfEntered } from '../../../../shared/texts/phoneNumbers';
import { clientOfWaiting, withoutCredential } from '../../../../shared/node/recentCredential';
import { chatKinds, expectedBy, type Outcome, peopleOf, type ChatQuestion } from '../kinds';
import { expectedIn } from '../kinds/expect';
import type { ChatReply } from '../kinds/kind';
import { type Decision, tellOthers } from '../tellOthers';
import { askAgain, askedByFields, type Asker, askOnceMore } from './askAgain';
import { choiceOfTap, valuesOfTap } from './questionButtons';
import { unseal } from '../links';
import { retire, sweep } from './temporaryWebhook';

/** Receives a delivery of the question's webhook: its proof, then its writer, then its meaning. */
export async function receiveInChat(
	context: IWebhookFunctions,
	question: ChatQuestion,
	memory: DeliveryMemory,
): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	// A trigger or a clean-up looks whether the question waits. Whoever can ask can also answer.
	if (request.method !== 'POST') return respond(context, 200, { question: question.id });
	const opened = await openDelivery(
		request,
		() => proofOf(question, request.query),
		Date.now() / 1000,
	);
	if (!opened.accepted) return refuse(context, opened.status, opened.message, opened.reason);
	const candidates = receivedMessages(opened.body).flatMap((one) =>
		candidateOf(context, one, question),
	);
	// Each waiting question gets every message of the channel, so a stranger's makes no request.
	if (candidates.length === 0) return NOT_AWAITED;
	const client = await clientOfWaiting(context).catch(withoutCredential);
	const api = webhookApi(client, { kind: 'channel', channelId: question.channelId });
	// Without its credential it can be answered, but asks nobody again.
	const able = client.account
		? candidates
		: candidates.filter((one) => one.decides === 'certain' && isValid(question, one));
	// n8n runs nothing when a question times out, so each reply looks for leftovers. Not awaited.
	void sweepIfDue(context, api, { account: client.account, channelId: question.channelId });
	return await take({ context, client, api, question, memory }, able);
}

const NOT_AWAITED = { webhookResponse: { message: 'Not the awaited answer' } };

/** A message by one of those who were asked. */
interface Candidate extends DeliveredMessage, ChatReply, Heard {
	messageId: string;
	person: number;
	isOwnTap: boolean;
	/**
	 * What decides whether it replies to this question: nothing more, the webhook, or, for a tap on a
	 * template's button with another title than it was sent with, the person.
	 */
	decides: 'certain' | 'again' | 'againForTap';
}

const isValid = (question: ChatQuestion, { chosen, values }: ChatReply): boolean =>
	chosen !== undefined ||
	(question.choices.length === 0 && (!expectedBy(question) || values.length === 1));

/** Empty for a stranger's message, one about another question, or one from before the question. */
function candidateOf(
	context: IWebhookFunctions,
	received: DeliveredMessage,
	question: ChatQuestion,
): Candidate[] {
	const { message } = received;
	const { identifier } = message.sender;
	const isLate = arrivalOf(received.lastTime, question, Date.now()) === 'late';
	if (identifier === null || isLate) return [];
	const { channelId, messageId } = message;
	const isOnChannel = channelId === null || isSameId(channelId, question.channelId);
	const people = peopleOf(question).map(keyOfEntered);
	const person = isOnChannel ? people.indexOf(keyOf(identifier)) : -1;
	const heardOf = heardIn({ ...received, text: message.text });
	const { tap } = heardOf;
	const isOwnTap = tap?.question === question.id;
	const tapped = isOwnTap ? choiceOfTap(question, person, tap, message.text) : undefined;
	const ofTap = isOwnTap ? valuesOfTap(question, tap) : [];
	const isOfButton = tapped !== undefined || ofTap.length > 0;
	// The trigger leaves such a tap to the question.
	if (isOwnTap && (person < 0 || !isOfButton)) log(context, 'warn', NOT_ASKED);
	if (person < 0 || (isOwnTap && !isOfButton)) return [];
	const { answers, matchWords } = chatKinds[question.kind];
	const said = { text: message.text, author: message.sender.name };
	const named = matchWords(said, question.choices, tap ? 'title' : answers);
	const expected = expectedBy(question);
	const values = isOwnTap || !expected ? ofTap : expectedIn(said, expected, question.recipient);
	const heard = { ...heardOf, namesChoice: named !== undefined || values.length > 0 };
	const common = { ...received, ...heard, messageId, identifier, person, isOwnTap, values };
	if (ofTap.length > 0) return [{ ...common, chosen: undefined, decides: 'certain' }];
	if (tapped) {
		const { chosen, isInDoubt } = tapped;
		return [{ ...common, chosen, decides: isInDoubt ? 'againForTap' : 'certain' }];
	}
	const judged = judge(heard, askedByFields(question, person), undefined, Date.now());
	if (judged === 'no') return [];
	return [{ ...common, chosen: named, decides: judged === 'unread' ? 'again' : 'certain' }];
}

const NOT_ASKED =
	'A tap on a button of the question that waits here answers nothing: the question did not ask who tapped, or has no such button';
const STILL_IN_DOUBT =
	'A tap on a button of the template that asked answers nothing: the button shows other words than the template had when it was sent, and the question was asked again before, or ends within a minute';

/** What it takes to act on a delivery that passed all proofs. */
interface Received extends Asker {
	memory: DeliveryMemory;
}

/** The first message that counts decides. Another one may be a workflow's already. */
async function take(
	received: Received,
	candidates: readonly Candidate[],
): Promise<IWebhookResponseData> {
	const first = candidates.find(({ decides }) => decides === 'certain') ?? candidates[0];
	if (!first) return NOT_AWAITED;
	const { context, client, question } = received;
	const place = { account: client.account, channelId: question.channelId };
	// After the deadline the trigger does not leave a tap to the question.
	const isCertain = first.isOwnTap && Date.now() <= Date.parse(question.deadline);
	const claimed = replyRouter.claim(place, question.id, first.messageId, isCertain);
	if (claimed.state === 'pending') return askToRepeat(context, 'A workflow may take it');
	if (claimed.state === 'counted') {
		const others = candidates.filter((candidate) => candidate !== first);
		return await take(received, others);
	}
	let isHeld = false;
	try {
		const { response, isTaken } = await takeClaimed(received, first);
		if (isTaken) void endOfResponse(context.getResponseObject(), steadyClock).then(claimed.end);
		isHeld = isTaken;
		return response;
	} finally {
		if (!isHeld) claimed.end(false);
	}
}

interface Taken {
	response: IWebhookResponseData;
	/** Whether the question took the message, if the response becomes a 2xx. */
	isTaken: boolean;
}

async function takeClaimed(received: Received, reply: Candidate): Promise<Taken> {
	const { context, question, memory } = received;
	const kind = chatKinds[question.kind];
	if (reply.decides !== 'certain') {
		const result = await askOnceMore(received, reply, reply.decides);
		if (result === 'ignored' && reply.isOwnTap) log(context, 'warn', STILL_IN_DOUBT);
		if (result === 'ignored') return { response: NOT_AWAITED, isTaken: reply.isOwnTap };
		if (result !== 'isReply') return { response: respondToAsking(context, result), isTaken: true };
	}
	const { message } = reply;
	const again = kind.again?.(question);
	const isAnswer = isValid(question, reply);
	if (again && !isAnswer) {
		const isRepeated = admitOnce(context, memory, [question.id, message.messageId]);
		if (isRepeated) return { response: isRepeated, isTaken: true };
		const result = await askAgain(received, again, reply);
		if (result !== 'tooOften') return { response: respondToAsking(context, result), isTaken: true };
	}
	const { data: values, decision } = kind.read(question, reply);
	const data = {
		...values,
		outcome: (isAnswer ? 'answered' : 'invalid') satisfies Outcome,
		respondedAt: new Date().toISOString(),
	};
	const { text, ...others } = message;
	// n8n's table keeps this order.
	return resume(received, { text, data, ...others }, message.messageId, decision);
}

const respondToAsking = (
	context: IWebhookFunctions,
	result: 'asked' | 'later',
): IWebhookResponseData =>
	result === 'asked'
		? { webhookResponse: { message: 'Asked again' } }
		: askToRepeat(context, 'Could not ask again');

/** n8n 2 counts approvals that are given in a chat. n8n 1 has no such method. */
function logToN8n(context: Partial<IWebhookFunctions>, approved: boolean): void {
	context.logHitlResponse?.({ approved, authorized: true });
}

const SWEEP_PAUSE = 60_000;
/** When this process last looked for leftovers, by channel. Each message could start a look. */
const sweeps = new BoundedMap<number>(500);

async function sweepIfDue(
	context: IWebhookFunctions,
	api: WebhookApi,
	place: Place,
): Promise<void> {
	const now = steadyClock.now();
	if (now - (sweeps.get(placeKeyOf(place)) ?? -Infinity) < SWEEP_PAUSE) return;
	sweeps.set(placeKeyOf(place), now);
	const onStuck = warnOf(
		context,
		'Webhooks of questions that timed out could not be removed',
		'The node will try again',
	);
	const begin = async () => await sweep(api, { ...thisN8n(context), onStuck }, Date.now);
	await begin().catch(onStuck);
}

/** The execution has the secret, sealed with the URL that only the service and n8n know. */
function proofOf(
	{ sealedSecret }: ChatQuestion,
	{ signature }: { signature?: unknown },
): KnownProof {
	const secret = unseal(sealedSecret, typeof signature === 'string' ? signature : '');
	return {
		kind: 'signature',
		secrets: [secret],
		scheme: 'fiveField',
		tolerance: SUGGESTED_TIMESTAMP_TOLERANCE,
	};
}

/** Resumes once. The webhook goes after n8n took the reply, which can come again until then. */
function resume(
	{ context, client: { account }, api, question, memory }: Received,
	json: IDataObject,
	messageId: string,
	decision: Decision | undefined,
): Taken {
	const isRepeated = admitOnce(context, memory, [question.id], () => {
		replyRouter.noteAnswered({ account, channelId: question.channelId }, question.id, messageId);
		const took = { executionId: context.getExecutionId(), messageId };
		const onStuck = warnOf(
			context,
			'The webhook of an answered question could not be removed',
			'It is removed after its deadline',
		);
		retire(api, question, nodeMark(context), took, steadyClock).catch(onStuck);
		if (!decision) return;
		logToN8n(context, decision.approved);
		void tellOthers(context, decision);
	});
	// Another message answered it.
	if (isRepeated) return { response: isRepeated, isTaken: false };
	const workflowData = [[{ json, pairedItem: { item: 0 } }]];
	return { response: { webhookResponse: { message: 'Answered' }, workflowData }, isTaken: true };
}
