import type { INodeExecutionData } from 'n8n-workflow';

import { KeyedQueue } from '../../sending/keyedQueue';
import { sentRecordOf } from '../../sending/sentRecord';
import type { SentRecord } from '../../sending/sentRecord';
import type { ServiceClient } from '../../service/client';
import { idKey } from '../../service/contract';
import { asError, mayBeDone, toNodeError } from '../../service/errors';
import { subscribeChannel, subscriptionInDoubt } from '../../service/subscription';
import { channelField } from '../../shared/fields';
import { failedItem } from '../../shared/items';
import type { BatchOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readId } from '../../shared/parameters';

export const subscribe: BatchOperation = {
	option: {
		name: 'Subscribe',
		value: 'subscribe',
		action: 'Subscribe channel',
		description:
			'Start the subscription of a connected channel, which it needs to work. It charges the account.',
	},
	isNoTool: true,
	fields: fieldsOf('channel', 'subscribe', [
		{ ...channelField, description: 'The channel to subscribe. Connect it first.' },
	]),
	async executeAll(context, client) {
		const record = sentRecordOf(context);
		const firstItems = new Map<string, number>();
		const output: INodeExecutionData[] = [];
		let hasFailed = false;
		for (let item = 0; item < context.getInputData().length; item++) {
			try {
				if (context.getExecutionCancelSignal()?.aborted)
					throw new Error('The execution was cancelled before this channel was subscribed.');
				const channelId = readId(context, 'channelId', 'Channel', item);
				const first = firstItems.get(idKey(channelId)) ?? item;
				firstItems.set(idKey(channelId), first);
				const message = await inTurn(
					`${client.account} ${idKey(channelId)}`,
					async () => await subscribeOnce(client, channelId, record, first),
				);
				output.push({ json: { subscribed: true, channelId, message }, pairedItem: { item } });
			} catch (error) {
				if (!context.continueOnFail()) throw toNodeError(context.getNode(), error, item);
				hasFailed = true;
				output.push(failedItem(error, item));
			}
		}
		if (!hasFailed) record.clear();
		return output;
	},
};

/** Executions that subscribe a channel at once would all read that it is not paid for. */
const turns = new KeyedQueue({ maxConcurrency: Infinity, maxQueued: Infinity });

const inTurn = async <Result>(key: string, job: () => Promise<Result>): Promise<Result> =>
	await new Promise((resolve, reject) =>
		turns.add(key, async () => await job().then(resolve, reject)),
	);

/**
 * Subscribes a channel once in an execution, over all items and tries, because each request is
 * charged.
 * @param entry the first item with this channel
 * @returns the service's message
 */
async function subscribeOnce(
	client: ServiceClient,
	channelId: string,
	record: SentRecord,
	entry: number,
): Promise<string> {
	const target = `subscribe ${client.account} ${idKey(channelId)}`;
	const known = record.acceptedId(entry, target);
	if (known !== undefined) return known;
	if (record.isUnknown(entry, target)) throw subscriptionInDoubt();
	try {
		const message = await subscribeChannel(client, channelId);
		record.recordAccepted(entry, target, message);
		return message;
	} catch (error) {
		if (mayBeDone(error)) record.recordUnknown(entry, target);
		throw asError(error);
	}
}
