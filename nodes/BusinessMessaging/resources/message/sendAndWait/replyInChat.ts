import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { ServiceClient } from '../../../service/client';
import { createServiceClient } from '../../../service/client';
import { isSameId, SUGGESTED_TIMESTAMP_TOLERANCE } from '../../../service/contract';
import { asError, ServiceError } from '../../../service/errors';
import { sendMessage } from '../../../service/messages';
import type { WebhookApi } from '../../../service/webhooks';
import { deleteIfThere, webhookApi } from '../../../service/webhooks';
import { askedPeople, whereOf } from '../../../delivery/askedPeople';
import { isNestedTooDeep, readBody } from '../../../delivery/body';
import type { DeliveryMemory } from '../../../delivery/deduplicate';
import type { SimplifiedMessage } from '../../../delivery/message';
import { receivedMessages } from '../../../delivery/message';
import { normalizeIdentifier } from '../../../shared/phoneNumbers';
import { readWaiting, WAIT_ATTRIBUTE } from '../../../shared/waitingQuestion';
import { admitOnce, respondJson, askToRepeat, log, refuse } from '../../../delivery/respond';
import type { Verdict } from '../../../delivery/verify';
import { REFUSALS, verifyDelivery } from '../../../delivery/verify';
import { findChoice, isAboutAnother, withChoices } from './buttons';
import type { ApprovalInChat, ChatQuestion, Outcome, ReplyQuestion } from './question';
import { peopleOf, unseal } from './question';
import { tellOthers } from './tellOthers';
import { sweep } from './temporaryWebhook';

/** Receives a delivery of the question's webhook: proof, then whose message it is, then what it says. */
export async function receiveReplyInChat(
	context: IWebhookFunctions,
	question: ChatQuestion,
	answered: DeliveryMemory,
): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	const rawBody: unknown = request.rawBody;
	if (request.method !== 'POST' || !Buffer.isBuffer(rawBody))
		return refuse(context, 422, 'Unprocessable', 'it is not an event of the service');
	const verdict = verify(context, question, rawBody);
	if (!verdict.accepted) return refuse(context, 401, 'Unauthorized', REFUSALS[verdict.reason]);
	const body = readBody(request);
	if (isNestedTooDeep(body))
		return refuse(
			context,
			422,
			'Unprocessable',
			'its body is nested too deep for an execution to hold',
		);

	const client = await createServiceClient(context);
	const api = webhookApi(client, { kind: 'channel', channelId: question.channelId });
	// Whatever it says: n8n tells nobody when a question's time is over. Nobody waits for it.
	void removeOver(context, api);

	const messages = receivedMessages(body).filter(
		(message) => isFromSomebodyAsked(message, question) && !isAboutAnother(message, question),
	);
	const received = { context, client, api, answered };
	return question.kind === 'approvalInChat'
		? takeApproval(received, question, messages)
		: await takeReply(received, question, messages);
}

const NOT_AWAITED = { webhookResponse: { message: 'Not the awaited answer' } };

/** A delivery that passed all proofs. */
interface Received {
	context: IWebhookFunctions;
	client: ServiceClient;
	api: WebhookApi;
	answered: DeliveryMemory;
}

/** The first message that names a choice decides. Whatever else an approver writes is not about the question. */
function takeApproval(
	received: Received,
	question: ApprovalInChat,
	messages: readonly SimplifiedMessage[],
): IWebhookResponseData {
	const { channelId, choices, tellOthers: text } = question;
	for (const message of messages) {
		const { identifier, name } = message.sender;
		const chosen = findChoice(message, question);
		if (chosen === undefined || identifier === null) continue;
		const approved = chosen === 0;
		const responder = { identifier, name };
		const data = {
			approved,
			responder,
			outcome: 'answered' satisfies Outcome,
			respondedAt: new Date().toISOString(),
		};
		return resumeFromChat(received, question, withData(message, data), () => {
			logToN8n(received.context, approved);
			const asked = { channelId, people: peopleOf(question), text };
			void tellOthers(received.context, asked, responder, choices[chosen] ?? '');
		});
	}
	return NOT_AWAITED;
}

/** What the workflow gets: the text, what it means, then all else of the message. In this order n8n's table shows them. */
const withData = ({ text, ...message }: SimplifiedMessage, data: IDataObject): IDataObject => ({
	text,
	data,
	...message,
});

/** n8n 2 keeps account of approvals that are given where they were asked for. n8n 1 does not. */
function logToN8n(context: Partial<IWebhookFunctions>, approved: boolean): void {
	context.logHitlResponse?.({ approved, authorized: true });
}

