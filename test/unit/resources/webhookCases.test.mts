import type { IDataObject } from 'n8n-workflow';

import { presentWebhook } from '#nodes/resources/webhook/getAllWebhooks.operation.ts';
import { readRequest } from '#nodes/resources/webhook/webhookFields.ts';
import {
	createWebhookRequestSchema,
	updateWebhookRequestSchema,
	type Webhook,
} from '#nodes/service/contract/index.ts';
import { CHANNEL } from '../../support/constants.mts';
import { run, WAITING_URL } from './actionNode.mts';

const changes = (values: IDataObject) => readRequest(updateWebhookRequestSchema, values);

const BEARER = { type: 'BEARER', token: 't' };
const KEY = { type: 'API_KEY', key: 'k' };
const BASIC = { type: 'BASIC', username: 'u', password: 'p' };
const HEADER = { type: 'CUSTOM_HEADER', headerName: 'x-a', headerValue: 'v' };
it.each<[IDataObject, IDataObject]>([
	[{ token: 't', key: 'old' }, BEARER],
	[{ ...KEY, token: 'old' }, KEY],
	[{ ...BASIC, key: 'old' }, BASIC],
	[{ ...HEADER, key: 'old' }, HEADER],
	[{ type: 'NONE', token: 'old' }, { type: 'NONE' }],
])('for the authentication %j, the service gets %j', (value, auth) => {
	expect(changes({ auth: { value } })).toEqual({ auth });
});

it.each<[IDataObject, string]>([
	[{}, 'Fill in its "Token".'],
	[{ type: 'API_KEY' }, 'Fill in its "Key".'],
	[{ type: 'BASIC', password: 'p' }, 'Fill in its "Username".'],
	[{ type: 'BASIC', username: 'u' }, 'Fill in its "Password".'],
	[{ type: 'CUSTOM_HEADER', headerValue: 'v' }, 'Fill in its "Header Name".'],
	[{ type: 'CUSTOM_HEADER', headerName: 'x-a' }, 'Fill in its "Header Value".'],
	[{ type: 'DIGEST' }, 'Choose a value from the list.'],
])('refuses the authentication %j: %s', (value, remedy) => {
	expect(() => changes({ auth: { value } })).toThrow(`"Authentication" cannot be used. ${remedy}`);
});

it('refuses a field by its name, and says what to enter instead', () => {
	expect(() =>
		readRequest(createWebhookRequestSchema, { url: 'example.com', events: ['CONNECTED'] }),
	).toThrow('"URL" cannot be used. Enter a whole URL of at most 2048 characters');
	expect(() => changes({ status: 'PAUSED' })).toThrow(
		'"Status" cannot be used. Choose a value from the list.',
	);
});

it('Custom Attributes may be an object from an expression', () => {
	expect(changes({ customAttributes: { team: 'a' } })).toEqual({ customAttributes: { team: 'a' } });
});

const webhook = (more: Partial<Webhook> = {}): Webhook => ({
	id: 'A',
	url: 'https://example.com/events',
	events: ['CONNECTED'],
	status: 'ENABLED',
	...more,
});

it.each([
	['2026-07-15T19:00:00.000+0000', '2026-07-15T19:00:00.000Z'],
	['2026-07-15T16:00:00.000-0300', '2026-07-15T19:00:00.000Z'],
	['some day', 'some day'],
])('shows the date %s as %s', (createdAt, shown) => {
	expect(presentWebhook(webhook({ createdAt }), 'this n8n')).toMatchObject({ createdAt: shown });
});

it.each<[IDataObject, boolean, boolean]>([
	[{}, false, false],
	[{ n8n: {} }, true, false],
	[{ n8n: { instanceId: 'another n8n' } }, true, false],
	[{ n8n: { instanceId: 'this n8n' } }, true, true],
])(
	'a webhook with %j was made by an n8n: %s; by this one: %s',
	(customAttributes, createdByN8n, createdByThisN8n) => {
		expect(presentWebhook(webhook({ customAttributes }), 'this n8n')).toMatchObject({
			createdByN8n,
			createdByThisN8n,
		});
	},
);

describe('Get Many', () => {
	const list = async (filters: IDataObject = {}) => {
		const { items } = await run(
			{ resource: 'webhook', operation: 'getAll', channelId: CHANNEL, filters },
			{
				answer: () => ({
					body: [
						webhook({ id: 'one' }),
						webhook({ id: 'both', events: ['CONNECTED', 'BLOCK'] }),
						webhook({ id: 'other', events: ['MESSAGE_STATUS'] }),
					],
				}),
			},
		);
		return items.map(({ json }) => json);
	};

	it('matches one of the events, and need not match all', async () => {
		const found = await list({ events: ['CONNECTED', 'BLOCK'] });
		expect(found.map(({ id }) => id)).toEqual(['one', 'both']);
	});

	it('deletes no question beyond its limit', async () => {
		jest.useFakeTimers();
		const wait = { executionId: '1', recipient: 'v2:a', deadline: '2099-01-01T00:00:00Z' };
		const customAttributes = {
			...{ n8n: { instanceId: 'this n8n' }, n8nWait: { ...wait, sent: [null] } },
		};
		const question = (id: string) => webhook({ id, url: `${WAITING_URL}1/node`, customAttributes });
		const gone = { statusCode: 404, body: '{"message":"The execution \\"1\\" does not exist."}' };
		const listing = run(
			{
				...{ resource: 'webhook', operation: 'getAll', channelId: CHANNEL, limit: 1 },
				filters: { checkQuestions: true },
			},
			{
				answer: ({ method }) =>
					method === 'GET'
						? { body: ['a', 'b', 'c'].map(question) }
						: { statusCode: 204, body: '' },
				helpers: { httpRequest: async () => gone },
			},
		);
		await jest.advanceTimersByTimeAsync(10_000);
		const { items, sent } = await listing;
		jest.useRealTimers();
		expect(items.map(({ json }) => [json.id, json.deleted])).toEqual([['a', true]]);
		expect(sent.slice(1).map(({ path }) => path)).toEqual([`/v1/channels/${CHANNEL}/webhooks/a`]);
	});
});
