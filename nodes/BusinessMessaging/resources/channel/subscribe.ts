import { Turns } from '../../shared/turns';
import { idKey } from '../../service/contract';
import {
	cancelSubscription as cancelAt,
	subscribeChannel,
	subscriptionInDoubt,
} from '../../service/subscription';
import { channelField } from '../../shared/fields';
import type { BatchOperation, ItemOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readId, readText } from '../../shared/parameters';
import { doEachOnce } from '../doEachOnce';
import { cancelReasonField } from './delete';

export const subscribe: BatchOperation = {
	option: {
		name: 'Subscribe',
		value: 'subscribe',
		action: 'Subscribe channel',
		description:
			'Start the subscription of a connected channel, which it needs to work. It charges the account.',
	},
	notForAgents: 'it changes what the account pays',
	fields: fieldsOf('channel', 'subscribe', [
		{ ...channelField, description: 'The channel to subscribe. Connect it first.' },
	]),
	async executeAll(context, client) {
		const firstItems = new Map<string, number>();
		// Once for a channel over all items, because each request is charged.
		return await doEachOnce(context, 'this channel was subscribed', async (item, once) => {
			const channelId = readId(context, 'channelId', 'Channel', item);
			const channel = `${client.account} ${idKey(channelId)}`;
			const first = firstItems.get(channel) ?? item;
			firstItems.set(channel, first);
			const message = await turns.take(
				channel,
				async () =>
					await once(
						first,
						`subscribe ${channel}`,
						subscriptionInDoubt,
						async () => await subscribeChannel(client, channelId),
					),
			);
			return { subscribed: true, channelId, message };
		});
	},
};

/** Executions that subscribe a channel at once would all read that it is not paid for. */
const turns = new Turns();

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
