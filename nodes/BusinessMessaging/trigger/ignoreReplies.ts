import type { ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';

import type { PassedEvent } from '../delivery/event/message';
import { log } from '../delivery/respond';
import { createServiceClient, CREDENTIAL_TYPE } from '../service/client';
import { asError } from '../service/errors';
import { webhookApi } from '../service/webhooks';
import type { RepliesInChat, WaitingList, Writer } from '../shared/repliesInChat';
import { channelKeyOf } from '../shared/repliesInChat';
import { BUTTON_ID_START, isOver, readWaiting, recipientMarker } from '../shared/waitingQuestion';

/** Milliseconds. The service waits for its response meanwhile, and *Max Wait* includes them. */
const LIST_TIMEOUT = 5000;

/**
 * Leaves out replies to this n8n's questions in the chat. If the list cannot be read, nothing is
 * left out: two responses are better than none. `later`: a question is being sent to a writer, so
 * the delivery should come again.
 */
export async function withoutReplies(
	context: IWebhookFunctions,
	replies: RepliesInChat,
	channelId: string,
	events: PassedEvent[],
): Promise<PassedEvent[] | 'later'> {
	try {
		const channel = channelKeyOf(context, channelId);
		const others: PassedEvent[] = [];
		for (const event of events) {
			const writer = writerOf(event);
			const isReply =
				writer !== undefined &&
				(await replies.isReply(channel, writer, async () => await read(context, channelId)));
			if (isReply === 'later') return 'later';
			if (!isReply) others.push(event);
		}
		return others;
	} catch (error) {
		log(context, 'warn', `Replies to questions are not ignored: ${asError(error).message}`);
		return events;
	}
}

/** Reads the credential, and with it the list. */
async function read(context: IWebhookFunctions, channelId: string): Promise<WaitingList> {
	const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE);
	const client = await createServiceClient(context, credential);
	const markOf = recipientMarker(String(credential.secretKey));
	const webhooks = await webhookApi(client, { kind: 'channel', channelId }).list(LIST_TIMEOUT);
	const instanceId = context.getInstanceId();
	return {
		questions: webhooks
			.map(readWaiting)
			.filter((question) => question !== undefined)
			.filter((question) => question.owner.instanceId === instanceId)
			.filter((question) => !isOver(question, Date.now())),
		markOf: (identifier) => markOf(channelId, identifier),
	};
}

/** The author and time of a customer's message. Undefined for every other event. */
function writerOf({ message, written }: PassedEvent): Writer | undefined {
	const isReceived = message?.event === 'MESSAGE_RECEIVED';
	const identifier = isReceived ? message.sender.identifier : null;
	const isTap = message?.reply?.id.startsWith(BUTTON_ID_START) ?? false;
	return identifier === null ? undefined : { identifier, written, isTap };
}
