/** Texts to send, and a service to send them to, on a clock that jumps. */
import type { SendPorts } from '#nodes/sending/chain.ts';
import { Pace } from '#nodes/sending/pace.ts';
import { SentRecord } from '#nodes/sending/sentRecord.ts';
import type { InvalidItem, PartedItem, SendJob } from '#nodes/sending/batch.ts';
import type { SendPolicy } from '#nodes/sending/sendAll.ts';
import { sendAll as sendAllItems } from '#nodes/sending/sendAll.ts';
import { type Effect, ServiceError } from '#nodes/service/errors/index.ts';
import { CHANNEL } from '../../support/constants.mts';
import { VirtualClock } from '../../support/clocks.mts';

/** A job with its text. */
export interface TextMessage extends SendJob {
	text: string;
}
/** Policy and ports together, because most tests change one of them. */
export type SendSettings = SendPolicy & SendPorts<TextMessage>;

export type Item = TextMessage | PartedItem<TextMessage> | InvalidItem;

/** Yields items one by one, as a node does that reads its items while it sends. */
async function* oneByOne(items: Iterable<Item> | AsyncIterable<Item>) {
	for await (const item of items) yield await Promise.resolve(item);
}

export const sendAll = async (
	items: Iterable<Item> | AsyncIterable<Item>,
	settings: SendSettings,
) => await sendAllItems(oneByOne(items), settings, settings);

/** How a test sends: what fails, by text, and how long each text is under way. */
export interface Sending extends Partial<SendSettings> {
	failures?: Record<string, ServiceError[]>;
	latency?: number | ((message: TextMessage) => number);
	/** Keeps what was sent for a retry. */
	store?: Record<string, unknown>;
	clock?: VirtualClock;
}

/** Sends items to a service of their own, or those to each of these recipients. */
export async function send(
	given: string[] | Iterable<Item> | AsyncIterable<Item>,
	{ failures = {}, latency = 5, store = {}, clock, ...changes }: Sending = {},
) {
	const time = clock ?? new VirtualClock(changes.signal);
	const takes = typeof latency === 'number' ? () => latency : latency;
	const service = new FakeService(time, takes, new Map(Object.entries(failures)));
	const items = isRecipients(given) ? jobsTo(given) : given;
	const sentRecord = SentRecord.open(store, 0);
	const outcomes = await sendAll(items, settingsFor(service, time, { sentRecord, ...changes }));
	const { arrivals, accepted, mostInFlight } = service;
	const arrived = arrivals.map(({ text }) => text);
	return { outcomes, arrivals, arrived, accepted, mostInFlight, took: time.now() };
}
const isRecipients = (given: object): given is string[] =>
	Array.isArray(given) && typeof given[0] === 'string';

export const jobsTo = (recipients: string[]): TextMessage[] =>
	recipients.map((recipient, index) => ({
		...{ index, name: 'text', channelId: CHANNEL },
		...{ recipient, text: `text ${index}` },
	}));
export const recipients = (count: number) =>
	Array.from({ length: count }, (_, index) => `recipient ${index}`);

export const failure = (reason: ServiceError['reason'], effect: Effect, retryAfter?: number) =>
	new ServiceError('send the text', {
		...{ reason, effect, cause: reason, hint: '' },
		...(retryAfter === undefined ? {} : { retryAfter }),
	});
export const closed = () => failure('window_closed', 'none');
export const refused = () => failure('rejected', 'none');
export const lost = () => failure('timeout', 'unknown');

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

/** A pace and keys of this execution alone. */
export const sharedWith = (clock: VirtualClock) => {
	const pace = new Pace(clock);
	return { paceFor: () => pace, onceKeys: NO_KEYS };
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
