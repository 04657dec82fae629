import type { INodeProperties } from 'n8n-workflow';

import { createChannel } from '../../service/channels';
import { CHANNEL_TYPE } from '../../service/contract';
import type { ItemOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readRequired } from '../../shared/parameters';

const fields: INodeProperties[] = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Support',
		description: 'Name of the channel, as your account shows it',
	},
	{
		displayName: 'Type',
		name: 'type',
		type: 'string',
		default: CHANNEL_TYPE,
		description:
			'OFFICIAL_CHATAPP is the type for the official business API. Others are passed to the service as they are.',
	},
];

export const create: ItemOperation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create channel',
		description: 'Create a channel, which can then be connected to a business phone number',
	},
	fields: fieldsOf('channel', 'create', fields),
	async executeItem(context, client, itemIndex) {
		const name = readRequired(context, 'name', 'Name', itemIndex);
		const type = readRequired(context, 'type', 'Type', itemIndex);
		return { id: await createChannel(client, { name, type }), name, type };
	},
};
