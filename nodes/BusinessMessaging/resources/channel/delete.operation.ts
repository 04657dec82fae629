import { deleteChannel } from '../../service/channels';
import { channelField, textField } from '../../shared/node/fields';
import type { ItemOperation } from '../../shared/node/operation';
import { readId, readText } from '../../shared/node/parameters';

/** Why a channel or its subscription ends. */
export const cancelReasonField = textField('Cancel Reason', 'cancelReason', {
	placeholder: 'e.g. The shop has closed',
	description: 'The reason, which the service stores. You can leave it empty.',
});

export const deleteOperation: ItemOperation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete channel',
	description: 'Delete a channel permanently. Cancel its subscription and disconnect it first.',
	fields: [
		{ ...channelField, description: 'The channel to delete. It must be disconnected.' },
		cancelReasonField,
	],
	async executeItem(context, client, itemIndex) {
		const id = readId(context, 'channelId', 'Channel', itemIndex);
		await deleteChannel(client, id, readText(context, 'cancelReason', itemIndex));
		return { deleted: true, id };
	},
};
