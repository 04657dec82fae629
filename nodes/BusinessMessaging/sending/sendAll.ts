import { Turns } from '../shared/tools/turns';
import { Chain, type SendPorts } from './chain';
import { Departure } from './departure';
import { Execution, targetOf } from './execution';
import type { ExecutionBounds, InvalidItem, PartedItem, SendJob, SendOutcome } from './execution';

export interface SendPolicy extends ExecutionBounds {
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
	const execution = new Execution(policy, ports);
	const turns = new Turns();
	const finish = (index: number, outcome: SendOutcome) => {
		outcomes.set(index, outcome);
		if ('error' in outcome && policy.stopOnFailure) execution.stop();
	};
	const send = async (item: Job | PartedItem<Job>) => {
		const job = 'parts' in item ? item.parts[0] : item;
		const { channelId, recipient } = job;
		const departure = new Departure(execution, job);
		const sendItem = async () => {
			const outcome = await new Chain(departure, ports, policy.sendAgain).sendItem(item);
			if (!outcome) return;
			finish(item.index, 'error' in outcome ? { ...outcome, channelId, recipient } : outcome);
		};
		await turns.take(targetOf(job), async () => await departure.run(sendItem));
	};
	const { counts, departures } = execution;
	execution.reads(true);
	for await (const item of items) {
		if ('error' in item) finish(item.index, item);
		else if (!execution.isStopped) void send(item);
		const isFull = () => departures.size >= MAX_UNFINISHED;
		if (isFull()) execution.reads(false);
		await execution.while(() => counts.ready >= 2 * policy.maxConcurrency || isFull());
		if (execution.isStopped) break;
		execution.reads(true);
	}
	execution.reads(false);
	await execution.while(() => departures.size > 0);
	execution.end();
	return outcomes;
}
