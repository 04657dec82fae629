import type { IHttpRequestOptions, ILoadOptionsFunctions } from 'n8n-workflow';

import { searchChannels, searchChannelTypes } from '#nodes/listSearch/searchChannels.ts';
import { searchTemplateWebhooks, searchWebhooks } from '#nodes/listSearch/searchWebhooks.ts';
import { BASE_URL, CHANNEL } from '../../support/constants.mts';
import { NODE, nodeContext } from '../../support/context.mts';

let accounts = 0;

/**
 * n8n's context of a list.
 * @param body of each response, or what makes it of the URL
 */
function contextWith(
	status: number,
	body: unknown,
	parameters: Record<string, unknown> = {},
	headers: object = {},
) {
	const urls: string[] = [];
	const secretKey = `key-${++accounts}`;
	const respond = ({ url, qs }: IHttpRequestOptions) => {
		const asked = `${url}${qs ? JSON.stringify(qs) : ''}`;
		urls.push(asked);
		const given = typeof body === 'function' ? (body as (url: string) => unknown)(asked) : body;
		return { statusCode: status, headers, body: given };
	};
	const context = nodeContext<ILoadOptionsFunctions>(respond, {
		credential: { secretKey },
		getTimezone: () => 'America/Sao_Paulo',
		getNode: () => ({
			...NODE,
			credentials: { businessMessagingApi: { id: '1', name: "Shop's $& key" } },
		}),
		// A resource locator is an object. n8n gives its value only on request.
		getCurrentNodeParameter: (name: string, options?: { extractValue?: boolean }) =>
			options?.extractValue
				? parameters[name]
				: { __rl: true, mode: 'id', value: parameters[name] },
	});
	return { context, urls };
}

const pageOf = (content: object[]) => ({
	...{ total: content.length, totalPage: 1, pageSize: 100, page: 0 },
	content,
});

const webhook = (id: string, url: string, changes: object = {}) => ({
	id,
	url,
	events: ['MESSAGE_RECEIVED'],
	status: 'ENABLED',
	...changes,
});

test('lists channels by name, searches at the service and shows no token', async () => {
	const page = pageOf([
		{ id: 'A', name: 'Support', token: 'secret' },
		{ id: 'B', name: null },
		{ id: 'C', name: 'Support', type: 'PAGE_INBOX', phoneNumberConnected: '@shop_bot' },
		{ id: 'D', name: ' ', type: 'WEB', phoneNumberConnected: null, phoneConnected: true },
		{ id: 'F', name: 'New', type: 'WEB', phoneNumberConnected: null, phoneConnected: false },
		{ id: 'G', name: 'Newer', phoneConnected: false },
		{ id: 'E', name: 'Sales', type: '', phoneNumberConnected: 5511 },
	]);
	const { context, urls } = contextWith(200, page);
	expect(await searchChannels.call(context, 'sup')).toEqual({
		results: [
			{ name: 'Support', value: 'A' },
			{ name: 'B', value: 'B' },
			{ name: 'Support (@shop_bot, Page inbox)', value: 'C' },
			{ name: 'D (Web)', value: 'D' },
			{ name: 'New (Web, not connected)', value: 'F' },
			{ name: 'Newer (not connected)', value: 'G' },
			{ name: 'Sales', value: 'E' },
		],
	});
	expect(urls[0]).toContain('"query":"sup"');
});

test('asks once for what is typed, and anew for a list that is opened', async () => {
	const { context, urls } = contextWith(200, pageOf([{ id: 'A' }]));
	const asked = [];
	for (const filter of ['a', 'ab', 'a', undefined, '']) {
		const before = urls.length;
		await searchChannels.call(context, filter);
		asked.push(urls.length - before);
	}
	expect(asked).toEqual([1, 1, 0, 1, 1]);
});

test('reads five pages of an opened list, and one of what a letter finds', async () => {
	const pages = (url: string) => {
		const page = Number(/"page":(\d+)/.exec(url)?.[1]);
		const content = Array.from({ length: 100 }, (_, at) => ({ id: `N${page * 100 + at}` }));
		return { total: 900, totalPage: 9, pageSize: 100, page, content };
	};
	const { context, urls } = contextWith(200, pages);
	expect((await searchChannels.call(context)).results).toHaveLength(500);
	expect(urls).toHaveLength(5);
	expect((await searchChannels.call(context, 'n')).results).toHaveLength(100);
	expect(urls).toHaveLength(6);
});

