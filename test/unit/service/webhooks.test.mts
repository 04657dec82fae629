import type { ServiceClient, ServiceRequest } from '#nodes/service/client.ts';
import { ServiceError } from '#nodes/service/errors/index.ts';
import { deleteIfThere, webhookApi, type WebhookOwner } from '#nodes/service/webhooks.ts';

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

test('each request knows the secrets of its webhooks, and those that the service told', async () => {
	const asked = await askedFor({ kind: 'template' });
	expect(asked.map(({ secrets }) => secrets)).toEqual([
		['stored'],
		['stored'],
		['stored', 'secret 2'],
		['stored', 'secret 2', 'secret 3'],
	]);
});

test('ignores only that a webhook is already gone', async () => {
	const deleting = async (error: Error) =>
		await deleteIfThere({ delete: async () => Promise.reject(error) }, 'A');
	await expect(deleting(failed('not_found'))).resolves.toBeUndefined();
	await expect(deleting(failed('rejected'))).rejects.toThrow('rejected');
	await expect(deleting(new TypeError('broken'))).rejects.toThrow('broken');
});
