import { Turns } from '../shared/tools/turns';
import { Chain, type SendPorts } from './chain';
import { OutgoingItem } from './outgoing';
import { Batch, targetOf } from './batch';
import type { BatchBounds, InvalidItem, PartedItem, SendJob, SendOutcome } from './batch';

export interface SendPolicy extends BatchBounds {
	/** Starts and reads nothing more after the first failure. */
	stopOnFailure: boolean;
	/** Whether a retry sends again what may have been sent. */
	sendAgain?: boolean;
}

/** Items that were read and did not end, because their recipients get others first, or wait. */
const MAX_UNFINISHED = 1000;

/**
 * Sends messages in item order to each recipient of a channel, and side by side to different ones.
 * @param items read while messages are under way
 * @returns outcomes by item index. An item that was not started has none
 */
export async function sendAll<Job extends SendJob>(
	items: AsyncIterable<Job | PartedItem<Job> | InvalidItem> | readonly Job[],
	policy: SendPolicy,
	ports: SendPorts<Job>,
): Promise<Map<number, SendOutcome>> {
	const outcomes = new Map<number, SendOutcome>();
	const batch = new Batch(policy, ports);
	const turns = new Turns();
	const finish = (index: number, outcome: SendOutcome) => {
		outcomes.set(index, outcome);
		if ('error' in outcome && policy.stopOnFailure) batch.stop();
	};
	const send = async (item: Job | PartedItem<Job>) => {
		const job = 'parts' in item ? item.parts[0] : item;
		const { channelId, recipient } = job;
		const outgoing = new OutgoingItem(batch, job);
		const sendItem = async () => {
			const outcome = await new Chain(outgoing, ports, policy.sendAgain).sendItem(item);
			if (!outcome) return;
			finish(item.index, 'error' in outcome ? { ...outcome, channelId, recipient } : outcome);
		};
		await turns.take(targetOf(job), async () => await outgoing.run(sendItem));
	};
	const { counts, members } = batch;
	batch.reads(true);
	for await (const item of items) {
		if ('error' in item) finish(item.index, item);
		else if (!batch.isStopped) void send(item);
		const isFull = () => members.size >= MAX_UNFINISHED;
		if (isFull()) batch.reads(false);
		await batch.while(() => counts.ready >= 2 * policy.maxConcurrency || isFull());
		if (batch.isStopped) break;
		batch.reads(true);
	}
	batch.reads(false);
	await batch.while(() => members.size > 0);
	batch.end();
	return outcomes;
}
