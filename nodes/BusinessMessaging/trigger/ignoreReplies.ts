import type { ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';

import { endOfResponse } from '../delivery/endOfResponse';
import type { PassedEvent } from '../delivery/event/message';
import { log } from '../service/log';
import { createServiceClient, CREDENTIAL_TYPE } from '../service/client';
import { asError } from '../service/errors';
import { webhookApi } from '../service/webhooks';
import { steadyClock } from '../shared/clock';
import { checkQuestion, resumeBaseOf } from '../shared/questionAddress';
import type { Fate, RepliesInChat, Tools, WaitingList, Written } from '../shared/repliesInChat';
import { channelKeyOf } from '../shared/repliesInChat';
import type { WaitingQuestion } from '../shared/waitingQuestion';
import { isOver, readWaiting, recipientMarker, wordMarker } from '../shared/waitingQuestion';

/** Milliseconds. The service waits for its response meanwhile, and *Max Wait* includes them. */
const WAITS_MAX = 12_000;

/**
 * Leaves out what questions of this n8n took. If the list cannot be read, nothing is left out: two
 * responses are better than none. `later`: it is not clear yet, so the delivery should come again.
 * @param since when the delivery came, by the steady clock
 */
export async function withoutReplies(
	context: IWebhookFunctions,
	replies: RepliesInChat,
	channelId: string,
	events: PassedEvent[],
	since: number,
): Promise<PassedEvent[] | 'later'> {
	const channel = channelKeyOf(context, channelId);
	const tools: Tools = {
		read: async (timeout) => await read(context, channelId, timeout),
		check: async (question, timeout) => await check(context, question, timeout),
		until: since + WAITS_MAX,
	};
	const fates = await Promise.all(
		events.map(async (event) => {
			const message = writtenIn(event);
			return message && (await fateOf(context, replies, channel, message, tools));
		}),
	);
	const ends = fates.flatMap((fate) => (typeof fate === 'object' ? [fate.end] : []));
	if (ends.length > 0)
		void endOfResponse(context.getResponseObject(), steadyClock).then((isConfirmed) =>
			ends.forEach((end) => end(isConfirmed)),
		);
	if (fates.includes('later')) return 'later';
	return events.filter((_event, index) => fates[index] !== 'taken');
}

async function fateOf(
	context: IWebhookFunctions,
	replies: RepliesInChat,
	...[channel, message, tools]: Parameters<RepliesInChat['fateOf']>
): Promise<Fate | undefined> {
	try {
		return await replies.fateOf(channel, message, tools);
	} catch (error) {
		log(context, 'warn', `Replies to questions are not ignored: ${asError(error).message}`);
		return undefined;
	}
}

/** Reads the credential, and with it the list. */
async function read(
	context: IWebhookFunctions,
	channelId: string,
	timeout: number,
): Promise<WaitingList> {
	const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE);
	const client = await createServiceClient(context, credential);
	const markOf = recipientMarker(String(credential.secretKey));
	const webhooks = await webhookApi(client, { kind: 'channel', channelId }).list(timeout);
	const instanceId = context.getInstanceId();
	return {
		questions: webhooks
			.map(readWaiting)
			.filter((question) => question !== undefined)
			.filter((question) => question.owner.instanceId === instanceId)
			.filter((question) => !isOver(question, Date.now())),
		markOf: (identifier) => markOf(channelId, identifier),
		markOfWords: wordMarker(String(credential.secretKey)),
	};
}

/** Where n8n does not tell its own address, nothing is asked. */
async function check(context: IWebhookFunctions, question: WaitingQuestion, timeout: number) {
	try {
		return await checkQuestion(context, question, resumeBaseOf(context), timeout);
	} catch {
		return 'unknown';
	}
}

/** A customer's message. Undefined for every other event. */
function writtenIn({ message, written, raw = {} }: PassedEvent): Written | undefined {
	const isReceived = message?.event === 'MESSAGE_RECEIVED';
	const identifier = isReceived ? message.sender.identifier : null;
	if (!isReceived || identifier === null) return undefined;
	const { messageId, text } = message;
	return { messageId, identifier, text, written, raw };
}
