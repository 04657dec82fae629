import { asError, mayBeDone, ServiceError } from '../service/errors';
import type { SendJob, SentMessage, ShownText } from './job';
import { targetOf } from './job';
import type { LendPlace, RequestPorts } from './retryingSender';
import { RetryingSender } from './retryingSender';
import { unknownOutcome } from './once/sendOnce';
import type { RecordKey, SentRecord } from './sentRecord';

/** What sending calls for every message. What keys need comes on top. */
export interface RecordedPorts<Job extends SendJob> extends RequestPorts<Job> {
	sentRecord: SentRecord;
	/** The fallback of a message. It leaves if the window is closed for the message. */
	insteadOf?: (job: Job) => Job | undefined;
}

/** Where the sent record keeps a message, and the target that its entry is for. */
export type RecordEntry = readonly [key: RecordKey, target: string];

/**
 * The error of a template that should have taken a message's place: refused, or in doubt. Its item
 * fails as a whole, also if the message was one part of several.
 */
export class FallbackError extends ServiceError {}

/** Sends messages and their fallbacks, and records what became of them. */
export class RecordedSender<Job extends SendJob> {
	private readonly sender: RetryingSender<Job>;

	private readonly sendAgain: boolean;

	/** @param isStopped whether nothing more may start */
	constructor(
		{ maxPerSecond, sendAgain = false }: { maxPerSecond: number; sendAgain?: boolean },
		private readonly ports: RecordedPorts<Job>,
		private readonly isStopped: () => boolean,
		lendPlace: LendPlace,
	) {
		this.sendAgain = sendAgain;
		this.sender = new RetryingSender(maxPerSecond, ports, lendPlace);
	}

	end(): void {
		this.sender.end();
	}

	/**
	 * Finds what an earlier try sent.
	 * @returns undefined if it certainly was not accepted, or is to be sent again
	 * @throws ServiceError with the reason `unknown_outcome` if it may have been accepted
	 */
	sentBefore(job: Job, [key, target]: RecordEntry): SentMessage | undefined {
		const { sentRecord, insteadOf } = this.ports;
		const messageId = sentRecord.acceptedId(key, target);
		if (messageId !== undefined)
			return sentRecord.isReplaced(key)
				? replaced(job, insteadOf?.(job), messageId)
				: accepted(job, messageId);
		if (this.sendAgain || !sentRecord.isUnknown(key, target)) return undefined;
		throw unknownOutcome(job.name, 'the result of an earlier try is unknown');
	}

	/**
	 * Sends a message, or else its fallback: in place of its whole item, if the message is a part.
	 * @returns undefined if nothing was sent, because sending stopped
	 * @throws ServiceError with the reason `unknown_outcome` if one of them may have been accepted
	 */
	async sendOrFallback(job: Job, entry: RecordEntry): Promise<SentMessage | undefined> {
		const { sentRecord, insteadOf } = this.ports;
		try {
			const messageId = await this.attempt(job, entry);
			if (messageId === undefined) return undefined;
			sentRecord.recordAccepted(...entry, messageId);
			return accepted(job, messageId);
		} catch (error) {
			const fallback = isWindowClosed(error) ? insteadOf?.(job) : undefined;
			if (!fallback) throw asError(error);
			return this.isStopped() ? undefined : await this.sendInstead(job, fallback);
		}
	}

	private async sendInstead(job: Job, fallback: Job): Promise<SentMessage | undefined> {
		const entry = entryOfItem(job);
		try {
			const messageId = await this.attempt(fallback, entry);
			if (messageId === undefined) return undefined;
			this.ports.sentRecord.recordReplaced(...entry, messageId);
			return replaced(job, fallback, messageId);
		} catch (error) {
			throw error instanceof ServiceError ? errorOfFallback(job, fallback, error) : asError(error);
		}
	}

	private async attempt(job: Job, entry: RecordEntry): Promise<string | undefined> {
		try {
			return await this.sender.sendUntilAccepted(job);
		} catch (error) {
			if (!mayBeDone(error, { orUnlikely: job.once !== undefined })) throw asError(error);
			this.ports.sentRecord.recordUnknown(...entry);
			throw unknownOutcome(job.name, error.failure.cause, this.sendAgain);
		}
	}
}

export function entryOf(job: SendJob): RecordEntry {
	const { index, part } = job;
	return part
		? [`${index}.${part.number}`, `${targetOf(job)} ${part.whole}`]
		: [index, targetOf(job)];
}

/** The entry of a message that left in place of all parts of its item. */
export const entryOfItem = (job: SendJob): RecordEntry => [job.index, targetOf(job)];

const shownOf = ({ text, textReadAt }: ShownText = {}): ShownText => ({
	...(text === undefined ? {} : { text }),
	...(textReadAt === undefined ? {} : { textReadAt }),
});

const accepted = ({ channelId, recipient, ...job }: SendJob, messageId: string): SentMessage => ({
	messageId,
	channelId,
	recipient,
	...shownOf(job),
});

/** @param fallback undefined if a retry has none any more */
const replaced = (
	{ channelId, recipient }: SendJob,
	fallback: SendJob | undefined,
	messageId: string,
): SentMessage => ({
	messageId,
	channelId,
	recipient,
	sentAs: 'template',
	...shownOf(fallback),
});

const isWindowClosed = (error: unknown): boolean =>
	error instanceof ServiceError && error.reason === 'window_closed';

function errorOfFallback(job: SendJob, fallback: SendJob, error: ServiceError): FallbackError {
	const { action, failure } = error;
	if (mayBeDone(error)) return new FallbackError(action, failure);
	return new FallbackError(action, {
		...failure,
		cause: `the conversation window is closed for the ${job.name}, and the ${fallback.name} in its place failed: ${failure.cause}`,
	});
}