test.each([
	['6', 1],
	['0', 4],
])('says until when the service asks to wait: %s s, after %i requests', async (wait, asked) => {
	const refused = { error: 429, message: 'Slow' };
	const { context, urls } = contextWith(429, refused, {}, { 'retry-after': wait });
	await expect(searchChannels.call(context)).rejects.toThrow(
		/^Could not list the channels: the service asks to slow down, until \d\d:\d\d\. Try again/,
	);
	expect(urls).toHaveLength(asked);
});

test('names the credential whose key is refused, and says where the right one is', async () => {
	const { context } = contextWith(401, { error: 401, message: 'Authorization invalid' });
	await expect(searchChannels.call(context)).rejects.toThrow(
		'Could not list the channels: the service refused the secret key. Check the Secret Key in the credential "Shop\'s $& key": it is generated in the security panel of the service, and is not the public key.',
	);
});

test('says what to do if the account may not list its channels', async () => {
	const { context, urls } = contextWith(422, { error: 'Channel listing requires ENTERPRISE role' });
	await expect(searchChannels.call(context)).rejects.toThrow(
		/ENTERPRISE role can list channels\. Choose "By ID" and paste the channel ID\.$/,
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

test('lists each channel type of the account once, in words, and searches in both', async () => {
	const types = ['OFFICIAL_CHATAPP', 'WEB', 'OFFICIAL_CHATAPP', null, '', 'aBot', 'WEB'];
	const page = pageOf(types.map((type, index) => ({ id: String(index), name: 'A', type })));
	const { context, urls } = contextWith(200, page);
	const official = { name: 'Official chat app', value: 'OFFICIAL_CHATAPP' };
	expect(await searchChannelTypes.call(context)).toEqual({
		results: [official, { name: 'Web', value: 'WEB' }, { name: 'abot', value: 'aBot' }],
	});
	for (const typed of ['off', 'L_ch', 'l ch'])
		expect((await searchChannelTypes.call(context, typed)).results).toEqual([official]);
	expect(urls.join()).not.toContain('"type"');
	expect(urls).toHaveLength(1);
});

test.each<[string, number, unknown, string]>([
	['there is no channel', 200, pageOf([]), 'No channel of the account shows a type.'],
	['no channel has a type', 200, pageOf([{ id: 'A' }]), 'No channel of the account shows a type.'],
	['there is no list', 404, { error: 404, message: 'Not Found' }, 'offers no list of channels.'],
	[
		'the account lacks the role',
		422,
		{ error: 'Channel listing requires ENTERPRISE role' },
		'Only accounts with the ENTERPRISE role can list channels.',
	],
])('suggests By ID for a channel type if %s', async (_when, status, body, words) => {
	const { context } = contextWith(status, body);
	await expect(searchChannelTypes.call(context)).rejects.toThrow(
		`${words} Choose "By ID" and enter the type as your service calls it.`,
	);
});

test('lists webhooks with description and status, and searches in both', async () => {
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
	expect(urls[0]).toBe(`${BASE_URL}/v1/channels/${CHANNEL}/webhooks`);
});

test('shows no signature of a resume URL, and finds none', async () => {
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

test('sends no request without a channel', async () => {
	for (const channelId of ['', undefined, '..']) {
		const { context, urls } = contextWith(200, [], { channelId });
		await expect(searchWebhooks.call(context)).rejects.toThrow(
			'Choose a channel first: webhooks belong to one.',
		);
		expect(urls).toEqual([]);
	}
});

test.each([
	['channels', searchChannels],
	['channels', searchChannelTypes],
	['webhooks', searchWebhooks],
	['template webhooks', searchTemplateWebhooks],
])(
	'shows a failure of the service to list %s, and does not suggest By ID',
	async (what, search) => {
		const { context } = contextWith(500, { error: 500, message: 'Oops' }, { channelId: CHANNEL });
		await expect(search.call(context)).rejects.toThrow(
			`Could not list the ${what}: the service failed (Oops). Try again later`,
		);
	},
);
