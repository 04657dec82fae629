import type { IWebhookFunctions } from 'n8n-workflow';

import { askedPeople } from '../delivery/askedPeople';
import type { PassedEvent } from '../delivery/message';
import { log } from '../delivery/respond';
import { createServiceClient, CREDENTIAL_TYPE } from '../service/client';
import { asError } from '../service/errors';
import { webhookApi } from '../service/webhooks';
import { normalizeIdentifier } from '../shared/phoneNumbers';
import { isOver, readWaiting, recipientMarks } from '../shared/waitingQuestion';

/** Milliseconds: the service waits for the response to the delivery meanwhile, about 15 s. */
const LIST_TIMEOUT = 5000;

/** Leaves out what people wrote whom a question of this n8n asks in the chat. Whatever fails, nothing is left out: rather twice an answer than none. */
export async function withoutReplies(
	context: IWebhookFunctions,
	channelId: string,
	events: PassedEvent[],
): Promise<PassedEvent[]> {
	if (!events.some((event) => writerOf(event) !== undefined)) return events;
	try {
		const client = await createServiceClient(context);
		const api = webhookApi(client, { kind: 'channel', channelId });
		const instanceId = context.getInstanceId();
		const list = async () =>
			(await api.list(LIST_TIMEOUT))
				.map(readWaiting)
				.filter((question) => question !== undefined)
				.filter((question) => question.owner.instanceId === instanceId)
				.filter((question) => !isOver(question, Date.now()));
		const namesOf = async (writer: string) => {
			const { secretKey } = await context.getCredentials(CREDENTIAL_TYPE);
			const { mark, formerMarks } = recipientMarks(String(secretKey), channelId, writer);
			return [normalizeIdentifier(writer), mark, ...formerMarks];
		};
		const where = { account: client.account, channelId };
		const others: PassedEvent[] = [];
		for (const event of events) {
			const writer = writerOf(event);
			const isReply =
				writer !== undefined &&
				(await askedPeople.isReply(where, async () => await namesOf(writer), list));
			if (!isReply) others.push(event);
		}
		return others;
	} catch (error) {
		log(
			context,
			'warn',
			`Whether a message replies to a question could not be found out, so it starts the workflow: ${asError(error).message}`,
		);
		return events;
	}
}

/** Who wrote a customer's message; undefined for every other event. */
function writerOf({ message }: PassedEvent): string | undefined {
	const isReceived = message?.event === 'MESSAGE_RECEIVED';
	return (isReceived ? message.sender.identifier : null) ?? undefined;
}
