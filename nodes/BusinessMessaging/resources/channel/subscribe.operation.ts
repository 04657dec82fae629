import type { ServiceClient } from '../../service/client';
import { idKey } from '../../service/contract';
import { asError, mayBeDone } from '../../service/errors';
import {
	CANCELED,
	cancelSubscription as cancelAt,
	LOOK_AT_SUBSCRIPTION,
	readUnpaid,
	subscribeChannel,
	subscribedJustNow,
} from '../../service/subscription';
import { BoundedMap } from '../../shared/tools/boundedMap';
import { laterBy, steadyClock } from '../../shared/tools/clock';
import { channelField } from '../../shared/node/fields';
import type { BatchOperation, ItemOperation } from '../../shared/node/operation';
import { readId, readText } from '../../shared/node/parameters';
import { Turns } from '../../shared/tools/turns';
import { doEachOnce } from '../doEachOnce';
import { cancelReasonField } from './create.operation';

export const subscribe: BatchOperation = {
	name: 'Subscribe',
	value: 'subscribe',
	action: 'Subscribe channel',
	description:
		'Start the subscription of a connected channel, which it needs to work. It charges the account.',
	notForAgents: 'it changes what the account pays',
	fields: [{ ...channelField, description: 'The channel to subscribe. Connect it first.' }],
	async executeAll(context, client) {
		const firstItems = new Map<string, number>();
		// Once for a channel over all items, because each request is charged.
		const change = { done: 'channel was subscribed', look: LOOK_AT_SUBSCRIPTION };
		return await doEachOnce(context, change, async (item, once) => {
			const channelId = readId(context, 'channelId', 'Channel', item);
			const channel = keyOf(client, channelId);
			const first = firstItems.get(channel) ?? item;
			firstItems.set(channel, first);
			const message = await turns.take(
				channel,
				async () =>
					await once(
						first,
						`subscribe ${channel}`,
						async () =>
							await subscribeAnew(client, channelId, channel, () => context.getTimezone()),
					),
			);
			return { subscribed: true, channelId, message };
		});
	},
};

/** Executions that subscribe a channel at once would all read that it is not paid for. */
const turns = new Turns();

const keyOf = (client: ServiceClient, channelId: string) => `${client.account} ${idKey(channelId)}`;

/** Milliseconds for which a channel may not show that it is paid for. */
const SHOWS_LATE = 10 * 60_000;

/** The channels that were subscribed, or may have been: when, and the status that they had. */
const recent = new BoundedMap<{ at: number; status: string }>(10_000);

/** @throws ServiceError of a channel that is paid for, or may be: nothing was charged */
async function subscribeAnew(
	client: ServiceClient,
	channelId: string,
	channel: string,
	timeZone: () => string,
): Promise<string> {
	const status = await readUnpaid(client, channelId);
	const last = recent.get(channel);
	const left = last ? last.at + SHOWS_LATE - steadyClock.now() : 0;
	// One that became cancelled since then does not only show it late.
	if (left > 0 && !(status === CANCELED && last?.status !== CANCELED)) {
		const { iso, said } = laterBy(left, timeZone());
		throw subscribedJustNow(iso, said);
	}
	const remember = () => recent.set(channel, { at: steadyClock.now(), status });
	try {
		const message = await subscribeChannel(client, channelId);
		remember();
		return message;
	} catch (error) {
		if (mayBeDone(error)) remember();
		throw asError(error);
	}
}

export const cancelSubscription: ItemOperation = {
	name: 'Cancel Subscription',
	value: 'cancelSubscription',
	action: 'Cancel channel subscription',
	description: 'End the subscription of a channel, which works on until the end of the paid time',
	notForAgents: 'it changes what the account pays',
	fields: [
		{ ...channelField, description: 'The channel whose subscription ends' },
		cancelReasonField,
	],
	async executeItem(context, client, itemIndex) {
		const channelId = readId(context, 'channelId', 'Channel', itemIndex);
		await cancelAt(client, channelId, readText(context, 'cancelReason', itemIndex));
		recent.delete(keyOf(client, channelId));
		return { cancelled: true, channelId };
	},
};
