import { getEventListeners } from 'node:events';

import fc from 'fast-check';

import { SentRecord } from '../../../nodes/BusinessMessaging/sending/sentRecord.ts';
import {
	failure,
	FakeService,
	jobsTo,
	mostInOneSecond,
	sendAll,
	sendItems,
	settingsFor,
	sharedWith,
	type TextMessage,
} from './fakeService.mts';
import { checkSendingPlan, sendingPlan } from './sendingPlan.mts';
import { VirtualClock } from './virtualClock.mts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 2000);

test('items are read only when needed, and not after the first failure', async () => {
	const clock = new VirtualClock();
	let read = 0;
	const service = new FakeService(
		clock,
		() => 10,
		new Map([['text 30', [failure('rejected', 'none')]]]),
	);
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

/** Slow requests and quick responses. Counting departures would break the limit here. */
test('the limit holds where requests arrive, however long each is on its way', async () => {
	const clock = new VirtualClock();
	const arrivals: number[] = [];
	const send = async ({ text }: TextMessage) => {
		await clock.sleep((Number(text.slice(5)) * 7919) % 300);
		arrivals.push(clock.now());
		return 'id';
	};
	const settings = {
		request: send,
		sentRecord: SentRecord.open({}, 0),
		...sharedWith(clock),
		maxConcurrency: 100,
		maxPerSecond: 20,
		stopOnFailure: false,
		clock,
	};
	await sendAll(jobsTo(Array.from({ length: 300 }, (_, index) => `recipient ${index}`)), settings);
	expect(mostInOneSecond(arrivals)).toBeLessThanOrEqual(20);
});

test('one message leaves in each round of the event loop, even if all earlier responses came at once', async () => {
	const clock = new VirtualClock();
	let turn = 0;
	const leftIn: number[] = [];
	const waiting: Array<() => void> = [];
	const send = async () => {
		leftIn.push(turn);
		await new Promise<void>((answer) => waiting.push(answer));
		return 'id';
	};
	let isDone = false;
	const done = sendAll(jobsTo(Array.from({ length: 40 }, (_, index) => `recipient ${index}`)), {
		request: send,
		sentRecord: SentRecord.open({}, 0),
		...sharedWith(clock),
		maxConcurrency: 10,
		maxPerSecond: 0,
		stopOnFailure: false,
		clock,
	}).finally(() => (isDone = true));
	while (!isDone) {
		turn++;
		if (waiting.length === 10) waiting.splice(0).forEach((answer) => answer());
		await new Promise((next) => setImmediate(next));
	}
	await done;
	expect(leftIn).toHaveLength(40);
	expect(new Set(leftIn).size).toBe(40);
});

test('texts to one recipient leave in item order, to different recipients side by side', async () => {
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

test('one recipient never delays the others, and at most maxConcurrency are under way', async () => {
	const clock = new VirtualClock();
	const service = new FakeService(clock, ({ recipient }) => (recipient === 'slow' ? 5000 : 10));
	await sendAll(
		jobsTo(['slow', 'slow', ...Array.from({ length: 40 }, (_, index) => `quick ${index}`)]),
		settingsFor(service, clock, { maxConcurrency: 5 }),
	);
	expect(service.mostInFlight).toBe(5);
	expect(clock.now()).toBe(10_000);
});

test('a text that was accepted before keeps its ID and is not sent again', async () => {
	const clock = new VirtualClock();
	const store = {};
	const failures = new Map([['text 1', [failure('service_error', 'none')]]]);
	const service = new FakeService(clock, () => 10, failures);
	const first = await sendAll(
		jobsTo(['a', 'a', 'b']),
		settingsFor(service, clock, { sentRecord: SentRecord.open(store, 0) }),
	);
	expect(first.get(1)).toMatchObject({ error: { reason: 'service_error' } });
	// n8n stores the record as JSON with the execution.
	const second = await sendAll(
		jobsTo(['a', 'a', 'b']),
		settingsFor(service, clock, {
			sentRecord: SentRecord.open(JSON.parse(JSON.stringify(store)) as Record<string, unknown>, 0),
		}),
	);
	expect([...second.entries()].sort(([left], [right]) => left - right)).toEqual(
		[0, 1, 2].map((index) => [
			index,
			expect.objectContaining({ messageId: `id of text ${index}` }) as unknown,
		]),
	);
	expect(service.arrivals.map(({ text }) => text)).toEqual([
		'text 0',
		'text 2',
		'text 1',
		'text 1',
	]);
});

test('a text with an unknown outcome is sent again by a retry where that was chosen', async () => {
	const clock = new VirtualClock();
	const store = {};
	const failures = new Map([['text 0', [failure('timeout', 'unknown')]]]);
	const service = new FakeService(clock, () => 1, failures);
	const attempt = async (sendAgain: boolean) =>
		await sendAll(
			jobsTo(['a', 'b']),
			settingsFor(service, clock, { sentRecord: SentRecord.open(store, 0), sendAgain }),
		);
	expect((await attempt(true)).get(0)).toMatchObject({
		error: { reason: 'unknown_outcome', hint: expect.stringContaining('sends it again') },
	});
	expect((await attempt(true)).get(0)).toMatchObject({ messageId: 'id of text 0' });
	expect(service.arrivals.map(({ text }) => text)).toEqual(['text 0', 'text 1', 'text 0']);
});

test('a text with an unknown outcome is reported, recorded and never sent again', async () => {
	const clock = new VirtualClock();
	const store = {};
	const service = new FakeService(
		clock,
		() => 10,
		new Map([['text 0', [failure('timeout', 'unknown')]]]),
	);
	for (let round = 0; round < 3; round++) {
		const outcomes = await sendAll(
			jobsTo(['a']),
			settingsFor(service, clock, { sentRecord: SentRecord.open(store, 0) }),
		);
		expect(outcomes.get(0)).toMatchObject({
			error: { reason: 'unknown_outcome', hint: expect.stringContaining('It may have been sent') },
		});
	}
	expect(service.arrivals).toHaveLength(1);
});

test('the record holds for one run, and for one recipient at each index', async () => {
	const clock = new VirtualClock();
	const store = {};
	const service = new FakeService(clock);
	await sendAll(
		jobsTo(['a', 'b']),
		settingsFor(service, clock, { sentRecord: SentRecord.open(store, 0) }),
	);
	await sendAll(
		jobsTo(['a', 'other']),
		settingsFor(service, clock, { sentRecord: SentRecord.open(store, 0) }),
	);
	expect(service.arrivals.map(({ recipient }) => recipient)).toEqual(['a', 'b', 'other']);
	await sendAll(
		jobsTo(['a', 'other']),
		settingsFor(service, clock, { sentRecord: SentRecord.open(store, 1) }),
	);
	expect(service.arrivals).toHaveLength(5);
});

test('the record of an execution that version 0.1.0 began still prevents sending twice', async () => {
	const clock = new VirtualClock();
	const service = new FakeService(clock);
	// Copied from such a record. It depends only on channel and recipient.
	const store = {
		sentMessages: { run: 0, accepted: { 0: '6PoPnf-Jid-of-a' }, unknown: { 1: '8r6eWgXD' } },
	};
	const outcomes = await sendAll(
		jobsTo(['a', 'b', 'c']),
		settingsFor(service, clock, { sentRecord: SentRecord.open(store, 0) }),
	);
	expect(outcomes.get(0)).toMatchObject({ messageId: 'id-of-a' });
	expect(outcomes.get(1)).toMatchObject({ error: { reason: 'unknown_outcome' } });
	expect(service.arrivals.map(({ recipient }) => recipient)).toEqual(['c']);
});

test('an invalid item stops the reading if the first failure stops', async () => {
	for (const [stopOnFailure, expected] of [
		[true, 1],
		[false, 3],
	] as const) {
		const clock = new VirtualClock();
		const service = new FakeService(clock);
		let read = 0;
		async function* items() {
			for (const item of [{ index: 0, error: new Error('no text') }, ...jobsTo(['a', 'b'])]) {
				read++;
				yield await Promise.resolve(item);
			}
		}
		await sendItems(items(), settingsFor(service, clock, { stopOnFailure }));
		expect(read).toBe(expected);
	}
});

test('after cancelling, no item is read, and nothing listens to the signal', async () => {
	const abort = new AbortController();
	const clock = new VirtualClock(abort.signal);
	const service = new FakeService(clock, () => 0);
	let read = 0;
	async function* items() {
		for (const job of jobsTo(['a', 'b', 'c', 'd'])) {
			if (++read === 2) abort.abort();
			yield await Promise.resolve(job);
		}
	}
	const listening = getEventListeners(abort.signal, 'abort').length;
	await sendItems(items(), settingsFor(service, clock, { signal: abort.signal }));
	expect(read).toBe(2);
	expect(getEventListeners(abort.signal, 'abort')).toHaveLength(listening);
});

test('a key of unknown outcome is not recorded as a try of this execution', async () => {
	const clock = new VirtualClock();
	const store = {};
	const service = new FakeService(clock);
	const [job] = jobsTo(['a']);
	const settings = settingsFor(service, clock, { sentRecord: SentRecord.open(store, 0) });
	const outcomes = await sendAll([{ ...job!, once: { key: 'order 1', fingerprint: 'content' } }], {
		...settings,
		onceKeys: { ...settings.onceKeys, claim: async () => await Promise.resolve('doubt') },
	});
	expect(outcomes.get(0)).toMatchObject({
		error: { reason: 'unknown_outcome', failure: { cause: expect.stringContaining('began') } },
	});
	expect(store).toEqual({ sentMessages: { run: 0, accepted: {}, unknown: {} } });
	expect(service.arrivals).toEqual([]);
});

test('500 texts at 50 per second: at most 50 arrive in any second, within nine seconds and nine responses', async () => {
	for (const latency of [0, 5, 100, 400]) {
		const clock = new VirtualClock();
		const service = new FakeService(clock, () => latency);
		await sendAll(
			jobsTo(Array.from({ length: 500 }, (_, index) => `recipient ${index}`)),
			settingsFor(service, clock, { maxPerSecond: 50, maxConcurrency: 100 }),
		);
		expect(mostInOneSecond(service.arrivals.map(({ at }) => at))).toBeLessThanOrEqual(50);
		expect(clock.now()).toBeLessThanOrEqual(9 * (1001 + latency) + latency);
	}
});

test('property: each item has an outcome and is accepted at most once, in order per recipient, within limits', async () => {
	await fc.assert(fc.asyncProperty(sendingPlan, checkSendingPlan), { numRuns: RUNS });
}, 120_000);
