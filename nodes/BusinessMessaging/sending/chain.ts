import { asError, mayBeDone, ServiceError } from '../service/errors';
import type { OutgoingItem } from './outgoing';
import { targetOf } from './batch';
import type {
	PartedItem,
	RequestPorts,
	SendJob,
	SendOutcome,
	SentMessage,
	ShownText,
} from './batch';
import { type NodeKeys, sendOnce, unknownOutcome } from './once/sendOnce';
import type { RecordKey, SentRecord } from './sentRecord';

/** What sending calls: the service, the records, the time. */
export interface SendPorts<Job extends SendJob> extends RequestPorts<Job> {
	sentRecord: SentRecord;
	/** For jobs with a Send Once Key. */
	onceKeys: NodeKeys;
	/** The fallback of a message. It leaves if the window is closed for the message. */
	insteadOf?: (job: Job) => Job | undefined;
}

/** Where the sent record keeps a message, and the target that its entry is for. */
type RecordEntry = readonly [key: RecordKey, target: string];

/** Of a template that should have taken a message's place. Its item fails as a whole. */
class FallbackError extends ServiceError {}

/** What a message passes: the sent record, its Send Once Key, the pace, and its fallback. */
export class Chain<Job extends SendJob> {
	constructor(
		private readonly outgoing: OutgoingItem<Job>,
		private readonly ports: SendPorts<Job>,
		private readonly sendAgain = false,
	) {}

	/**
	 * Sends an item: its parts in order, and none after one that failed.
	 * @returns one outcome for the item. Undefined: not all was started
	 */
	async sendItem(item: Job | PartedItem<Job>): Promise<SendOutcome | undefined> {
		if (!('parts' in item)) return await this.send(item);
		const { parts } = item;
		const [first, ...others] = parts;
		// An earlier try may have sent the item in one piece.
		const { isStopped } = this.outgoing.batch;
		const before = isStopped ? undefined : this.sentBefore(first, entryOfItem(first));
		if (before) return before;
		const messageIds: Array<string | null> = [];
		for (const part of parts) {
			const outcome = await this.send(part, others);
			if (!outcome || 'sentAs' in outcome) return outcome;
			if ('error' in outcome)
				return { error: errorOfPart(outcome.error, messageIds.length, parts.length) };
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
	 * @returns undefined if nothing was sent, because sending stopped
	 */
	private async send(job: Job, covered: readonly Job[] = []): Promise<SendOutcome | undefined> {
		const { outgoing, sendAgain } = this;
		if (outgoing.batch.isStopped) return undefined;
		const { name, once, channelId, recipient } = job;
		const before = this.sentBefore(job, entryOf(job));
		if (before && !('error' in before)) outgoing.noteAccepted();
		if (before) return before;
		const send = async () => await this.sendOrFallback(job);
		const coveredBy = ({ sentAs }: SentMessage) =>
			sentAs ? covered.flatMap((other) => other.once ?? []) : [];
		const how = { sendAgain, waits: outgoing, coveredBy };
		try {
			const sent = await (once ? sendOnce(name, once, this.ports.onceKeys, send, how) : send());
			if (sent !== 'alreadySent') return sent;
			outgoing.noteAccepted();
			return { alreadySent: true, messageId: null, channelId, recipient };
		} catch (error) {
			return { error: asError(error) };
		} finally {
			outgoing.rest();
		}
	}

	/** @returns undefined if it certainly was not accepted, or is to be sent again */
	private sentBefore(job: Job, [key, target]: RecordEntry): SendOutcome | undefined {
		const { sentRecord, insteadOf } = this.ports;
		const messageId = sentRecord.acceptedId(key, target);
		if (messageId !== undefined)
			return sentRecord.isReplaced(key)
				? accepted(job, messageId, insteadOf?.(job) ?? {}, 'template')
				: accepted(job, messageId, job);
		if (this.sendAgain || !sentRecord.isUnknown(key, target)) return undefined;
		return { error: unknownOutcome(job.name, 'the result of an earlier try is unknown') };
	}

	/** Sends a message, or else its fallback: in place of its whole item, if it is a part. */
	private async sendOrFallback(job: Job): Promise<SentMessage | undefined> {
		try {
			return await this.attempt(job, entryOf(job));
		} catch (error) {
			const isClosed = error instanceof ServiceError && error.reason === 'window_closed';
			const fallback = isClosed ? this.ports.insteadOf?.(job) : undefined;
			if (!fallback) throw asError(error);
			try {
				return await this.attempt(fallback, entryOfItem(job), 'template');
			} catch (failed) {
				if (!(failed instanceof ServiceError)) throw asError(failed);
				throw errorOfFallback(job, fallback, failed);
			}
		}
	}

	private async attempt(
		job: Job,
		entry: RecordEntry,
		sentAs?: 'template',
	): Promise<SentMessage | undefined> {
		const { sentRecord } = this.ports;
		try {
			const messageId = await this.outgoing.send(job);
			if (messageId === undefined) return undefined;
			if (sentAs) sentRecord.recordReplaced(...entry, messageId);
			else sentRecord.recordAccepted(...entry, messageId);
			return accepted(job, messageId, job, sentAs);
		} catch (error) {
			if (!mayBeDone(error, { orUnlikely: job.once !== undefined })) throw asError(error);
			sentRecord.recordUnknown(...entry);
			throw unknownOutcome(job.name, error.failure.cause, this.sendAgain);
		}
	}
}

function entryOf(job: SendJob): RecordEntry {
	const { index, part } = job;
	return part
		? [`${index}.${part.number}`, `${targetOf(job)} ${part.whole}`]
		: [index, targetOf(job)];
}

/** The entry of a message that left in place of all parts of its item. */
const entryOfItem = (job: SendJob): RecordEntry => [job.index, targetOf(job)];

const accepted = (
	{ channelId, recipient }: SendJob,
	messageId: string,
	{ text, textReadAt }: ShownText,
	sentAs?: 'template',
): SentMessage => ({
	...{ messageId, channelId, recipient, ...(sentAs && { sentAs }) },
	...(text === undefined ? {} : { text }),
	...(textReadAt === undefined ? {} : { textReadAt }),
});

function errorOfFallback(job: SendJob, fallback: SendJob, error: ServiceError): FallbackError {
	const { action, failure } = error;
	if (mayBeDone(error)) return new FallbackError(action, failure);
	return new FallbackError(action, {
		...failure,
		cause: `the conversation window is closed for the ${job.name}, and the ${fallback.name} in its place failed: ${failure.cause}`,
	});
}

function errorOfPart(error: Error, sent: number, total: number): Error {
	if (error instanceof FallbackError) return error;
	const which = `part ${sent + 1} of ${total}`;
	if (!(error instanceof ServiceError)) return new Error(`${asError(error).message} (${which})`);
	const { action, failure } = error;
	const before = sent === 0 ? 'No other part was sent.' : 'Only the parts before it were sent.';
	const hint = `${failure.hint} ${before}`;
	return new ServiceError(`${action} (${which})`, { ...failure, hint });
}