async function takeReply(
	received: Received,
	question: ReplyQuestion,
	[answer]: readonly SimplifiedMessage[],
): Promise<IWebhookResponseData> {
	if (!answer) return NOT_AWAITED;
	const { context, client, api, answered } = received;
	const chosen = findChoice(answer, question);
	const isValid = question.choices.length === 0 || chosen !== undefined;
	if (!isValid) {
		const isRepeated = admitOnce(context, answered, [question.id, answer.messageId]);
		if (isRepeated) return isRepeated;
		if (await isAskedAgain(api, question, answer)) return await askAgain(context, client, question);
	}
	const choice =
		chosen === undefined
			? { choice: null, choiceNumber: null }
			: { choice: question.choices[chosen] ?? null, choiceNumber: chosen + 1 };
	const data = {
		text: answer.text,
		...choice,
		outcome: (isValid ? 'answered' : 'invalid') satisfies Outcome,
		respondedAt: new Date().toISOString(),
	};
	return resumeFromChat(received, question, withData(answer, data));
}

/** Removes the webhooks of this n8n's questions whose time is over. */
async function removeOver(context: IWebhookFunctions, api: WebhookApi): Promise<void> {
	try {
		await sweep(api, { instanceId: context.getInstanceId() }, Date.now);
	} catch (error) {
		log(
			context,
			'warn',
			`Webhooks of questions whose time is over could not be removed: ${asError(error).message}. It is tried again`,
		);
	}
}

/** The secret lies with the execution, sealed with the URL that only the service and n8n know. */
function verify(
	context: IWebhookFunctions,
	{ sealedSecret }: ChatQuestion,
	rawBody: Buffer,
): Verdict {
	const { headersDistinct, headers, query } = context.getRequestObject();
	const secret = unseal(sealedSecret, typeof query.signature === 'string' ? query.signature : '');
	const proof = {
		kind: 'signature',
		secrets: [secret],
		scheme: 'fiveField',
		tolerance: SUGGESTED_TIMESTAMP_TOLERANCE,
	} as const;
	return verifyDelivery(headersDistinct ?? headers, rawBody, proof, Date.now() / 1000);
}

function isFromSomebodyAsked(
	{ channelId, sender: { identifier } }: SimplifiedMessage,
	question: ChatQuestion,
): boolean {
	const isOnChannel = channelId === null || isSameId(channelId, question.channelId);
	return (
		isOnChannel &&
		identifier !== null &&
		peopleOf(question).some(
			(person) => normalizeIdentifier(person) === normalizeIdentifier(identifier),
		)
	);
}

/**
 * Whether a reply outside the choices is to be asked again, and counts it. The count lies with the webhook, for nothing else outlives a restart of n8n
 * without going on with the execution.
 */
async function isAskedAgain(
	api: WebhookApi,
	question: ReplyQuestion,
	answer: SimplifiedMessage,
): Promise<boolean> {
	const webhook = (await api.list()).find(({ id }) => id === question.webhookId);
	const waiting = webhook && readWaiting(webhook);
	if (!webhook || !waiting) return false;
	// Counted before, but its reply got lost: the service delivers it again.
	if (waiting.mark.lastWrong === answer.messageId) return true;
	const { wrongAnswers } = waiting.mark;
	if (wrongAnswers >= question.askAgain) return false;
	const mark = { ...waiting.mark, wrongAnswers: wrongAnswers + 1, lastWrong: answer.messageId };
	await api.update(webhook.id, {
		customAttributes: { ...webhook.customAttributes, [WAIT_ATTRIBUTE]: mark },
	});
	return true;
}

async function askAgain(
	context: IWebhookFunctions,
	client: ServiceClient,
	question: ReplyQuestion,
): Promise<IWebhookResponseData> {
	const { channelId, recipient, askAgainText } = question;
	try {
		await sendMessage(client, {
			channelId,
			recipient,
			content: withChoices(askAgainText, question),
		});
		return { webhookResponse: { message: 'Asked again' } };
	} catch (error) {
		log(context, 'warn', asError(error).message);
		// What may have been sent is not sent again.
		if (error instanceof ServiceError && error.failure.effect === 'unknown')
			return respondJson(context, 200, 'Asked again');
		return askToRepeat(context, 'Could not ask again');
	}
}

/**
 * Goes on with the execution, once. The webhook is removed after n8n has taken the reply: were it removed before, and n8n failed, the service would not
 * deliver the reply again.
 */
function resumeFromChat(
	{ context, api, answered }: Received,
	question: ChatQuestion,
	json: IDataObject,
	onResumed = () => {},
): IWebhookResponseData {
	const isRepeated = admitOnce(context, answered, [question.id], () => {
		const where = whereOf(context, question.channelId);
		askedPeople.answered(where, question.webhookId, peopleOf(question));
		deleteIfThere(api, question.webhookId).catch((error: unknown) => {
			log(
				context,
				'warn',
				`The webhook of an answered question could not be removed: ${asError(error).message}. It is removed after its deadline`,
			);
		});
		onResumed();
	});
	return (
		isRepeated ?? {
			webhookResponse: { message: 'Answered' },
			workflowData: [[{ json, pairedItem: { item: 0 } }]],
		}
	);
}
