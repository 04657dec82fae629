import type { IWebhookFunctions } from 'n8n-workflow';

import { endOfResponse } from '../delivery/respond';
import { type PassedEvent, withFields } from '../delivery/event/message';
import { askAddress, thisN8n, type ThisN8n } from './waitingExecution';
import type { Written } from './judge';
import { listReader } from './waitingLists';
import type { WaitingQuestion } from './questionMark';
import { replyRouter } from './router';
import { createServiceClient } from '../service/client';
import { asError } from '../service/errors';
import { log } from '../service/log';
import { webhookApi } from '../service/webhooks';
import { steadyClock } from '../shared/tools/clock';
import { asPlainObject } from '../service/parseJson';
import { recentCredential } from '../shared/node/recentCredential';

/** Milliseconds. The service waits for its response meanwhile, and *Longest Wait* includes them. */
const WAITS_MAX = 12_000;

/**
 * Leaves out what questions of this n8n took. `later`: it is not clear yet, so the delivery should
 * come again. If the list cannot be read, words start the workflow: two responses are better than
 * none.
 * @param since when the delivery came, by the steady clock
 */
export async function withoutReplies(
	context: IWebhookFunctions,
	channelId: string,
	events: PassedEvent[],
	since: number,
): Promise<PassedEvent[] | 'later'> {
	if (!events.some(({ message }) => message?.event === 'MESSAGE_RECEIVED')) return events;
	const warn = (message: string) => log(context, 'warn', message);
	const onError = (error: unknown): undefined => {
		warn(`Replies to questions are not ignored: ${asError(error).message}`);
	};
	const reached = await reach(context, channelId).catch(onError);
	if (!reached) return events;
	const { account, api, secretKey } = reached;
	let own: ThisN8n | undefined;
	const ownN8n = () => (own ??= thisN8n(context));
	const tools = {
		place: { account, channelId },
		// No two nodes share a path.
		receiver: context.getRequestObject().path,
		read: async (timeout: number) =>
			await listReader(api, secretKey, ownN8n)(timeout).catch(onError),
		look: async (question: WaitingQuestion, timeout: number) =>
			await askAddress(context, question, ownN8n(), timeout),
		instanceId: context.getInstanceId(),
		thisN8n: ownN8n,
		warn,
		until: since + WAITS_MAX,
	};
	const judged = events.map(async (event) => {
		const message = writtenIn(event);
		return message && (await replyRouter.fateOf({ ...tools, message }));
	});
	// What the others claimed ends with the response, also if one of them failed.
	const ends = (await Promise.allSettled(judged)).flatMap((one) =>
		one.status === 'fulfilled' && typeof one.value === 'object' ? [one.value.end] : [],
	);
	if (ends.length > 0)
		void endOfResponse(context.getResponseObject(), steadyClock).then((isConfirmed) =>
			ends.forEach((end) => end(isConfirmed)),
		);
	const fates = await Promise.all(judged);
	if (fates.includes('later')) return 'later';
	return events.flatMap((event, index) => {
		const fate = fates[index];
		if (fate === 'taken') return [];
		return [typeof fate === 'object' && fate.isLate ? asLate(event) : event];
	});
}

/** By the secret key as the credential had it at most two seconds ago. */
async function reach(context: IWebhookFunctions, channelId: string) {
	const credential = await recentCredential(context, context.getRequestObject().path);
	const client = await createServiceClient(context, credential);
	const api = webhookApi(client, { kind: 'channel', channelId });
	return { account: client.account, api, secretKey: String(credential.secretKey) };
}

/** A raw body has no reply of its own. */
const asLate = (event: PassedEvent): PassedEvent =>
	withFields(event, { reply: { ...asPlainObject(event.item.reply), isLate: true } });

function writtenIn({ message, written, lastTime, raw = {} }: PassedEvent): Written | undefined {
	const isReceived = message?.event === 'MESSAGE_RECEIVED';
	const identifier = isReceived ? message.sender.identifier : null;
	if (!isReceived || identifier === null) return undefined;
	const { messageId, text, sender } = message;
	return { messageId, identifier, text, author: sender.name, written, lastTime, raw };
}
