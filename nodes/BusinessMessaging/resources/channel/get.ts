import type { IDataObject } from 'n8n-workflow';

import { getChannel } from '../../service/channels';
import { channelField } from '../../shared/fields';
import type { ItemOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readId } from '../../shared/parameters';

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
