import type { INodeProperties } from 'n8n-workflow';

import { create } from '../../../nodes/BusinessMessaging/resources/webhook/create.ts';
import { deleteWebhook } from '../../../nodes/BusinessMessaging/resources/webhook/delete.ts';
import { getAll } from '../../../nodes/BusinessMessaging/resources/webhook/getAll.ts';
import { update } from '../../../nodes/BusinessMessaging/resources/webhook/update.ts';

const filtersOf = (fields: INodeProperties[]) =>
	fields.find(({ name }) => name === 'filters')?.options as INodeProperties[];

describe.each([
	['channel', 'webhook', "channel's"],
	['template', 'templateWebhook', 'template'],
] as const)('Get Many of webhooks of the kind %s', (kind, resource, word) => {
	it('has its name in the list, and says in words whose webhooks it gives', () => {
		const { option } = getAll(kind);
		expect(option).toMatchObject({ name: 'Get Many', value: 'getAll' });
		expect(option.action).toMatch(/^Get many (template )?webhooks$/);
		expect(option.description).toMatch(/^Retrieve a list of /);
		expect(option.description).toContain(word);
	});

	it('is simplified, and filters nothing, unless the fields say otherwise', () => {
		const { fields } = getAll(kind);
		for (const { displayOptions } of fields)
			expect(displayOptions?.show).toMatchObject({ resource: [resource], operation: ['getAll'] });
		expect(fields.find(({ name }) => name === 'simplify')).toMatchObject({
			type: 'boolean',
			default: true,
			description: expect.stringMatching(/^Whether to return a simplified version/),
		});
		expect(fields.find(({ name }) => name === 'filters')).toMatchObject({
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
		});
	});

	it('filters by what can differ, because the service lists only enabled template webhooks', () => {
		const filters = filtersOf(getAll(kind).fields);
		expect(filters.map(({ name, type, default: initial }) => [name, type, initial])).toEqual([
			['createdByN8n', 'boolean', true],
			...(kind === 'channel' ? [['checkQuestions', 'boolean', true]] : []),
			['events', 'multiOptions', []],
			...(kind === 'channel' ? [['status', 'options', expect.any(String)]] : []),
			['urlContains', 'string', ''],
		]);
		const events = filters.find(({ name }) => name === 'events')?.options ?? [];
		expect(events).toContainEqual(
			expect.objectContaining({
				value: kind === 'channel' ? 'MESSAGE_RECEIVED' : 'UPDATE_TEMPLATE_STATUS',
			}),
		);
		// It deletes, too, and says so.
		for (const { displayName, description } of filters.filter(
			({ name }) => name !== 'checkQuestions',
		)) {
			expect(displayName).toMatch(/^[A-Z]\w+/);
			expect(description).toMatch(/^(Return only webhooks|Whether to return only webhooks) /);
		}
	});
});

const OF_CHANNEL = ['MESSAGE_RECEIVED', 'BLOCK'];
const eventsOf = (fields: readonly INodeProperties[]) =>
	(fields.find(({ name }) => name === 'events')?.options ?? []).map((option) =>
		'value' in option ? option.value : undefined,
	);

describe.each([
	['channel', 'webhook', 'webhook', ['channelId']],
	['template', 'templateWebhook', 'template webhook', []],
] as const)('operations that change a webhook of the kind %s', (kind, resource, word, owner) => {
	it('have names in the list, and say in words what they do', () => {
		for (const [{ option }, value, name] of [
			[create(kind), 'create', 'Create'],
			[deleteWebhook(kind), 'delete', 'Delete'],
			[update(kind), 'update', 'Update'],
		] as const) {
			expect(option).toMatchObject({ name, value, action: `${name} ${word}` });
			expect(option.description).toContain(` a ${word}`);
		}
		expect(create(kind).option.description).toMatch(
			kind === 'channel' ? /events of the channel/ : /template events\. .* up to 5 minutes\.$/,
		);
	});

	it('show their fields only with themselves', () => {
		for (const [{ fields }, operation, names] of [
			[create(kind), 'create', [...owner, 'url', 'events', 'additionalFields']],
			[deleteWebhook(kind), 'delete', [...owner, 'webhookId']],
			[update(kind), 'update', [...owner, 'webhookId', 'updateFields']],
		] as const) {
			expect(fields.filter(({ type }) => type !== 'notice').map(({ name }) => name)).toEqual(names);
			for (const { displayOptions } of fields)
				expect(displayOptions?.show).toMatchObject({
					resource: [resource],
					operation: [operation],
				});
		}
	});

	it('ask for URL and events to create, and offer every field to update', () => {
		const { fields } = create(kind);
		for (const name of ['url', 'events'])
			expect(fields.find((field) => field.name === name)?.required).toBe(true);
		const changes = update(kind).fields.at(-1)?.options as INodeProperties[];
		const more = fields.at(-1)?.options as INodeProperties[];
		expect(changes.map(({ name }) => name)).toEqual([
			...more.map(({ name }) => name),
			'events',
			'status',
			'url',
		]);
		expect(changes.find(({ name }) => name === 'events')?.description).toContain('They replace');
		for (const listed of [eventsOf(fields), eventsOf(changes)])
			expect(OF_CHANNEL.every((event) => listed.includes(event))).toBe(kind === 'channel');
	});
});
