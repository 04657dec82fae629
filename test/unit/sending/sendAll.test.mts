import fc from 'fast-check';

import { Ledger } from '../../../nodes/BusinessMessaging/sending/ledger.ts';
import type { SendJob, SendSettings } from '../../../nodes/BusinessMessaging/sending/sendAll.ts';
import { sendAll as sendItems } from '../../../nodes/BusinessMessaging/sending/sendAll.ts';
import { ServiceError } from '../../../nodes/BusinessMessaging/service/errors.ts';
import type { TextMessage } from '../../../nodes/BusinessMessaging/service/messages.ts';
import { VirtualClock } from './virtualClock.mts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';

/** Jobs come one by one, as from a node that reads its items while it sends. */
async function* oneByOne(jobs: SendJob[]) {
	for (const job of jobs) yield await Promise.resolve(job);
}

const sendAll = async (jobs: SendJob[], settings: SendSettings) => await sendItems(oneByOne(jobs), settings);

const jobsTo = (recipients: string[]): SendJob[] => recipients.map((recipient, index) => ({ index, channelId: CHANNEL, recipient, text: `text ${index}` }));

const failure = (reason: ServiceError['reason'], effect: 'none' | 'unknown', retryAfter?: number) =>
	new ServiceError('send the text', { reason, effect, cause: reason, hint: '', ...(retryAfter === undefined ? {} : { retryAfter }) });

/** Requests that are long on their way out, and answers that are quick: the case in which counting departures would break the limit. */
test('items are read no sooner than they are needed, and no more after the first failure', async () => {
	const clock = new VirtualClock();
	let read = 0;
	const service = new FakeService(clock, () => 10, new Map([['text 30', [failure('rejected', 'none')]]]));
	async function* items() {
		for (const job of jobsTo(Array.from({ length: 1000 }, (_, index) => `recipient ${index}`))) {
			read++;
			yield await Promise.resolve(job);
		}
	}
	await sendItems(items(), settingsFor(service, clock, { maxConcurrency: 4, stopOnFailure: true }));
	expect(service.arrivals.length).toBeLessThanOrEqual(36);
	expect(read).toBeLessThanOrEqual(service.arrivals.length + 2 * 4 + 1);
});

test('the limit holds where requests arrive, however long each was on its way', async () => {
	const clock = new VirtualClock();
	const arrivals: number[] = [];
	const send = async ({ text }: TextMessage) => {
		await clock.sleep((Number(text.slice(5)) * 7919) % 300);
		arrivals.push(clock.now());
		return 'id';
	};
	const settings = { send, ledger: Ledger.open({}, 0), maxConcurrency: 100, maxPerSecond: 20, stopOnFailure: false, clock };
	await sendAll(jobsTo(Array.from({ length: 300 }, (_, index) => `recipient ${index}`)), settings);
	expect(mostInOneSecond(arrivals)).toBeLessThanOrEqual(20);
});

/** A service that notes what arrives and answers by a plan: a latency, and failures to give first. */
class FakeService {
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
		// An answer that is lost is lost after the message was taken.
		if (!error || error.failure.effect === 'unknown') this.accepted.push(message.text);
		await this.clock.sleep(this.latency(message));
		this.inFlight--;
		if (this.signal?.aborted) throw failure('cancelled', 'unknown');
		if (error) throw error;
		return `id of ${message.text}`;
	};
}

function settingsFor(service: FakeService, clock: VirtualClock, changes: Partial<SendSettings> = {}): SendSettings {
	return { send: service.send, ledger: Ledger.open({}, 0), maxConcurrency: 10, maxPerSecond: 0, stopOnFailure: false, clock, ...changes };
}

test('texts to one recipient go one after the other in item order, different recipients side by side', async () => {
	const clock = new VirtualClock();
	const service = new FakeService(clock, () => 100);
	await sendAll(jobsTo(['a', 'b', 'a', 'a', 'b']), settingsFor(service, clock));
	expect(service.arrivals).toEqual([
		{ text: 'text 0', recipient: 'a', at: 0 },
		{ text: 'text 1', recipient: 'b', at: 0 },
		{ text: 'text 2', recipient: 'a', at: 100 },
		{ text: 'text 4', recipient: 'b', at: 100 },
		{ text: 'text 3', recipient: 'a', at: 200 },
	]);
});

test('one lane never holds up the others, and never more than maxConcurrency are under way', async () => {
	const clock = new VirtualClock();
	const service = new FakeService(clock, ({ recipient }) => (recipient === 'slow' ? 5000 : 10));
	await sendAll(jobsTo(['slow', 'slow', ...Array.from({ length: 40 }, (_, index) => `quick ${index}`)]), settingsFor(service, clock, { maxConcurrency: 5 }));
	expect(service.mostInFlight).toBe(5);
	expect(clock.now()).toBe(10_000);
});

