import type { IDataObject } from 'n8n-workflow';

import { getChannel, listChannels } from '../../service/channels';
import { channelField, collectionField, limitFields, textField } from '../../shared/node/fields';
import type { ItemOperation } from '../../shared/node/operation';
import { readId, readLimit } from '../../shared/node/parameters';

export const getAll: ItemOperation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many channels',
	description: "Retrieve a list of the account's channels",
	fields: [
		...limitFields,
		collectionField('Filters', 'filters', 'Filter', [
			textField('Name Contains', 'query', {
				placeholder: 'e.g. Support',
				description: 'Return only channels whose name contains this text',
			}),
			textField('Type', 'type', {
				description: 'Return only channels of this type, as your service calls it',
			}),
		]),
	],
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
	name: 'Get',
	value: 'get',
	action: 'Get channel',
	description: 'Retrieve one channel with its state and its webhooks',
	fields: [{ ...channelField, description: 'The channel to retrieve' }],
	async executeItem(context, client, itemIndex) {
		const channelId = readId(context, 'channelId', 'Channel', itemIndex);
		return (await getChannel(client, channelId)) as IDataObject;
	},
};
