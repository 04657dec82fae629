import { idKey } from '../service/contract';
import { asError, mayBeDone, ServiceError } from '../service/errors';
import type { Clock } from '../shared/clock';
import { KeyedQueue } from './keyedQueue';
import type { RateLimiter } from './rateLimiter';
import type { OnceKey } from './onceKeys';
import type { BoundKeys } from './sendOnce';
import { sendOnce, unknownOutcome } from './sendOnce';
import type { PartedItem } from './sendParts';
import { sendParts } from './sendParts';
import type { Place, SentRecord } from './sentRecord';

export interface SendJob {
	/** What is sent, to follow "the ": "text". */
	name: string;
	/** Left out: sent without a key. */
	once?: OnceKey;
	/** Index of the input item. */
	index: number;
	channelId: string;
	recipient: string;
	/** One of several messages of its item. */
	part?: {
		/** From 1 on. */
		number: number;
		/** Tells all that the item sends: a part of another text is another message. */
		whole: string;
	};
}

/** Where a message was to go, as far as it could be read. */
export type FailedTarget = Partial<Pick<SendJob, 'channelId' | 'recipient'>>;

/** An input item that makes no message. */
export interface InvalidItem extends FailedTarget {
	index: number;
	error: Error;
}

export interface SendSettings<Job extends SendJob> {
	/** Resolves to the message id, or rejects with a ServiceError. */
	send(job: Job): Promise<string>;
	sentRecord: SentRecord;
	/** For jobs that are sent once, ever. */
	onceKeys: BoundKeys;
	maxConcurrency: number;
	/** 0 for no limit. */
	maxPerSecond: number;
	/** The one that all executions of the process share for the job's channel. */
	limiterFor(job: Job): RateLimiter;
	/** Told of each wait that the service asked for, in milliseconds. */
	onWait?: (milliseconds: number) => void;
	/** Starts and reads nothing more after the first failure. */
	stopOnFailure: boolean;
	signal?: AbortSignal;
	clock: Clock;
}

/** What became of an item: its message, or its error. */
export type SendOutcome =
	| { messageId: string; channelId: string; recipient: string }
	/** Several messages, in order. Null: sent before, under the item's key. */
	| { messageId: string; messageIds: Array<string | null>; channelId: string; recipient: string }
	| { messageId: null; channelId: string; recipient: string; alreadySent: true }
	| FailedSend;

export type FailedSend = FailedTarget & { error: Error };

/** Longest wait that a `Retry-After` may ask for, in milliseconds. A longer one fails the item, and all that would have to wait as long. */
const LONGEST_WAIT = 15 * 60_000;
/** Shortest, so that a service that asks to wait for 0 s is not stormed. */
const SHORTEST_WAIT = 1000;
/** Messages that were read and not yet sent, to recipients who get others first. */
const MOST_QUEUED = 1000;
/** Times that one message is offered to a service that keeps asking to wait. */
const MOST_OFFERS = 20;

/**
 * Sends messages: to one recipient of a channel in item order, to different ones side by side. What the sent record knows as accepted is not sent again,
 * and what it knows as unknown fails again without being sent.
 *
 * @param items Read while texts are under way.
 * @returns Outcomes by item index. An item that was not started has none.
 */
export async function sendAll<Job extends SendJob>(
	items: AsyncIterable<Job | PartedItem<Job> | InvalidItem>,
	settings: SendSettings<Job>,
): Promise<Map<number, SendOutcome>> {
	const { sentRecord, signal } = settings;
	const outcomes = new Map<number, SendOutcome>();
	const offers = new Offers(settings);
	let failed = false;

	const isStopped = () => (settings.stopOnFailure && failed) || signal?.aborted === true;
	const keep = (index: number, outcome: SendOutcome) => {
		outcomes.set(index, outcome);
		if ('error' in outcome) failed = true;
	};

	const knownOf = (job: Job, [place, target] = placeOf(job)): SendOutcome | undefined => {
		const { channelId, recipient, name } = job;
		const acceptedId = sentRecord.acceptedId(place, target);
		if (acceptedId !== undefined) return { messageId: acceptedId, channelId, recipient };
		if (!sentRecord.isUnknown(place, target)) return undefined;
		return { error: unknownOutcome(name, 'an earlier try had no certain answer') };
	};

	const sendOne = async (job: Job): Promise<SendOutcome | undefined> => {
		const known = knownOf(job);
		if (known) return known;
		const [place, target] = placeOf(job);
		const { channelId, recipient } = job;
		try {
			const send = async () => {
				const id = await offers.offerUntilTaken(job);
				if (id !== undefined) sentRecord.recordAccepted(place, target, id);
				return id;
			};
			const { name, once } = job;
			const messageId = await (once ? sendOnce(name, once, settings.onceKeys, send) : send());
			if (messageId === undefined) return undefined;
			return messageId === 'alreadySent'
				? { messageId: null, channelId, recipient, alreadySent: true }
				: { messageId, channelId, recipient };
		} catch (error) {
			if (!mayBeDone(error)) return { error: asError(error) };
			if (error.reason === 'unknown_outcome') return { error };
			sentRecord.recordUnknown(place, target);
			return { error: unknownOutcome(job.name, error.failure.cause) };
		}
	};

	/** What an earlier try sent in one piece is not sent again in parts. */
	const sendInParts = async (item: PartedItem<Job>) =>
		knownOf(item.parts[0], [item.index, targetOf(item.parts[0])]) ??
		(await sendParts(item, async (part) => (isStopped() ? undefined : await sendOne(part))));

	const queue = new KeyedQueue({ maxConcurrency: settings.maxConcurrency, maxQueued: MOST_QUEUED });
	for await (const item of items) {
		if ('error' in item) keep(item.index, item);
		if (isStopped()) break;
		if ('error' in item) continue;
		const isParted = 'parts' in item;
		const job = isParted ? item.parts[0] : item;
		queue.add(targetOf(job), async () => {
			if (isStopped()) return;
			const outcome = await (isParted ? sendInParts(item) : sendOne(item));
			if (!outcome) return;
			const { channelId, recipient } = job;
			keep(item.index, 'error' in outcome ? { ...outcome, channelId, recipient } : outcome);
		});
		await queue.untilRoom();
		if (isStopped()) break;
	}
	await queue.untilIdle();
	offers.end();
	return outcomes;
}

