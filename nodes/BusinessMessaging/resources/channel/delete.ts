import { deleteChannel } from '../../service/channels';
import { channelField } from '../../shared/fields';
import type { ItemOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readId, readText } from '../../shared/parameters';

export const deleteOperation: ItemOperation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete channel',
		description: 'Delete a channel permanently. It must be disconnected before.',
	},
	fields: fieldsOf('channel', 'delete', [
		{ ...channelField, description: 'The channel to delete. It must not be connected any more.' },
		{
			displayName: 'Cancel Reason',
			name: 'cancelReason',
			type: 'string',
			default: '',
			placeholder: 'e.g. The shop has closed',
			description: 'Why the channel is deleted, for the service to know. May be left empty.',
		},
	]),
	async executeItem(context, client, itemIndex) {
		const id = readId(context, 'channelId', 'Channel', itemIndex);
		await deleteChannel(client, id, readText(context, 'cancelReason', itemIndex));
		return { deleted: true, id };
	},
};
