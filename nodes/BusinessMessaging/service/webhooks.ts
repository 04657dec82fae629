import type { ServiceClient } from './client';
import type {
	CreateWebhookRequest,
	UpdateWebhookRequest,
	Webhook,
	WebhookWithSecret,
} from './contract';
import { webhookListSchema, webhookWithSecretSchema } from './contract';
import { asError, ServiceError } from './errors';

/** Whose webhooks: those of a channel, or the account's template webhooks. */
export type WebhookOwner = { kind: 'channel'; channelId: string } | { kind: 'template' };

/** The webhook operations. Every method rejects with a ServiceError. */
export interface WebhookApi {
	/** All webhooks of a channel; of template webhooks the enabled ones only (docs/contract.md). @param timeout milliseconds */
	list(timeout?: number): Promise<Webhook[]>;
	/** With `signing`, the response holds the secret: it is not shown again. */
	create(request: CreateWebhookRequest): Promise<WebhookWithSecret>;
	/** `signing: true` makes a new secret, every time; `events` replaces the list. */
	update(webhookId: string, changes: UpdateWebhookRequest): Promise<WebhookWithSecret>;
	/** Permanent and immediate. A webhook that is gone rejects with reason `not_found`: the caller decides. */
	delete(webhookId: string): Promise<void>;
}

export function webhookApi(client: ServiceClient, owner: WebhookOwner): WebhookApi {
	const path =
		owner.kind === 'channel' ? ['v1', 'channels', owner.channelId, 'webhooks'] : ['v1', 'webhooks'];
	const noun = owner.kind === 'channel' ? 'webhook' : 'template webhook';
	return {
		list: async (timeout) =>
			await client.request({
				action: `list the ${noun}s`,
				method: 'GET',
				path,
				response: webhookListSchema,
				...(timeout === undefined ? {} : { timeout }),
			}),
		create: async (body) =>
			await client.request({
				action: `create the ${noun}`,
				method: 'POST',
				path,
				body,
				response: webhookWithSecretSchema,
			}),
		update: async (webhookId, body) =>
			await client.request({
				action: `update the ${noun}`,
				method: 'PATCH',
				path: [...path, webhookId],
				body,
				response: webhookWithSecretSchema,
			}),
		delete: async (webhookId) =>
			await client.request({
				action: `delete the ${noun}`,
				method: 'DELETE',
				path: [...path, webhookId],
			}),
	};
}

/** Deletes a webhook. One that is gone already is as good as deleted. */
export async function deleteIfThere(
	api: Pick<WebhookApi, 'delete'>,
	webhookId: string,
): Promise<void> {
	try {
		await api.delete(webhookId);
	} catch (error) {
		if (!isGone(error)) throw asError(error);
	}
}

/** Whether a request failed because what it was about is not there. */
export function isGone(error: unknown): boolean {
	return error instanceof ServiceError && error.reason === 'not_found';
}
