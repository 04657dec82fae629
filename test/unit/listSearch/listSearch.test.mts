import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { searchChannels, searchTemplateWebhooks, searchWebhooks } from '../../../nodes/BusinessMessaging/listSearch/index.ts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';

/** n8n's context of a list, with a service that gives one answer. */
function contextWith(status: number, body: unknown, parameters: Record<string, unknown> = {}) {
	const urls: string[] = [];
	const context = {
		getCredentials: async () => ({ baseUrl: 'https://api.example.com', secretKey: 'key' }),
		getNode: () => ({ id: '1', name: 'Business Messaging', type: 'test', typeVersion: 1, position: [0, 0], parameters: {} }),
		getCurrentNodeParameter: (name: string) => parameters[name],
		helpers: {
			httpRequestWithAuthentication: async (_type: string, { url, qs }: { url: string; qs?: object }) => {
				urls.push(`${url}${qs ? JSON.stringify(qs) : ''}`);
				return { statusCode: status, headers: {}, body };
			},
		},
	};
	return { context: context as unknown as ILoadOptionsFunctions, urls };
}

const webhook = (id: string, url: string, changes: object = {}) => ({ id, url, events: ['MESSAGE_RECEIVED'], status: 'ENABLED', ...changes });

test('the list of channels shows names, searches at the service and never shows a token', async () => {
	const page = { total: 2, totalPage: 1, pageSize: 100, page: 0, content: [{ id: 'A', name: 'Support', token: 'secret' }, { id: 'B', name: null }] };
	const { context, urls } = contextWith(200, page);
	expect(await searchChannels.call(context, 'sup')).toEqual({ results: [{ name: 'Support', value: 'A' }, { name: 'B', value: 'B' }] });
	expect(urls[0]).toContain('"query":"sup"');
});

test.each([404, 405])('a service without a list of channels (%d) says so and points to By ID', async (status) => {
	const { context } = contextWith(status, { error: status, message: 'Not Found' });
	await expect(searchChannels.call(context)).rejects.toThrow('This service offers no list of channels. Choose "By ID" and paste the channel ID.');
});

test('a refused key is said in the list too', async () => {
	const { context } = contextWith(401, { error: 'Unauthorized' });
	await expect(searchChannels.call(context)).rejects.toThrow('Could not list the channels: the service refused the secret key');
});

test('the list of webhooks shows what they are for and whether they are disabled, and searches in all of it', async () => {
	const webhooks = [webhook('A', 'https://a.example.com', { description: 'Orders' }), webhook('B', 'https://b.example.com', { status: 'DISABLED' })];
	const { context, urls } = contextWith(200, webhooks, { channelId: CHANNEL });
	expect((await searchWebhooks.call(context)).results).toEqual([
		{ name: 'Orders – https://a.example.com', value: 'A' },
		{ name: 'https://b.example.com (disabled)', value: 'B' },
	]);
	expect((await searchWebhooks.call(context, 'ORDERS')).results.map(({ value }) => value)).toEqual(['A']);
	expect(urls[0]).toBe(`https://api.example.com/v1/channels/${CHANNEL}/webhooks`);
});

test('without a channel there is nothing to list, and nothing is asked', async () => {
	for (const channelId of ['', undefined, '..']) {
		const { context, urls } = contextWith(200, [], { channelId });
		await expect(searchWebhooks.call(context)).rejects.toThrow('Choose a channel first: webhooks belong to one.');
		expect(urls).toEqual([]);
	}
});

test('template webhooks need no channel', async () => {
	const { context, urls } = contextWith(200, [webhook('A', 'https://a.example.com')]);
	expect((await searchTemplateWebhooks.call(context)).results).toEqual([{ name: 'https://a.example.com', value: 'A' }]);
	expect(urls).toEqual(['https://api.example.com/v1/webhooks']);
});
