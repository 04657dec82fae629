import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { getChannel, listChannels } from '../../service/channels';
import { channelField, limitField, returnAllField } from '../../shared/node/fields';
import { fieldsOf, type ItemOperation } from '../../shared/node/operation';
import { readId, readLimit } from '../../shared/node/parameters';

const fields: INodeProperties[] = [
	returnAllField,
	limitField,
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'Name Contains',
				name: 'query',
				type: 'string',
				default: '',
				placeholder: 'e.g. Support',
				description: 'Return only channels whose name contains this text',
			},
			{
				displayName: 'Type',
				name: 'type',
				type: 'string',
				default: '',
				description: 'Return only channels of this type, as your service calls it',
			},
		],
	},
];

export const getAll: ItemOperation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many channels',
		description: "Retrieve a list of the account's channels",
	},
	fields: fieldsOf('channel', 'getAll', fields),
	async executeItem(context, client, itemIndex) {
		const limit = readLimit(context, itemIndex);
		const filters = context.getNodeParameter('filters', itemIndex, {}) as {
			query?: string;
			type?: string;
		};
		const channels: IDataObject[] = [];
		for await (const channel of listChannels(client, filters)) {
			channels.push(channel as IDataObject);
			if (channels.length >= limit) break;
		}
		return channels;
	},
};

export const get: ItemOperation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get channel',
		description: 'Retrieve one channel with its state and its webhooks',
	},
	fields: fieldsOf('channel', 'get', [{ ...channelField, description: 'The channel to retrieve' }]),
	async executeItem(context, client, itemIndex) {
		const channelId = readId(context, 'channelId', 'Channel', itemIndex);
		return (await getChannel(client, channelId)) as IDataObject;
	},
};
