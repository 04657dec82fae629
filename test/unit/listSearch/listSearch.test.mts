import type { ILoadOptionsFunctions } from 'n8n-workflow';

import {
	searchChannels,
	searchTemplateWebhooks,
	searchWebhooks,
} from '../../../nodes/BusinessMessaging/listSearch/index.ts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';

/** n8n's context of a list, with a service that gives one response. */
function contextWith(status: number, body: unknown, parameters: Record<string, unknown> = {}) {
	const urls: string[] = [];
	const context = {
		getCredentials: async () => ({ baseUrl: 'https://api.example.com', secretKey: 'key' }),
		getNode: () => ({
			id: '1',
			name: 'Business Messaging',
			type: 'test',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		}),
		// A resource locator is an object, of which n8n gives the value only when it is asked to.
		getCurrentNodeParameter: (name: string, options?: { extractValue?: boolean }) =>
			options?.extractValue
				? parameters[name]
				: { __rl: true, mode: 'id', value: parameters[name] },
		helpers: {
			httpRequestWithAuthentication: async (
				_type: string,
				{ url, qs }: { url: string; qs?: object },
			) => {
				urls.push(`${url}${qs ? JSON.stringify(qs) : ''}`);
				return { statusCode: status, headers: {}, body };
			},
		},
	};
	return { context: context as unknown as ILoadOptionsFunctions, urls };
}

const webhook = (id: string, url: string, changes: object = {}) => ({
	id,
	url,
	events: ['MESSAGE_RECEIVED'],
	status: 'ENABLED',
	...changes,
});

test('the list of channels shows names, searches at the service and never shows a token', async () => {
	const page = {
		total: 2,
		totalPage: 1,
		pageSize: 100,
		page: 0,
		content: [
			{ id: 'A', name: 'Support', token: 'secret' },
			{ id: 'B', name: null },
		],
	};
	const { context, urls } = contextWith(200, page);
	expect(await searchChannels.call(context, 'sup')).toEqual({
		results: [
			{ name: 'Support', value: 'A' },
			{ name: 'B', value: 'B' },
		],
	});
	expect(urls[0]).toContain('"query":"sup"');
});

test('an account that may not list its channels is told how to go on', async () => {
	const { context, urls } = contextWith(422, { error: 'Channel listing requires ENTERPRISE role' });
	await expect(searchChannels.call(context)).rejects.toThrow(
		/ENTERPRISE role\. Choose "By ID" and paste the channel ID\.$/,
	);
	expect(urls).toHaveLength(1);
});

test.each([404, 405])(
	'a service without a list of channels (%d) says so and points to By ID',
	async (status) => {
		const { context } = contextWith(status, { error: status, message: 'Not Found' });
		await expect(searchChannels.call(context)).rejects.toThrow(
			'This service offers no list of channels. Choose "By ID" and paste the channel ID.',
		);
	},
);

test('a refused key is said in the list too', async () => {
	const { context } = contextWith(401, { error: 'Unauthorized' });
	await expect(searchChannels.call(context)).rejects.toThrow(
		'Could not list the channels: the service refused the secret key',
	);
});

test('the list of webhooks shows what they are for and whether they are disabled, and searches in all of it', async () => {
	const webhooks = [
		webhook('A', 'https://a.example.com', { description: 'Orders' }),
		webhook('B', 'https://b.example.com', { status: 'DISABLED' }),
	];
	const { context, urls } = contextWith(200, webhooks, { channelId: CHANNEL });
	expect((await searchWebhooks.call(context)).results).toEqual([
		{ name: 'Orders – https://a.example.com', value: 'A' },
		{ name: 'https://b.example.com (disabled)', value: 'B' },
	]);
	expect((await searchWebhooks.call(context, 'ORDERS')).results.map(({ value }) => value)).toEqual([
		'A',
	]);
	expect(urls[0]).toBe(`https://api.example.com/v1/channels/${CHANNEL}/webhooks`);
});

test('the lists show no signature of a resume URL, and cannot be searched for one', async () => {
	const url = 'https://n8n.example.com/webhook-waiting/231?signature=aaaa1111&question=1';
	for (const search of [searchWebhooks, searchTemplateWebhooks]) {
		const { context } = contextWith(200, [webhook('A', url)], { channelId: CHANNEL });
		expect((await search.call(context)).results).toEqual([
			{
				name: 'https://n8n.example.com/webhook-waiting/231?signature=[hidden]&question=1',
				value: 'A',
			},
		]);
		expect((await search.call(context, 'signature=aa')).results).toEqual([]);
	}
});

test('without a channel there is nothing to list, and nothing is asked', async () => {
	for (const channelId of ['', undefined, '..']) {
		const { context, urls } = contextWith(200, [], { channelId });
		await expect(searchWebhooks.call(context)).rejects.toThrow(
			'Choose a channel first: webhooks belong to one.',
		);
		expect(urls).toEqual([]);
	}
});

test('template webhooks need no channel', async () => {
	const { context, urls } = contextWith(200, [webhook('A', 'https://a.example.com')]);
	expect((await searchTemplateWebhooks.call(context)).results).toEqual([
		{ name: 'https://a.example.com', value: 'A' },
	]);
	expect(urls).toEqual(['https://api.example.com/v1/webhooks']);
});

test("a list is searched by the ID too, and a channel's ID may have blanks around it", async () => {
	const { context, urls } = contextWith(
		200,
		[webhook('ABC', 'https://a.example.com'), webhook('DEF', 'https://b.example.com')],
		{ channelId: ` ${CHANNEL} ` },
	);
	expect((await searchWebhooks.call(context, 'def')).results).toEqual([
		{ name: 'https://b.example.com', value: 'DEF' },
	]);
	expect((await searchWebhooks.call(context, 'nothing of this')).results).toEqual([]);
	expect(urls[0]).toBe(`https://api.example.com/v1/channels/${CHANNEL}/webhooks`);
});

test('a search that finds nothing in the fields of the list does not find what is not shown', async () => {
	const { context } = contextWith(
		200,
		[webhook('A', 'https://a.example.com', { description: null })],
		{ channelId: CHANNEL },
	);
	expect((await searchWebhooks.call(context, 'enabled')).results).toEqual([]);
	expect((await searchWebhooks.call(context, 'null')).results).toEqual([]);
});

test('a long list of channels ends after 500, which the search narrows down, and all are shown without one', async () => {
	const content = Array.from({ length: 600 }, (_, index) => ({
		id: String(index),
		name: `Channel ${index}`,
	}));
	const { context, urls } = contextWith(200, {
		total: 600,
		totalPage: 1,
		pageSize: 100,
		page: 0,
		content,
	});
	const { results } = await searchChannels.call(context);
	expect(results).toHaveLength(500);
	expect(results.at(-1)).toEqual({ name: 'Channel 499', value: '499' });
	expect(urls[0]).not.toContain('query');
});

test('a service that fails says so in the list, and does not point to By ID', async () => {
	const failing = contextWith(500, { error: 500, message: 'Oops' }, { channelId: CHANNEL });
	await expect(searchChannels.call(failing.context)).rejects.toThrow(
		'Could not list the channels: the service failed (Oops)',
	);
	await expect(searchWebhooks.call(failing.context)).rejects.toThrow(
		'Could not list the webhooks: the service failed (Oops)',
	);
	await expect(searchTemplateWebhooks.call(failing.context)).rejects.toThrow(
		'Could not list the template webhooks: the service failed (Oops)',
	);
});
