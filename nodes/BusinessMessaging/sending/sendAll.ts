import { asError, ServiceError } from '../service/errors';
import type { SendPorts } from './chain';
import { Chain, FallbackError } from './chain';
import type { InvalidItem, PartedItem, SendJob, SendOutcome } from './job';
import { targetOf } from './job';
import type { SenderBounds } from './sender';
import { Errand, Sender } from './sender';
import { Turns } from './queues';

/** What must hold while messages are sent. */
export interface SendPolicy extends Pick<SenderBounds, 'maxConcurrency' | 'maxPerSecond'> {
	/** Starts and reads nothing more after the first failure. */
	stopOnFailure: boolean;
	/** Whether a retry sends again what may have been sent. */
	sendAgain?: boolean;
}

/** Items that were read and did not end, because their recipients get others first, or wait. */
const MAX_UNFINISHED = 1000;

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
	const batch = new Batch(policy, ports);
	for await (const item of items) {
		if ('error' in item) batch.finish(item.index, item);
		else if (!batch.isStopped) batch.add(item);
		await batch.untilRoom();
		if (batch.isStopped) break;
	}
	await batch.untilIdle();
	return batch.outcomes;
}

/** The messages of one execution. */
class Batch<Job extends SendJob> {
	readonly outcomes = new Map<number, SendOutcome>();
	private readonly sender: Sender<Job>;
	private readonly chain: Chain<Job>;
	private readonly turns = new Turns();
	private tellChange = () => {};

	constructor(
		private readonly policy: SendPolicy,
		ports: SendPorts<Job>,
	) {
		this.sender = new Sender(policy, ports, () => this.tellChange());
		this.chain = new Chain(policy.sendAgain ?? false, ports);
	}

	get isStopped(): boolean {
		return this.sender.isStopped;
	}

	finish(index: number, outcome: SendOutcome): void {
		this.outcomes.set(index, outcome);
		if ('error' in outcome && this.policy.stopOnFailure) this.sender.stop();
	}

	add(item: Job | PartedItem<Job>): void {
		const job = 'parts' in item ? item.parts[0] : item;
		const errand = new Errand(this.sender, job);
		const { channelId, recipient } = job;
		void this.turns.take(
			targetOf(job),
			async () =>
				await errand.run(async () => {
					const outcome = this.isStopped ? undefined : await this.send(errand, item);
					if (!outcome) return;
					const failed = 'error' in outcome ? { ...outcome, channelId, recipient } : outcome;
					this.finish(item.index, failed);
				}),
		);
	}

	/** Resolves when another item may be read. */
	async untilRoom(): Promise<void> {
		const { maxConcurrency } = this.policy;
		const { sender } = this;
		while (sender.ready >= 2 * maxConcurrency || sender.errands.size >= MAX_UNFINISHED)
			await this.untilChange();
	}

	/** Resolves once all has ended. */
	async untilIdle(): Promise<void> {
		while (this.sender.errands.size > 0) await this.untilChange();
		this.sender.end();
	}

	private async untilChange(): Promise<void> {
		await new Promise<void>((resolve) => (this.tellChange = resolve));
	}

	/**
	 * Sends an item: its parts in order, and none after one that failed.
	 * @returns one outcome for the item. Undefined: not all was started
	 */
	private async send(
		errand: Errand<Job>,
		item: Job | PartedItem<Job>,
	): Promise<SendOutcome | undefined> {
		if (!('parts' in item)) return await this.chain.send(errand, item);
		const { parts } = item;
		const [first, ...others] = parts;
		// An earlier try may have sent the item in one piece.
		const before = this.chain.wholeSentBefore(first);
		if (before) return before;
		const messageIds: Array<string | null> = [];
		for (const part of parts) {
			const covered = part === first ? others : [];
			const outcome = this.isStopped ? undefined : await this.chain.send(errand, part, covered);
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
