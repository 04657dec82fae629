import type { ServiceClient } from './client';
import type {
	CreateWebhookRequest,
	UpdateWebhookRequest,
	Webhook,
	WebhookAuth,
	WebhookWithSecret,
} from './contract';
import { webhookListSchema, webhookSchema, webhookWithSecretSchema } from './contract';
import { asError, ServiceError } from './errors';

/** Whose webhooks: those of a channel, or the account's template webhooks. */
export type WebhookOwner = { kind: 'channel'; channelId: string } | { kind: 'template' };

/** The webhook operations. Every method rejects with a ServiceError. */
export interface WebhookApi {
	/** Names the account, and the channel or the templates. */
	readonly place: string;
	/**
	 * All webhooks of a channel, or the enabled template webhooks (docs/contract.md).
	 * @param timeout milliseconds
	 */
	list(timeout?: number): Promise<Webhook[]>;
	/** Also a disabled template webhook. Rejects with `not_found` if the webhook is gone. */
	get(webhookId: string): Promise<Webhook>;
	/** With `signing`, the response holds the secret, which is not shown again. */
	create(request: CreateWebhookRequest): Promise<WebhookWithSecret>;
	/**
	 * `signing: true` makes a new secret every time. `events` replaces the list.
	 * @param timeout milliseconds
	 */
	update(
		webhookId: string,
		changes: UpdateWebhookRequest,
		timeout?: number,
	): Promise<WebhookWithSecret>;
	/** Deletes at once and permanently. Rejects with `not_found` if the webhook is gone. */
	delete(webhookId: string): Promise<void>;
}

/** @param known secrets of these webhooks. No error shows them, nor those that are learned */
export function webhookApi(
	client: ServiceClient,
	owner: WebhookOwner,
	known: readonly string[] = [],
): WebhookApi {
	const secrets = [...known];
	const learned = (webhook: WebhookWithSecret): WebhookWithSecret => {
		if (webhook.secret) secrets.push(webhook.secret);
		return webhook;
	};
	const path =
		owner.kind === 'channel' ? ['v1', 'channels', owner.channelId, 'webhooks'] : ['v1', 'webhooks'];
	const noun = owner.kind === 'channel' ? 'webhook' : 'template webhook';
	return {
		place: JSON.stringify([client.account, ...path]),
		list: async (timeout) =>
			await client.request({
				action: `list the ${noun}s`,
				method: 'GET',
				path,
				secrets,
				response: webhookListSchema,
				entries: {},
				...(timeout === undefined ? {} : { timeout }),
			}),
		get: async (webhookId) =>
			await client.request({
				action: `read the ${noun}`,
				method: 'GET',
				path: [...path, webhookId],
				secrets,
				response: webhookSchema,
			}),
		create: async (body) =>
			learned(
				await client.request({
					action: `create the ${noun}`,
					method: 'POST',
					path,
					body,
					secrets: [...secrets, ...secretsOf(body.auth)],
					response: webhookWithSecretSchema,
				}),
			),
		update: async (webhookId, body, timeout) =>
			learned(
				await client.request({
					action: `update the ${noun}`,
					method: 'PATCH',
					path: [...path, webhookId],
					body,
					secrets: [...secrets, ...secretsOf(body.auth)],
					response: webhookWithSecretSchema,
					...(timeout === undefined ? {} : { timeout }),
				}),
			),
		delete: async (webhookId) =>
			await client.request({
				action: `delete the ${noun}`,
				method: 'DELETE',
				path: [...path, webhookId],
				secrets,
			}),
	};
}

/** What of a webhook's credentials is secret. Of `Bearer …`, the last word is as well. */
function secretsOf(auth: WebhookAuth | undefined): string[] {
	return Object.entries(auth ?? {})
		.filter(([name]) => !['type', 'username', 'headerName'].includes(name))
		.flatMap(([, value]) => [value, value.slice(value.lastIndexOf(' ') + 1)]);
}

/** Deletes a webhook, if it is still there. */
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

/** Whether a request failed because the webhook or channel does not exist. */
export function isGone(error: unknown): boolean {
	return error instanceof ServiceError && error.reason === 'not_found';
}
