/** Texts to send, and a service to send them to, on a clock that jumps. */
import { RateLimiter } from '../../../nodes/BusinessMessaging/sending/rateLimiter.ts';
import { SentRecord } from '../../../nodes/BusinessMessaging/sending/sentRecord.ts';
import type {
	InvalidItem,
	PartedItem,
	SendJob,
} from '../../../nodes/BusinessMessaging/sending/job.ts';
import type { SendPolicy, SendPorts } from '../../../nodes/BusinessMessaging/sending/sendAll.ts';
import { sendAll as sendAllItems } from '../../../nodes/BusinessMessaging/sending/sendAll.ts';
import {
	type Effect,
	ServiceError,
} from '../../../nodes/BusinessMessaging/service/errors/index.ts';
import type { VirtualClock } from './virtualClock.mts';

/** A job with its text. */
export interface TextMessage extends SendJob {
	text: string;
}
/** Policy and ports together, because most tests change one of them. */
export type SendSettings = SendPolicy & SendPorts<TextMessage>;

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';

/** Yields jobs one by one, as a node does that reads its items while it sends. */
async function* oneByOne(jobs: TextMessage[]) {
	for (const job of jobs) yield await Promise.resolve(job);
}

export const sendItems = async (
	items: AsyncIterable<TextMessage | PartedItem<TextMessage> | InvalidItem>,
	settings: SendSettings,
) => await sendAllItems(items, settings, settings);

export const sendAll = async (jobs: TextMessage[], settings: SendSettings) =>
	await sendItems(oneByOne(jobs), settings);

export const jobsTo = (recipients: string[]): TextMessage[] =>
	recipients.map((recipient, index) => ({
		index,
		name: 'text',
		channelId: CHANNEL,
		recipient,
		text: `text ${index}`,
	}));

export const failure = (reason: ServiceError['reason'], effect: Effect, retryAfter?: number) =>
	new ServiceError('send the text', {
		reason,
		effect,
		cause: reason,
		hint: '',
		...(retryAfter === undefined ? {} : { retryAfter }),
	});

/** A service that records arrivals and follows a plan of a latency and first failures. */
export class FakeService {
	readonly arrivals: Array<{ text: string; recipient: string; at: number }> = [];
	readonly accepted: string[] = [];
	inFlight = 0;
	mostInFlight = 0;

	constructor(
		private readonly clock: VirtualClock,
		private readonly latency: (message: TextMessage) => number = () => 0,
		private readonly failures: Map<string, ServiceError[]> = new Map(),
		private readonly signal?: AbortSignal,
	) {}

	readonly send = async (message: TextMessage): Promise<string> => {
		this.arrivals.push({ text: message.text, recipient: message.recipient, at: this.clock.now() });
		this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
		const error = this.failures.get(message.text)?.shift();
		// A lost response is lost after the message was accepted.
		if (!error || error.failure.effect === 'unknown') this.accepted.push(message.text);
		await this.clock.sleep(this.latency(message));
		this.inFlight--;
		if (this.signal?.aborted) throw failure('cancelled', 'unknown');
		if (error) throw error;
		return `id of ${message.text}`;
	};
}

/** A template in the place of a text. */
export const templateInstead = (job: TextMessage): TextMessage => ({
	...job,
	name: 'template',
	text: job.text.replace('text', 'template'),
});

/** The index of its item. */
export const numberOf = (text: string): number => Number(text.split(' ')[1]);

/** A limiter and keys of this execution alone. */
export const sharedWith = (clock: VirtualClock) => {
	const limiter = new RateLimiter(clock);
	return { limiter, limiterFor: () => limiter, onceKeys: NO_KEYS };
};

const NO_KEYS: SendSettings['onceKeys'] = {
	claim: () => Promise.reject(new Error('nothing has a key')),
	confirm: () => Promise.reject(new Error('nothing has a key')),
	free: () => Promise.reject(new Error('nothing has a key')),
	leaveInDoubt: () => {},
};

export function settingsFor(
	service: FakeService,
	clock: VirtualClock,
	changes: Partial<SendSettings> = {},
): SendSettings {
	return {
		request: service.send,
		sentRecord: SentRecord.open({}, 0),
		maxConcurrency: 10,
		maxPerSecond: 0,
		...sharedWith(clock),
		stopOnFailure: false,
		clock,
		...changes,
	};
}

/** Arrivals in the fullest half-open window of one second. */
export function mostInOneSecond(times: number[]): number {
	const sorted = [...times].sort((left, right) => left - right);
	let most = 0;
	let from = 0;
	sorted.forEach((time, to) => {
		while (time - sorted[from]! >= 1000) from++;
		most = Math.max(most, to - from + 1);
	});
	return most;
}