/** Messages to one target keep their order. How an id is written does not make another channel. */
function targetOf({ channelId, recipient }: SendJob): string {
	return `${idKey(channelId)} ${recipient}`;
}

/** Where the sent record keeps a job, and by what it knows it. */
function placeOf(job: SendJob): [Place, target: string] {
	const { index, part } = job;
	return part
		? [`${index}.${part.number}`, `${targetOf(job)} ${part.whole}`]
		: [index, targetOf(job)];
}

/** The way out of all jobs of an execution: each when the limiter of its channel lets it, and again after a wait that the service asks for. */
class Offers<Job extends SendJob> {
	private readonly used = new Set<RateLimiter>();
	/** Channels of which the service asked to wait too long. */
	private readonly closed = new Map<RateLimiter, { until: number; reason: unknown }>();
	/** Done when the next message may leave. */
	private way: Promise<void> = Promise.resolve();
	private readonly withdraw = () => this.used.forEach((limiter) => limiter.withdraw(this));

	constructor(private readonly settings: SendSettings<Job>) {
		settings.signal?.addEventListener('abort', this.withdraw);
	}

	end(): void {
		this.settings.signal?.removeEventListener('abort', this.withdraw);
	}

	/** Undefined when cancelled before it was sent. */
	async offerUntilTaken(job: Job): Promise<string | undefined> {
		const { clock, maxPerSecond, signal } = this.settings;
		const limiter = this.settings.limiterFor(job);
		this.used.add(limiter);
		for (let offer = 1; ; offer++) {
			await this.untilOthersLeft();
			this.requireOpen(limiter);
			const place = signal?.aborted ? undefined : await limiter.enter(maxPerSecond, this);
			if (!place) return undefined;
			try {
				this.requireOpen(limiter);
				return await this.settings.send(job);
			} catch (error) {
				const wait = waitAskedFor(error);
				if (wait === undefined) throw asError(error);
				const pause = Math.min(Math.max(wait, SHORTEST_WAIT), LONGEST_WAIT);
				limiter.pause(pause);
				this.settings.onWait?.(pause);
				if (wait > LONGEST_WAIT)
					this.closed.set(limiter, { until: clock.now() + wait, reason: error });
				if (wait > LONGEST_WAIT || offer === MOST_OFFERS) throw asError(error);
			} finally {
				place.leave();
			}
		}
	}

	/**
	 * Lets one message leave in a turn of Node.js. Those that leave together are answered together: then each waits until the responses of all are dealt
	 * with and all have connected anew, so that they leave together again. One by one, they stay apart.
	 */
	private async untilOthersLeft(): Promise<void> {
		const isFree = this.way;
		this.way = isFree.then(async () => await this.settings.clock.sleep(0));
		await isFree;
	}

	private requireOpen(limiter: RateLimiter): void {
		const closed = this.closed.get(limiter);
		if (closed && closed.until > this.settings.clock.now()) throw asError(closed.reason);
	}
}

/** Milliseconds that a 429 or 503 asks to wait. */
function waitAskedFor(error: unknown): number | undefined {
	if (!(error instanceof ServiceError)) return undefined;
	return error.reason === 'rate_limited' || error.reason === 'service_unavailable'
		? error.failure.retryAfter
		: undefined;
}
