import type {
	ServiceClient,
	ServiceRequest,
} from '../../../nodes/BusinessMessaging/service/client.ts';
import { ServiceError } from '../../../nodes/BusinessMessaging/service/errors/index.ts';
import {
	deleteIfThere,
	webhookApi,
	type WebhookOwner,
} from '../../../nodes/BusinessMessaging/service/webhooks.ts';

const failed = (reason: 'not_found' | 'rejected') =>
	new ServiceError('act', { reason, effect: 'none', cause: reason, hint: '' });

const body = { url: 'https://a.example', events: ['BLOCK'] };

async function askedFor(owner: WebhookOwner) {
	const asked: Array<ServiceRequest<unknown>> = [];
	const client = {
		baseUrl: '',
		request: async (wanted: ServiceRequest<unknown>) => {
			asked.push({ ...wanted, secrets: [...(wanted.secrets ?? [])] });
			return { secret: `secret ${asked.length}` };
		},
	} as unknown as ServiceClient;
	const api = webhookApi(client, owner, ['stored']);
	await api.list(7);
	await api.create(body);
	await api.update('A', body);
	await api.delete('A');
	return asked;
}

const requestsFor = async (owner: WebhookOwner) =>
	(await askedFor(owner)).map(({ action, method, path, body: sent, timeout }) => [
		action,
		method,
		path.join('/'),
		sent,
		...(timeout === undefined ? [] : [timeout]),
	]);

test('each request knows the secrets of its webhooks, and those that the service told', async () => {
	const asked = await askedFor({ kind: 'template' });
	expect(asked.map(({ secrets }) => secrets)).toEqual([
		['stored'],
		['stored'],
		['stored', 'secret 2'],
		['stored', 'secret 2', 'secret 3'],
	]);
});

test('uses the routes of the contract, and says what it tried', async () => {
	expect(await requestsFor({ kind: 'channel', channelId: 'C' })).toEqual([
		['list the webhooks', 'GET', 'v1/channels/C/webhooks', undefined, 7],
		['create the webhook', 'POST', 'v1/channels/C/webhooks', body],
		['update the webhook', 'PATCH', 'v1/channels/C/webhooks/A', body],
		['delete the webhook', 'DELETE', 'v1/channels/C/webhooks/A', undefined],
	]);
	expect(await requestsFor({ kind: 'template' })).toEqual([
		['list the template webhooks', 'GET', 'v1/webhooks', undefined, 7],
		['create the template webhook', 'POST', 'v1/webhooks', body],
		['update the template webhook', 'PATCH', 'v1/webhooks/A', body],
		['delete the template webhook', 'DELETE', 'v1/webhooks/A', undefined],
	]);
});

test('ignores only that a webhook is already gone', async () => {
	const deleting = async (error: Error) =>
		await deleteIfThere({ delete: async () => Promise.reject(error) }, 'A');
	await expect(deleting(failed('not_found'))).resolves.toBeUndefined();
	await expect(deleting(failed('rejected'))).rejects.toThrow('rejected');
	await expect(deleting(new TypeError('broken'))).rejects.toThrow('broken');
});
