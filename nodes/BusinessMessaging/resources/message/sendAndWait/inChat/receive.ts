import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { DeliveryMemory } from '../../../../delivery/deduplicate';
import type { ReceivedMessage, SimplifiedMessage } from '../../../../delivery/event/message';
import { receivedMessages } from '../../../../delivery/event/message';
import { readTap } from '../../../../delivery/event/tap';
import { openDelivery } from '../../../../delivery/open';
import { admitOnce, askToRepeat, log, refuse } from '../../../../delivery/respond';
import type { KnownProof } from '../../../../delivery/verify';
import { createServiceClient } from '../../../../service/client';
import { idKey, isSameId, SUGGESTED_TIMESTAMP_TOLERANCE } from '../../../../service/contract';
import { asError } from '../../../../service/errors';
import type { WebhookApi } from '../../../../service/webhooks';
import { deleteIfThere, webhookApi } from '../../../../service/webhooks';
import { steadyClock } from '../../../../shared/clock';
import { keyOf, keyOfEntered } from '../../../../shared/phoneNumbers';
import { channelKeyOf } from '../../../../shared/repliesInChat';
import { timingOf } from '../../../../shared/sentSpan';
import { chatKinds } from '../kinds';
import type { ChatReply, Decision } from '../kinds/kind';
import type { ChatQuestion, Outcome } from '../question';
import { peopleOf } from '../question';
import { tellOthers } from '../tellOthers';
import type { Asker } from './askAgain';
import { askAgain, askOnceMore } from './askAgain';
import { buttonIdsOf } from './buttons';
import { unseal } from './seal';
import { meaningOf } from './taps';
import { sweep, SweepTimes, thisN8n } from './temporaryWebhook';
import { whoIsAsked } from './whoIsAsked';

/** Receives a delivery of the question's webhook: its proof, then its writer, then its meaning. */
export async function receiveInChat(
	context: IWebhookFunctions,
	question: ChatQuestion,
	memory: DeliveryMemory,
): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	if (request.method !== 'POST')
		return refuse(context, 422, 'Unprocessable body', 'it is not an event of the service');
	const opened = await openDelivery(
		request,
		() => proofOf(question, request.query),
		Date.now() / 1000,
	);
	if (!opened.isOpen) return refuse(context, opened.status, opened.message, opened.reason);
	const candidates = receivedMessages(opened.body).flatMap((one) => candidateOf(one, question));
	// Each waiting question gets every message of the channel, so a stranger's makes no request.
	if (candidates.length === 0) return NOT_AWAITED;
	const client = await createServiceClient(context);
	const api = webhookApi(client, { kind: 'channel', channelId: question.channelId });
	// n8n runs nothing when a question times out, so each reply looks for leftovers. Not awaited.
	void sweepIfDue(context, api, question.channelId);
	return await take({ context, client, api, memory }, question, candidates);
}

const NOT_AWAITED = { webhookResponse: { message: 'Not the awaited answer' } };

/** A message by one of those who were asked. */
interface Candidate extends ReceivedMessage, ChatReply {
	/** Index of the writer among those who were asked. */
	person: number;
	/** Whether it certainly replies to this question. */
	isCertain: boolean;
	/** Of a tap without an ID: the IDs of the messages that it quotes. */
	quotes: readonly string[] | undefined;
}

/** Empty for a stranger's message, one about another question, or one from before the question. */
function candidateOf(received: ReceivedMessage, question: ChatQuestion): Candidate[] {
	const { message, written } = received;
	const { identifier } = message.sender;
	if (identifier === null) return [];
	const { channelId } = message;
	const isOnChannel = channelId === null || isSameId(channelId, question.channelId);
	const people = peopleOf(question).map(keyOfEntered);
	const person = isOnChannel ? people.indexOf(keyOf(identifier)) : -1;
	if (person < 0) return [];
	const tap = readTap(received.raw);
	const meaning = meaningOf(tap, buttonIdsOf(question));
	if (meaning === 'foreign') return [];
	const candidate = { ...received, identifier, person };
	// It names the question, so neither its time nor its words matter.
	if (typeof meaning === 'number')
		return [{ ...candidate, isCertain: true, chosen: meaning, quotes: undefined }];
	const timing = timingOf(written, question.sent[person]);
	if (timing === 'before') return [];
	const { matchWords, takesBareTaps } = chatKinds[question.kind];
	const quotes = meaning === 'bare' ? tap?.quotes : undefined;
	const isDoubtful = quotes !== undefined && (!takesBareTaps || quotes.length > 0);
	const chosen = matchWords(message.text, question.choices);
	return [{ ...candidate, isCertain: timing === 'after' && !isDoubtful, chosen, quotes }];
}

