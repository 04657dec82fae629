import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { thisN8n } from '../../../../owner/address';
import { readQuestions } from '../../../../owner/lists';
import { createServiceClient } from '../../../../service/client';
import type { CreateWebhookRequest } from '../../../../service/contract';
import { asError } from '../../../../service/errors';
import { log } from '../../../../service/log';
import type { WebhookApi } from '../../../../service/webhooks';
import { deleteIfThere, webhookApi } from '../../../../service/webhooks';
import { fewAtATime } from '../../../../shared/remembered';
import { withCancelSignal } from '../../../../workarounds/cancelSignal';
import { isLeftover } from './temporaryWebhook';

/** The webhooks, by requests that outlast the execution if it is cancelled. */
export const lastingApi = async (
	context: IExecuteFunctions,
	credential: ICredentialDataDecryptedObject,
	channelId: string,
): Promise<WebhookApi> =>
	webhookApi(
		await createServiceClient(withCancelSignal(context, new AbortController().signal), credential),
		{ kind: 'channel', channelId },
	);

/** Webhooks that are deleted for an execution, which registers one at a time. */
const OWN_MOST = 50;

/**
 * Deletes the webhook of a question that nobody waits for. Without its ID by the service's list,
 * because a registration may have succeeded though its response was lost.
 */
export async function removeOwn(
	context: IExecuteFunctions,
	api: WebhookApi,
	webhookId: string | undefined,
): Promise<void> {
	const own = { ...thisN8n(context), executionId: context.getExecutionId() };
	const listed = async () =>
		readQuestions(await api.list())
			.filter((question) => isLeftover(question, own, -Infinity))
			.slice(0, OWN_MOST)
			.map(({ webhook }) => webhook.id);
	try {
		const ids = webhookId === undefined ? await listed() : [webhookId];
		await fewAtATime(ids, async (id) => await deleteIfThere(api, id));
	} catch (error) {
		log(
			context,
			'warn',
			`The webhook of a question that failed could not be removed: ${asError(error).message}. The next question removes it`,
		);
	}
}

/** Milliseconds. Until then the execution does not wait, and n8n refuses replies. */
const MARK_TIMEOUT = 5000;

/**
 * Writes to the webhook who was asked, and when. Triggers read it, and people who could not be
 * asked are free for another question.
 */
export async function markWhoWasAsked(
	context: IExecuteFunctions,
	api: WebhookApi,
	webhookId: string,
	{ customAttributes }: CreateWebhookRequest,
): Promise<void> {
	try {
		await api.update(webhookId, { customAttributes }, MARK_TIMEOUT);
	} catch (error) {
		log(
			context,
			'warn',
			`The webhook of a question could not be updated: ${asError(error).message}. Until the question is over, replies may also start the workflows of triggers`,
		);
	}
}
