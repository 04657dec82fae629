import { createChannel, deleteChannel } from '../../service/channels';
import { channelField, locator, textField } from '../../shared/node/fields';
import type { BatchOperation, ItemOperation } from '../../shared/node/operation';
import { readId, readRequired, readText } from '../../shared/node/parameters';
import { doEachOnce } from '../doEachOnce';

export const create: BatchOperation = {
	name: 'Create',
	value: 'create',
	action: 'Create channel',
	description: 'Create a channel. Connect and subscribe it next. Gives its ID.',
	fields: [
		textField('Name', 'name', {
			required: true,
			placeholder: 'e.g. Support',
			description: 'Name of the channel, as your account shows it',
		}),
		locator(
			'Type',
			'type',
			'searchChannelTypes',
			"The type of the channel. The list shows those of the account's channels.",
			{
				placeholder: 'e.g. OFFICIAL_CHATAPP',
				hint: 'The code of the type, as your service calls it. OFFICIAL_CHATAPP is the official chat app.',
			},
		),
	],
	executeAll: async (context, client) =>
		await doEachOnce(context, { done: 'channel was created', look: LOOK }, async (item, once) => {
			const name = readRequired(context, 'name', 'Name', item);
			const type = readText(context, 'type', item);
			if (!type)
				throw new Error(
					'"Type" is empty. Choose one from the list, or enter the type as your service calls it.',
				);
			const target = `create ${client.account} ${type} ${name}`;
			const create = async () => await createChannel(client, { name, type });
			return { id: await once(item, target, create), name, type };
		}),
};

const LOOK =
	'Look in the dashboard of the service whether the channel is there, before you create it again.';

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