/** What it takes to act on a delivery that passed all proofs. */
interface Received extends Asker {
	memory: DeliveryMemory;
}

/** The first message that counts decides. */
async function take(
	received: Received,
	question: ChatQuestion,
	candidates: readonly Candidate[],
): Promise<IWebhookResponseData> {
	const kind = chatKinds[question.kind];
	const again = kind.again?.(question);
	const named = candidates.filter(({ chosen }) => chosen !== undefined);
	const found = await findCertain(received, question, again ? candidates : named);
	if ('response' in found) return found.response;
	const { message, chosen } = found.reply;
	const isValid = question.choices.length === 0 || chosen !== undefined;
	if (again && !isValid) {
		const { context, memory } = received;
		const isRepeated = admitOnce(context, memory, [question.id, message.messageId]);
		if (isRepeated) return isRepeated;
		const result = await askAgain(received, question, again, message.messageId);
		if (result !== 'tooOften') return respondToAsking(context, result);
	}
	const { data: values, decision } = kind.read(question, found.reply);
	const data = {
		...values,
		outcome: (isValid ? 'answered' : 'invalid') satisfies Outcome,
		respondedAt: new Date().toISOString(),
	};
	return resume(received, question, withData(message, data), decision);
}

/** The first certain reply. If there is none, the first writer is asked once more. */
async function findCertain(
	received: Received,
	question: ChatQuestion,
	candidates: readonly Candidate[],
): Promise<{ reply: Candidate } | { response: IWebhookResponseData }> {
	const certain = candidates.find(({ isCertain }) => isCertain);
	if (certain) return { reply: certain };
	const [first] = candidates;
	if (!first) return { response: NOT_AWAITED };
	const result = await askOnceMore(received, question, first);
	if (result === 'isReply') return { reply: first };
	return {
		response: result === 'ignored' ? NOT_AWAITED : respondToAsking(received.context, result),
	};
}

const respondToAsking = (
	context: IWebhookFunctions,
	result: 'asked' | 'later',
): IWebhookResponseData =>
	result === 'asked'
		? { webhookResponse: { message: 'Asked again' } }
		: askToRepeat(context, 'Could not ask again');

/** The item: the text, its meaning, then the rest of the message. n8n's table keeps this order. */
const withData = ({ text, ...message }: SimplifiedMessage, data: IDataObject): IDataObject => ({
	text,
	data,
	...message,
});

/** n8n 2 counts approvals that are given in a chat. n8n 1 has no such method. */
function logToN8n(context: Partial<IWebhookFunctions>, approved: boolean): void {
	context.logHitlResponse?.({ approved, authorized: true });
}

/** When this process last looked for leftovers, by channel. */
const sweepTimes = new SweepTimes();

/** Removes the webhooks of this n8n's questions that have timed out. */
async function sweepIfDue(
	context: IWebhookFunctions,
	api: WebhookApi,
	channelId: string,
): Promise<void> {
	const { credentialId } = channelKeyOf(context, channelId);
	if (!sweepTimes.isDue(`${credentialId} ${idKey(channelId)}`, steadyClock.now())) return;
	const onStuck = (error: unknown) =>
		log(
			context,
			'warn',
			`Webhooks of questions that timed out could not be removed: ${asError(error).message}. The node will try again`,
		);
	await sweep(api, { ...thisN8n(context), onStuck }, Date.now).catch(onStuck);
}

/**
 * The secret is stored with the execution, sealed with the URL that only the service and n8n know.
 */
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

/**
 * Resumes the execution, once. The webhook is removed after n8n has taken the reply. If it were
 * removed before and n8n failed, the service would not deliver the reply again.
 */
function resume(
	{ context, api, memory }: Received,
	question: ChatQuestion,
	json: IDataObject,
	decision: Decision | undefined,
): IWebhookResponseData {
	const isRepeated = admitOnce(context, memory, [question.id], () => {
		const people = peopleOf(question).map((name, person) => ({
			name,
			since: question.sent[person]?.from,
		}));
		const channel = channelKeyOf(context, question.channelId);
		whoIsAsked.noteReplied(channel, question.webhookId, people);
		deleteIfThere(api, question.webhookId).catch((error: unknown) => {
			log(
				context,
				'warn',
				`The webhook of an answered question could not be removed: ${asError(error).message}. It is removed after its deadline`,
			);
		});
		if (!decision) return;
		const { approved, approvers, responder, label } = decision;
		logToN8n(context, approved);
		void tellOthers(context, approvers, responder, label);
	});
	return (
		isRepeated ?? {
			webhookResponse: { message: 'Answered' },
			workflowData: [[{ json, pairedItem: { item: 0 } }]],
		}
	);
}
