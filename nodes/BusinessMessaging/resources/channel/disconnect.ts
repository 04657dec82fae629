import { disconnectChannel } from '../../service/channels';
import { channelField } from '../../shared/fields';
import type { ItemOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readId } from '../../shared/parameters';

export const disconnect: ItemOperation = {
	option: {
		name: 'Disconnect',
		value: 'disconnect',
		action: 'Disconnect channel',
		description:
			'Disconnect a channel from its business phone number. It neither sends nor receives until it is connected again.',
	},
	fields: fieldsOf('channel', 'disconnect', [
		{ ...channelField, description: 'The channel to disconnect from its business phone number' },
	]),
	async executeItem(context, client, itemIndex) {
		const channelId = readId(context, 'channelId', 'Channel', itemIndex);
		await disconnectChannel(client, channelId);
		return { success: true, channelId };
	},
};
