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
		description: 'Disconnect a channel. It cannot send or receive until you connect it again.',
	},
	fields: fieldsOf('channel', 'disconnect', [
		{ ...channelField, description: 'The channel to disconnect' },
	]),
	async executeItem(context, client, itemIndex) {
		const channelId = readId(context, 'channelId', 'Channel', itemIndex);
		await disconnectChannel(client, channelId);
		return { success: true, channelId };
	},
};
