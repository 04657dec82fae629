import type { INodeProperties } from 'n8n-workflow';

import {
	fieldsOf,
	type ItemOperation,
	resourceOf,
} from '../../../nodes/BusinessMessaging/shared/operation.ts';

const field = (
	name: string,
	displayOptions?: INodeProperties['displayOptions'],
): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
	...(displayOptions ? { displayOptions } : {}),
});

test("shows an operation's fields only with it, and under their own conditions", () => {
	expect(
		fieldsOf('channel', 'create', [
			field('name'),
			field('type', { show: { mode: ['a'] }, hide: { name: [''] } }),
		]),
	).toEqual([
		field('name', { show: { resource: ['channel'], operation: ['create'] } }),
		field('type', {
			show: { mode: ['a'], resource: ['channel'], operation: ['create'] },
			hide: { name: [''] },
		}),
	]);
});

test('finds operations by their value, and shows their list before their fields', () => {
	const operation = (value: string): ItemOperation => ({
		option: { name: `Do ${value}`, value },
		fields: [field(`field of ${value}`)],
		executeItem: async () => ({}),
	});
	const [get, create] = [operation('get'), operation('create')];
	const { operations, fields } = resourceOf('channel', [get, create], 'create');
	expect(operations).toEqual({ get, create });
	expect(fields.slice(1)).toEqual([field('field of get'), field('field of create')]);
	expect(fields[0]).toEqual({
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['channel'] } },
		options: [get.option, create.option],
		default: 'create',
		description: expect.stringMatching(
			/^What to do\. More about <a href="[^"]+outputs\.md#channel-get">Do get<\/a>, <a .+>Do create<\/a>\.$/,
		),
	});
});
