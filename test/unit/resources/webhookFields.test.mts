import type { INodeProperties } from 'n8n-workflow';

import { getAll } from '../../../nodes/BusinessMessaging/resources/webhook/getAll.ts';

const filtersOf = (fields: INodeProperties[]) =>
	fields.find(({ name }) => name === 'filters')?.options as INodeProperties[];

describe.each([
	['channel', 'webhook', "channel's"],
	['template', 'templateWebhook', 'template'],
] as const)('Get Many of webhooks of the kind %s', (kind, resource, word) => {
	it('is listed by its name, and says in words whose webhooks it gives', () => {
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

	it('filters by what can differ: of template webhooks, the service lists the enabled ones only', () => {
		const filters = filtersOf(getAll(kind).fields);
		expect(filters.map(({ name, type, default: initial }) => [name, type, initial])).toEqual([
			['createdByN8n', 'boolean', true],
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
		for (const { displayName, description } of filters) {
			expect(displayName).toMatch(/^[A-Z]\w+/);
			expect(description).toMatch(/^(Return only webhooks|Whether to return only webhooks) /);
		}
	});
});
