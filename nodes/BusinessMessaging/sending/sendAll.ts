import { asError, ServiceError } from '../service/errors';
import type { InvalidItem, PartedItem, SendJob, SendOutcome } from './job';
import { targetOf } from './job';
import { KeyedQueue } from './keyedQueue';
import type { NodeKeys } from './once/sendOnce';
import { sendOnce } from './once/sendOnce';
import type { RecordEntry, RecordedPorts } from './recordedSender';
import { entryOf, entryOfItem, FallbackError, RecordedSender } from './recordedSender';

/** What must hold while messages are sent. */
export interface SendPolicy {
	/** Messages under way at most. */
	maxConcurrency: number;
	/** 0 for no limit. */
	maxPerSecond: number;
	/** Starts and reads nothing more after the first failure. */
	stopOnFailure: boolean;
	/** Whether a retry sends again what may have been sent. */
	sendAgain?: boolean;
}

/** What sending calls: the service, the records, the time. */
export interface SendPorts<Job extends SendJob> extends RecordedPorts<Job> {
	/** For jobs with a Send Once Key. */
	onceKeys: NodeKeys;
}

/** Messages that were read but not sent, because their recipients get others first. */
const MAX_QUEUED = 1000;

/**
 * Sends messages in item order to each recipient of a channel, and side by side to different ones.
 * Skips what the sent record knows as accepted. Fails what it knows as unknown, without sending. A
 * fallback takes the place of its message in all of this.
 *
 * @param items read while messages are under way
 * @returns outcomes by item index. An item that was not started has none
 */
export async function sendAll<Job extends SendJob>(
	items: AsyncIterable<Job | PartedItem<Job> | InvalidItem>,
	policy: SendPolicy,
	ports: SendPorts<Job>,
): Promise<Map<number, SendOutcome>> {
	const queue = new KeyedQueue({ maxConcurrency: policy.maxConcurrency, maxQueued: MAX_QUEUED });
	const batch = new Batch(policy, ports, queue);
	for await (const item of items) {
		if ('error' in item) batch.finish(item.index, item);
		if (batch.isStopped) break;
		if ('error' in item) continue;
		const job = 'parts' in item ? item.parts[0] : item;
		queue.add(targetOf(job), async () => await batch.sendItem(item));
		await queue.untilRoom();
		if (batch.isStopped) break;
	}
	await queue.untilIdle();
	batch.end();
	return batch.outcomes;
}

/** The messages of one execution. */
class Batch<Job extends SendJob> {
	readonly outcomes = new Map<number, SendOutcome>();
	private readonly sender: RecordedSender<Job>;
	private hasFailed = false;

	constructor(
		private readonly policy: SendPolicy,
		private readonly ports: SendPorts<Job>,
		queue: KeyedQueue,
	) {
		this.sender = new RecordedSender(
			policy,
			ports,
			() => this.isStopped,
			async (wait) => await queue.lendPlace(wait),
		);
	}

	get isStopped(): boolean {
		return (this.policy.stopOnFailure && this.hasFailed) || this.ports.signal?.aborted === true;
	}

	finish(index: number, outcome: SendOutcome): void {
		this.outcomes.set(index, outcome);
		if ('error' in outcome) this.hasFailed = true;
	}

	end(): void {
		this.sender.end();
	}

	async sendItem(item: Job | PartedItem<Job>): Promise<void> {
		if (this.isStopped) return;
		const isParted = 'parts' in item;
		const outcome = await (isParted ? this.sendParts(item) : this.sendOne(item));
		if (!outcome) return;
		const { channelId, recipient } = isParted ? item.parts[0] : item;
		this.finish(item.index, 'error' in outcome ? { ...outcome, channelId, recipient } : outcome);
	}

	/**
	 * Sends the parts of an item in order, and none after one that failed.
	 * @returns one outcome for the item. Undefined: not all parts were started
	 */
	private async sendParts({ parts }: PartedItem<Job>): Promise<SendOutcome | undefined> {
		const [first, ...others] = parts;
		// An earlier try may have sent the item in one piece.
		const before = this.sentBefore(first, entryOfItem(first));
		if (before) return before;
		const messageIds: Array<string | null> = [];
		for (const part of parts) {
			const covered = part === first ? others : [];
			const outcome = this.isStopped ? undefined : await this.sendOne(part, covered);
			if (!outcome || 'sentAs' in outcome) return outcome;
			if ('error' in outcome)
				return { error: errorOfPart(outcome.error, messageIds.length + 1, parts.length) };
			messageIds.push(outcome.messageId);
		}
		const { channelId, recipient } = first;
		const messageId = messageIds.find((id) => id !== null) ?? null;
		return messageId === null
			? { alreadySent: true, messageId, channelId, recipient }
			: { messageId, messageIds, channelId, recipient };
	}

	/**
	 * @param covered messages that are not sent any more if the fallback of this one is
	 * @returns undefined if it was not started
	 */
	private async sendOne(job: Job, covered: readonly Job[] = []): Promise<SendOutcome | undefined> {
		const { name, once, channelId, recipient } = job;
		const entry = entryOf(job);
		const before = this.sentBefore(job, entry);
		if (before) return before;
		const send = async () => await this.sender.sendOrFallback(job, entry);
		const coveredKeys = () => covered.flatMap((other) => other.once ?? []);
		try {
			const sent = await (once
				? sendOnce(name, once, this.ports.onceKeys, send, {
						sendAgain: this.policy.sendAgain,
						coveredBy: ({ sentAs }) => (sentAs ? coveredKeys() : []),
					})
				: send());
			return sent === 'alreadySent'
				? { alreadySent: true, messageId: null, channelId, recipient }
				: sent;
		} catch (error) {
			return { error: asError(error) };
		}
	}

	/** The outcome of an earlier try, if it was accepted or may have been. */
	private sentBefore(job: Job, entry: RecordEntry): SendOutcome | undefined {
		try {
			return this.sender.sentBefore(job, entry);
		} catch (error) {
			return { error: asError(error) };
		}
	}
}

function errorOfPart(error: Error, number: number, total: number): Error {
	if (error instanceof FallbackError) return error;
	const which = `part ${number} of ${total}`;
	if (!(error instanceof ServiceError)) return new Error(`${asError(error).message} (${which})`);
	const { action, failure } = error;
	const before = number === 1 ? 'No other part was sent.' : 'Only the parts before it were sent.';
	return new ServiceError(`${action} (${which})`, {
		...failure,
		hint: `${failure.hint} ${before}`,
	});
}