test('what was accepted before is not sent again, and keeps its id', async () => {
	const clock = new VirtualClock();
	const store = {};
	const failures = new Map([['text 1', [failure('service_error', 'none')]]]);
	const service = new FakeService(clock, () => 10, failures);
	const first = await sendAll(jobsTo(['a', 'a', 'b']), settingsFor(service, clock, { ledger: Ledger.open(store, 0) }));
	expect(first.get(1)).toMatchObject({ error: { reason: 'service_error' } });
	// The host stores the ledger as JSON with the execution.
	const second = await sendAll(jobsTo(['a', 'a', 'b']), settingsFor(service, clock, { ledger: Ledger.open(JSON.parse(JSON.stringify(store)) as Record<string, unknown>, 0) }));
	expect([...second.entries()].sort(([left], [right]) => left - right)).toEqual([0, 1, 2].map((index) => [index, expect.objectContaining({ messageId: `id of text ${index}` }) as unknown]));
	expect(service.arrivals.map(({ text }) => text)).toEqual(['text 0', 'text 2', 'text 1', 'text 1']);
});

test('a text with an unknown outcome is reported, kept as such and never sent again', async () => {
	const clock = new VirtualClock();
	const store = {};
	const service = new FakeService(clock, () => 10, new Map([['text 0', [failure('timeout', 'unknown')]]]));
	for (let round = 0; round < 3; round++) {
		const outcomes = await sendAll(jobsTo(['a']), settingsFor(service, clock, { ledger: Ledger.open(store, 0) }));
		expect(outcomes.get(0)).toMatchObject({ error: { reason: 'unknown_outcome', hint: expect.stringContaining('It may have been sent') } });
	}
	expect(service.arrivals).toHaveLength(1);
});

test('the ledger of one run says nothing about another run, nor about another recipient at the same place', async () => {
	const clock = new VirtualClock();
	const store = {};
	const service = new FakeService(clock);
	await sendAll(jobsTo(['a', 'b']), settingsFor(service, clock, { ledger: Ledger.open(store, 0) }));
	await sendAll(jobsTo(['a', 'other']), settingsFor(service, clock, { ledger: Ledger.open(store, 0) }));
	expect(service.arrivals.map(({ recipient }) => recipient)).toEqual(['a', 'b', 'other']);
	await sendAll(jobsTo(['a', 'other']), settingsFor(service, clock, { ledger: Ledger.open(store, 1) }));
	expect(service.arrivals).toHaveLength(5);
});

test('a Retry-After pauses everything and then the same text goes first in its lane', async () => {
	const clock = new VirtualClock();
	const service = new FakeService(clock, () => 10, new Map([['text 0', [failure('rate_limited', 'none', 3000)]]]));
	const outcomes = await sendAll(jobsTo(['a', 'a', 'b', 'c']), settingsFor(service, clock, { maxConcurrency: 1 }));
	expect([...outcomes.values()].every((outcome) => outcome && 'messageId' in outcome)).toBe(true);
	expect(service.arrivals.map(({ text, at }) => [text, at])).toEqual([
		['text 0', 0],
		['text 0', 3010],
		['text 2', 3020],
		['text 3', 3030],
		['text 1', 3040],
	]);
});

test('a service that keeps asking to wait fails the item in the end, and even a wait of nothing is a second', async () => {
	const clock = new VirtualClock();
	const service = new FakeService(clock, () => 1, new Map([['text 0', Array.from({ length: 100 }, () => failure('rate_limited', 'none', 0))]]));
	const outcomes = await sendAll(jobsTo(['a', 'b']), settingsFor(service, clock));
	expect(outcomes.get(0)).toMatchObject({ error: { reason: 'rate_limited' } });
	expect(outcomes.get(1)).toMatchObject({ messageId: 'id of text 1' });
	expect(service.arrivals.filter(({ text }) => text === 'text 0')).toHaveLength(20);
	expect(clock.now()).toBeGreaterThanOrEqual(19_000);
});

test('a wait too long fails what would have to wait, unsent', async () => {
	const clock = new VirtualClock();
	const service = new FakeService(clock, () => 1, new Map([['text 1', [failure('service_unavailable', 'none', 3_600_000)]]]));
	const outcomes = await sendAll(jobsTo(['a', 'b', 'c', 'd']), settingsFor(service, clock, { maxConcurrency: 1 }));
	expect(outcomes.get(0)).toMatchObject({ messageId: 'id of text 0' });
	for (const index of [1, 2, 3]) expect(outcomes.get(index)).toMatchObject({ error: { reason: 'service_unavailable' } });
	expect(service.arrivals).toHaveLength(2);
	expect(clock.now()).toBeLessThan(60_000);
});

