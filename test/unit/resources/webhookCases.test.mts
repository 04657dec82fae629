import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { create } from '../../../nodes/BusinessMessaging/resources/webhook/create.ts';
import { deleteWebhook } from '../../../nodes/BusinessMessaging/resources/webhook/delete.ts';
import { getAll } from '../../../nodes/BusinessMessaging/resources/webhook/getAll.ts';
import { readWebhookOwner } from '../../../nodes/BusinessMessaging/resources/webhook/owners.ts';
import { presentWebhook } from '../../../nodes/BusinessMessaging/resources/webhook/present.ts';
import {
	readCollection,
	readRequest,
} from '../../../nodes/BusinessMessaging/resources/webhook/request.ts';
import { update } from '../../../nodes/BusinessMessaging/resources/webhook/update.ts';
import {
	createWebhookRequestSchema,
	updateWebhookRequestSchema,
	type Webhook,
} from '../../../nodes/BusinessMessaging/service/contract/index.ts';
import { CHANNEL, contextWith, run } from './actionNode.mts';

const changes = (values: IDataObject) => readRequest(updateWebhookRequestSchema, values);

it.each<[IDataObject, IDataObject]>([
	[
		{ token: 't', key: 'left over' },
		{ type: 'BEARER', token: 't' },
	],
	[
		{ type: 'API_KEY', key: 'k', token: 'left over' },
		{ type: 'API_KEY', key: 'k' },
	],
	[
		{ type: 'BASIC', username: 'u', password: 'p', key: 'left over' },
		{ type: 'BASIC', username: 'u', password: 'p' },
	],
	[
		{ type: 'CUSTOM_HEADER', headerName: 'x-a', headerValue: 'v', key: 'left over' },
		{ type: 'CUSTOM_HEADER', headerName: 'x-a', headerValue: 'v' },
	],
	[{ type: 'NONE', token: 'left over' }, { type: 'NONE' }],
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

it.each<[unknown, IDataObject]>([
	[{ status: 'ENABLED' }, { status: 'ENABLED' }],
	['a text', {}],
	[null, {}],
])('for the collection %j, the fields are %j', (given, fields) => {
	const { context } = contextWith({ updateFields: given });
	expect(readCollection(context, 'updateFields', 0)).toEqual(fields);
});

it("the webhooks are the channel's, or the account's for templates", () => {
	const { context } = contextWith({ channelId: CHANNEL });
	expect(readWebhookOwner(context, 'channel', 0)).toEqual({ kind: 'channel', channelId: CHANNEL });
	expect(readWebhookOwner(context, 'template', 0)).toEqual({ kind: 'template' });
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
	['2026-07-15T19:00:00.000+00:00', '2026-07-15T19:00:00.000Z'],
	['+002026-07-15T16:00:00.000-0300', '2026-07-15T19:00:00.000Z'],
	['some day', 'some day'],
])('shows the date %s as %s', (createdAt, shown) => {
	expect(presentWebhook(webhook({ createdAt }), 'this n8n')).toMatchObject({ createdAt: shown });
});

it.each<[IDataObject, boolean, boolean]>([
	[{}, false, false],
	[{ n8n: 'no mark' }, false, false],
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

	it('is simplified unless the field says otherwise', async () => {
		for (const json of await list()) expect(json).toHaveProperty('createdByN8n', false);
	});
});

describe.each(['channel', 'template'] as const)('webhooks of the kind %s', (kind) => {
	it.each([
		['create', create],
		['delete', deleteWebhook],
		['getAll', getAll],
		['update', update],
	])('%s: the editor explains each field', (_operation, operation) => {
		const { fields } = operation(kind);
		const open = fields.filter(({ type }) => type !== 'notice');
		const added = open
			.filter(({ type }) => type === 'collection')
			.flatMap(({ options }) => options as INodeProperties[]);
		for (const { displayName, placeholder = 'e.g. ' } of [...fields, ...added]) {
			expect(displayName).toMatch(/^[A-Z]/);
			expect(placeholder).toMatch(/^(e\.g\. |Add )/);
		}
		for (const { type, description = '' } of [...open, ...added])
			if (type !== 'collection') expect(description).toMatch(/^[A-Z]\w* \w/);
	});
});

it('a webhook without signing has a null secret', async () => {
	const { items } = await run(
		{
			resource: 'webhook',
			operation: 'create',
			channelId: CHANNEL,
			url: 'https://example.com/events',
			events: ['CONNECTED'],
		},
		{ answer: () => ({ statusCode: 201, body: webhook({ signing: false, secret: null }) }) },
	);
	expect(items).toMatchObject([{ json: { id: 'A' } }]);
	expect(items[0]?.json.secret ?? null).toBeNull();
});
