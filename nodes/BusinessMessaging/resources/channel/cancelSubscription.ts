import { cancelSubscription as cancelAt } from '../../service/subscription';
import { channelField } from '../../shared/fields';
import type { ItemOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readId, readText } from '../../shared/parameters';
import { cancelReasonField } from './delete';

export const cancelSubscription: ItemOperation = {
	option: {
		name: 'Cancel Subscription',
		value: 'cancelSubscription',
		action: 'Cancel channel subscription',
		description: 'End the subscription of a channel, which works on until the end of the paid time',
	},
	notForAgents: 'it changes what the account pays',
	fields: fieldsOf('channel', 'cancelSubscription', [
		{ ...channelField, description: 'The channel whose subscription ends' },
		cancelReasonField,
	]),
	async executeItem(context, client, itemIndex) {
		const channelId = readId(context, 'channelId', 'Channel', itemIndex);
		await cancelAt(client, channelId, readText(context, 'cancelReason', itemIndex));
		return { cancelled: true, channelId };
	},
};
