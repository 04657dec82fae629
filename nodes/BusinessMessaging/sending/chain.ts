import { asError, mayBeDone, ServiceError } from '../service/errors';
import type { RequestPorts, SendJob, SendOutcome, SentMessage, ShownText } from './job';
import { targetOf } from './job';
import type { NodeKeys } from './once/sendOnce';
import { sendOnce, unknownOutcome } from './once/sendOnce';
import type { Errand } from './sender';
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

/**
 * The error of a template that should have taken a message's place: refused, or in doubt. Its item
 * fails as a whole, also if the message was one part of several.
 */
export class FallbackError extends ServiceError {}

/**
 * What a message passes: the sent record, its Send Once Key, the pace, and its fallback. Record and
 * key know what became of it.
 */
export class Chain<Job extends SendJob> {
	/** @param sendAgain whether a retry sends again what may have been sent */
	constructor(
		private readonly sendAgain: boolean,
		private readonly ports: SendPorts<Job>,
	) {}

	/**
	 * @param covered messages that are not sent any more if the fallback of this one is
	 * @returns undefined if nothing was sent, because sending stopped
	 */
	async send(
		errand: Errand<Job>,
		job: Job,
		covered: readonly Job[] = [],
	): Promise<SendOutcome | undefined> {
		const { sendAgain } = this;
		const { name, once, channelId, recipient } = job;
		const entry = entryOf(job);
		const before = this.sentBefore(job, entry);
		if (before) return before;
		const send = async () => await this.sendOrFallback(errand, job, entry);
		const coveredKeys = () => covered.flatMap((other) => other.once ?? []);
		const coveredBy = ({ sentAs }: SentMessage) => (sentAs ? coveredKeys() : []);
		try {
			const sent = await (once
				? sendOnce(name, once, this.ports.onceKeys, send, { sendAgain, waits: errand, coveredBy })
				: send());
			return sent === 'alreadySent'
				? { alreadySent: true, messageId: null, channelId, recipient }
				: sent;
		} catch (error) {
			return { error: asError(error) };
		} finally {
			errand.rest();
		}
	}

	/** What an earlier try sent of an item, in one piece. */
	wholeSentBefore(job: Job): SendOutcome | undefined {
		return this.sentBefore(job, entryOfItem(job));
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
	private async sendOrFallback(
		errand: Errand<Job>,
		job: Job,
		entry: RecordEntry,
	): Promise<SentMessage | undefined> {
		const { sentRecord, insteadOf } = this.ports;
		try {
			const messageId = await this.attempt(errand, job, entry);
			if (messageId === undefined) return undefined;
			sentRecord.recordAccepted(...entry, messageId);
			return accepted(job, messageId, job);
		} catch (error) {
			const isClosed = error instanceof ServiceError && error.reason === 'window_closed';
			const fallback = isClosed ? insteadOf?.(job) : undefined;
			if (!fallback) throw asError(error);
			return await this.sendInstead(errand, job, fallback);
		}
	}

	private async sendInstead(
		errand: Errand<Job>,
		job: Job,
		fallback: Job,
	): Promise<SentMessage | undefined> {
		const entry = entryOfItem(job);
		try {
			const messageId = await this.attempt(errand, fallback, entry);
			if (messageId === undefined) return undefined;
			this.ports.sentRecord.recordReplaced(...entry, messageId);
			return accepted(job, messageId, fallback, 'template');
		} catch (error) {
			throw error instanceof ServiceError ? errorOfFallback(job, fallback, error) : asError(error);
		}
	}

	private async attempt(
		errand: Errand<Job>,
		job: Job,
		entry: RecordEntry,
	): Promise<string | undefined> {
		try {
			return await errand.send(job);
		} catch (error) {
			if (!mayBeDone(error, { orUnlikely: job.once !== undefined })) throw asError(error);
			this.ports.sentRecord.recordUnknown(...entry);
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
	...{ messageId, channelId, recipient },
	...(sentAs ? { sentAs } : {}),
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
