import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { ServiceClient } from '../service/client';
import { createServiceClient } from '../service/client';
import { SUGGESTED_TIMESTAMP_TOLERANCE } from '../service/contract';
import { asError, ServiceError } from '../service/errors';
import { sendText } from '../service/messages';
import type { WebhookApi } from '../service/webhooks';
import { deleteIfThere, webhookApi } from '../service/webhooks';
import { isNestedTooDeep, readBody } from '../trigger/body';
import type { DeliveryMemory } from '../trigger/deduplication';
import type { SimplifiedMessage } from '../trigger/events';
import { normalizeIdentifier, receivedMessages } from '../trigger/events';
import { admitOnce, answerJson, askToRepeat, log, refuse } from '../trigger/response';
import type { Verdict } from '../trigger/verification';
import { REFUSALS, verifyDelivery } from '../trigger/verification';
import { listChoices, matchChoice } from './choices';
import type { ChatQuestion, Outcome } from './question';
import { unseal } from './question';
import { readWaiting, WAIT_ATTRIBUTE, watchDeadline } from './temporaryWebhook';

/** Receives a delivery of the question's webhook: proof, then whose message it is, then what it says. */
export async function answerInChat(context: IWebhookFunctions, question: ChatQuestion, answered: DeliveryMemory): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	const rawBody: unknown = request.rawBody;
	if (request.method !== 'POST' || !Buffer.isBuffer(rawBody)) return refuse(context, 422, 'Unprocessable', 'it is not an event of the service');
	const verdict = verify(context, question, rawBody);
	if (!verdict.accepted) return refuse(context, 401, 'Unauthorized', REFUSALS[verdict.reason]);
	const body = readBody(request);
	if (isNestedTooDeep(body)) return refuse(context, 422, 'Unprocessable', 'its body is nested too deep for an execution to hold');

	const client = await createServiceClient(context);
	const api = webhookApi(client, { kind: 'channel', channelId: question.channelId });
	// Also when it is about others: after a restart of n8n nobody watches the deadline until a message comes.
	const { channelId, deadline } = question;
	const warn = (message: string) => log(context, 'warn', message);
	watchDeadline({ api, baseUrl: client.baseUrl, channelId, deadline: new Date(deadline), instanceId: context.getInstanceId(), warn });

	const answer = receivedMessages(body).find((message) => isFromRecipient(message, question));
	if (!answer) return { webhookResponse: { message: 'Not the awaited answer' } };

	const chosen = matchChoice(answer.text, question.choices);
	const isValid = question.choices.length === 0 || chosen !== undefined;
	if (!isValid) {
		const isRepeated = admitOnce(context, answered, [question.id, answer.messageId]);
		if (isRepeated) return isRepeated;
		if (await isAskedAgain(api, question, answer)) return await askAgain(context, client, question);
	}
	const choice = chosen === undefined ? { choice: null, choiceNumber: null } : { choice: question.choices[chosen] ?? null, choiceNumber: chosen + 1 };
	const data = { text: answer.text, ...choice, outcome: (isValid ? 'answered' : 'invalid') satisfies Outcome, respondedAt: new Date().toISOString() };
	return goOn(context, api, question, { ...answer, data }, answered);
}

/** The secret lies with the execution, sealed with the URL that only the service and n8n know. */
function verify(context: IWebhookFunctions, { sealedSecret }: ChatQuestion, rawBody: Buffer): Verdict {
	const { headersDistinct, headers, query } = context.getRequestObject();
	const secret = unseal(sealedSecret, typeof query.signature === 'string' ? query.signature : '');
	const proof = { kind: 'signature', secrets: [secret], scheme: 'fiveField', tolerance: SUGGESTED_TIMESTAMP_TOLERANCE } as const;
	return verifyDelivery(headersDistinct ?? headers, rawBody, proof, Date.now() / 1000);
}

function isFromRecipient({ channelId, sender }: SimplifiedMessage, question: ChatQuestion): boolean {
	const isOnChannel = channelId === null || channelId.toUpperCase() === question.channelId.toUpperCase();
	return isOnChannel && sender.identifier !== null && normalizeIdentifier(sender.identifier) === normalizeIdentifier(question.recipient);
}

/**
 * Whether an answer outside the choices is to be asked again, and counts it. The count lies with the webhook, for nothing else outlives a restart of n8n
 * without going on with the execution.
 */
async function isAskedAgain(api: WebhookApi, question: ChatQuestion, answer: SimplifiedMessage): Promise<boolean> {
	const webhook = (await api.list()).find(({ id }) => id === question.webhookId);
	const waiting = webhook && readWaiting(webhook);
	if (!webhook || !waiting) return false;
	// Counted before, but its answer got lost: the service delivers it again.
	if (waiting.mark.lastWrong === answer.messageId) return true;
	const { wrongAnswers } = waiting.mark;
	if (wrongAnswers >= question.askAgain) return false;
	const mark = { ...waiting.mark, wrongAnswers: wrongAnswers + 1, lastWrong: answer.messageId };
	await api.update(webhook.id, { customAttributes: { ...webhook.customAttributes, [WAIT_ATTRIBUTE]: mark } });
	return true;
}

async function askAgain(context: IWebhookFunctions, client: ServiceClient, { channelId, recipient, askAgainText, choices }: ChatQuestion): Promise<IWebhookResponseData> {
	const text = `${askAgainText}\n\n${listChoices(choices)}`;
	const failure = await sendText(client, { channelId, recipient, text }).then(() => undefined, asError);
	if (!failure) return { webhookResponse: { message: 'Asked again' } };
	log(context, 'warn', failure.message);
	// What may have been sent is not sent again.
	if (failure instanceof ServiceError && failure.failure.effect === 'unknown') return answerJson(context, 200, 'Asked again');
	return askToRepeat(context, 'Could not ask again');
}

/**
 * Goes on with the execution, once. The webhook is removed after n8n has taken the answer: were it removed before, and n8n failed, the service would not
 * deliver the answer again.
 */
function goOn(context: IWebhookFunctions, api: WebhookApi, question: ChatQuestion, json: IDataObject, answered: DeliveryMemory): IWebhookResponseData {
	const isRepeated = admitOnce(context, answered, [question.id], () => {
		deleteIfThere(api, question.webhookId).catch((error: unknown) => {
			log(context, 'warn', `The webhook of an answered question could not be removed: ${asError(error).message}. It is removed after its deadline`);
		});
	});
	return isRepeated ?? { webhookResponse: { message: 'Answered' }, workflowData: [[{ json, pairedItem: { item: 0 } }]] };
}
