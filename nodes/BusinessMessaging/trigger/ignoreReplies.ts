import type { ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';

import type { Listed } from '../delivery/askedPeople';
import { askedPeople, whereOf } from '../delivery/askedPeople';
import type { PassedEvent } from '../delivery/message';
import { log } from '../delivery/respond';
import { createServiceClient, CREDENTIAL_TYPE } from '../service/client';
import { asError } from '../service/errors';
import { webhookApi } from '../service/webhooks';
import { isOver, readWaiting, recipientMarker } from '../shared/waitingQuestion';

/** Milliseconds: the service waits for the response to the delivery meanwhile, about 15 s. */
const LIST_TIMEOUT = 5000;

/** Leaves out what people wrote whom a question of this n8n asks in the chat. Whatever fails, nothing is left out: rather twice an answer than none. */
export async function withoutReplies(
	context: IWebhookFunctions,
	channelId: string,
	events: PassedEvent[],
): Promise<PassedEvent[]> {
	try {
		const where = whereOf(context, channelId);
		const others: PassedEvent[] = [];
		for (const event of events) {
			const writer = writerOf(event);
			const isReply =
				writer !== undefined &&
				(await askedPeople.isReply(where, writer, async () => await read(context, channelId)));
			if (!isReply) others.push(event);
		}
		return others;
	} catch (error) {
		log(context, 'warn', `Replies to questions are not ignored: ${asError(error).message}`);
		return events;
	}
}

/** Reads the credential, and by it the list. */
async function read(context: IWebhookFunctions, channelId: string): Promise<Listed> {
	const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE);
	const client = await createServiceClient(context, credential);
	const marker = recipientMarker(String(credential.secretKey));
	const webhooks = await webhookApi(client, { kind: 'channel', channelId }).list(LIST_TIMEOUT);
	const instanceId = context.getInstanceId();
	return {
		questions: webhooks
			.map(readWaiting)
			.filter((question) => question !== undefined)
			.filter((question) => question.owner.instanceId === instanceId)
			.filter((question) => !isOver(question, Date.now())),
		marksOf: (identifier) => {
			const { mark, formerMarks } = marker(channelId, identifier);
			return [mark, ...formerMarks];
		},
	};
}

/** Who wrote a customer's message; undefined for every other event. */
function writerOf({ message }: PassedEvent): string | undefined {
	const isReceived = message?.event === 'MESSAGE_RECEIVED';
	return (isReceived ? message.sender.identifier : null) ?? undefined;
}