test('500 texts at 50 per second: no second holds more than 50 where they arrive, and it takes nine seconds and as many answers', async () => {
	for (const latency of [0, 5, 100, 400]) {
		const clock = new VirtualClock();
		const service = new FakeService(clock, () => latency);
		await sendAll(jobsTo(Array.from({ length: 500 }, (_, index) => `recipient ${index}`)), settingsFor(service, clock, { maxPerSecond: 50, maxConcurrency: 100 }));
		expect(mostInOneSecond(service.arrivals.map(({ at }) => at))).toBeLessThanOrEqual(50);
		expect(clock.now()).toBeLessThanOrEqual(9 * (1001 + latency) + latency);
	}
});

test('property: whatever happens, each item is accepted at most once, in order per recipient, within bounds, and accounted for', async () => {
	const plan = fc.record({
		recipients: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1, maxLength: 25 }),
		latencies: fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 10 }),
		failures: fc.array(
			fc.record({ item: fc.nat({ max: 24 }), kind: fc.constantFrom('refused', 'lost', 'slow down', 'unavailable'), wait: fc.nat({ max: 3000 }) }),
			{ maxLength: 12 },
		),
		maxConcurrency: fc.integer({ min: 1, max: 6 }),
		maxPerSecond: fc.constantFrom(0, 1, 3, 10),
		cancelAt: fc.option(fc.nat({ max: 3000 }), { nil: undefined, freq: 3 }),
		stopOnFailure: fc.boolean(),
		tries: fc.integer({ min: 1, max: 4 }),
	});
	await fc.assert(
		fc.asyncProperty(plan, async ({ recipients, latencies, failures, maxConcurrency, maxPerSecond, cancelAt, stopOnFailure, tries }) => {
			const jobs = jobsTo(recipients);
			const plans = new Map<string, ServiceError[]>();
			for (const { item, kind, wait } of failures) {
				const error = {
					refused: failure('rejected', 'none'),
					lost: failure('connection_lost', 'unknown'),
					'slow down': failure('rate_limited', 'none', wait),
					unavailable: failure('service_unavailable', 'none'),
				}[kind];
				plans.set(`text ${item}`, [...(plans.get(`text ${item}`) ?? []), error]);
			}
			const store = {};
			const acceptedOverall: string[] = [];
			for (let round = 0; round < tries; round++) {
				const cancel = new AbortController();
				const clock = new VirtualClock(cancel.signal);
				const cancelled = round === 0 && cancelAt !== undefined;
				if (cancelled) void clock.sleep(cancelAt).then(() => cancel.abort());
				const service = new FakeService(clock, ({ text }) => latencies[Number(text.slice(5)) % latencies.length]!, plans, cancel.signal);
				const outcomes = await sendAll(jobs, settingsFor(service, clock, { ledger: Ledger.open(store, 0), maxConcurrency, maxPerSecond, stopOnFailure, signal: cancel.signal }));

				expect(service.inFlight).toBe(0);
				expect(service.mostInFlight).toBeLessThanOrEqual(maxConcurrency);
				if (maxPerSecond > 0) expect(mostInOneSecond(service.arrivals.map(({ at }) => at))).toBeLessThanOrEqual(maxPerSecond);
				for (const recipient of new Set(recipients)) {
					const order = service.accepted.filter((text) => recipients[Number(text.slice(5))] === recipient).map((text) => Number(text.slice(5)));
					expect(order).toEqual([...order].sort((left, right) => left - right));
				}
				acceptedOverall.push(...service.accepted);
				const hasFailed = [...outcomes.values()].some((outcome) => outcome && 'error' in outcome);
				for (const { index } of jobs) {
					const outcome = outcomes.get(index);
					if (outcome && 'messageId' in outcome) expect(acceptedOverall).toContain(`text ${index}`);
					if (!outcome) expect(cancelled || (stopOnFailure && hasFailed)).toBe(true);
				}
			}
			expect(new Set(acceptedOverall).size).toBe(acceptedOverall.length);
		}),
		{ numRuns: 2000 },
	);
}, 120_000);

/** How many arrivals the fullest half-open window of one second holds. */
function mostInOneSecond(times: number[]): number {
	const sorted = [...times].sort((left, right) => left - right);
	let most = 0;
	let from = 0;
	sorted.forEach((time, to) => {
		while (time - sorted[from]! >= 1000) from++;
		most = Math.max(most, to - from + 1);
	});
	return most;
}
