import type { IHttpRequestMethods } from 'n8n-workflow';

import type { ServiceClient, ServiceRequest } from './client';
import type {
	CreateWebhookRequest,
	UpdateWebhookRequest,
	WebhookAuth,
	WebhookWithSecret,
} from './contract';
import { webhookListSchema, webhookSchema, webhookWithSecretSchema } from './contract';
import { asError, ServiceError } from './errors';

/** Whose webhooks: those of a channel, or the account's template webhooks. */
export type WebhookOwner = { kind: 'channel'; channelId: string } | { kind: 'template' };

/**
 * The webhook operations. Every method rejects with a ServiceError.
 * @param known secrets of these webhooks. No error shows them, nor those that are learned
 */
export function webhookApi(
	client: ServiceClient,
	owner: WebhookOwner,
	known: readonly string[] = [],
) {
	const secrets = [...known];
	const learned = (webhook: WebhookWithSecret): WebhookWithSecret => {
		if (webhook.secret) secrets.push(webhook.secret);
		return webhook;
	};
	const path =
		owner.kind === 'channel' ? ['v1', 'channels', owner.channelId, 'webhooks'] : ['v1', 'webhooks'];
	const noun = owner.kind === 'channel' ? 'webhook' : 'template webhook';
	const request = async <Result = void>(
		action: string,
		method: IHttpRequestMethods,
		own: Partial<ServiceRequest<Result>>,
	) => await client.request({ action, method, path, secrets, ...own });
	const pathOf = (webhookId: string) => [...path, webhookId];
	/** Of a change: it carries secrets, and its response can have a new one. */
	const changing = (body: CreateWebhookRequest | UpdateWebhookRequest) => ({
		body,
		secrets: [...secrets, ...secretsOf(body.auth)],
		response: webhookWithSecretSchema,
	});
	return {
		/** Names the account, and the channel or the templates. */
		place: JSON.stringify([client.account, ...path]),
		/** Those of a channel, or enabled template webhooks. @param timeout milliseconds */
		list: async (timeout?: number) => {
			const own = { response: webhookListSchema, entries: {}, timeout };
			return await request(`list the ${noun}s`, 'GET', own);
		},
		/** Also a disabled template webhook. Rejects with `not_found` if the webhook is gone. */
		get: async (id: string) =>
			await request(`read the ${noun}`, 'GET', { path: pathOf(id), response: webhookSchema }),
		/** With `signing`, the response holds the secret, which is not shown again. */
		create: async (body: CreateWebhookRequest) =>
			learned(await request(`create the ${noun}`, 'POST', changing(body))),
		/** `signing: true` makes a new secret, `events` replaces all. @param timeout milliseconds */
		update: async (id: string, body: UpdateWebhookRequest, timeout?: number) => {
			const own = { path: pathOf(id), ...changing(body), timeout };
			return learned(await request(`update the ${noun}`, 'PATCH', own));
		},
		/** Deletes at once and permanently. Rejects with `not_found` if the webhook is gone. */
		delete: async (id: string) =>
			await request(`delete the ${noun}`, 'DELETE', { path: pathOf(id) }),
	};
}
export type WebhookApi = ReturnType<typeof webhookApi>;

/** What of a webhook's credentials is secret. Of `Bearer …`, the last word is as well. */
const secretsOf = (auth: WebhookAuth | undefined): string[] =>
	Object.entries(auth ?? {})
		.filter(([name]) => !['type', 'username', 'headerName'].includes(name))
		.flatMap(([, value]) => [value, value.slice(value.lastIndexOf(' ') + 1)]);

export const deleteIfThere = async (
	api: Pick<WebhookApi, 'delete'>,
	webhookId: string,
): Promise<void> =>
	await api.delete(webhookId).catch((error: unknown) => {
		if (!isGone(error)) throw asError(error);
	});

/** Whether a request failed because the webhook or channel does not exist. */
export const isGone = (error: unknown): boolean =>
	error instanceof ServiceError && error.reason === 'not_found';
