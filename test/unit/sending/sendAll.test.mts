import { getEventListeners } from 'node:events';

import fc from 'fast-check';

import { SentRecord } from '#nodes/sending/sentRecord.ts';
import {
	failure,
	jobsTo,
	lost,
	mostInOneSecond,
	recipients,
	refused,
	send,
	type TextMessage,
} from './fakeService.mts';
import { checkSendingPlan, sendingPlan } from './sendingPlan.mts';
import { VirtualClock } from '../../support/clocks.mts';
import { runs } from '../../support/runs.mts';

const RUNS = runs(2000);

/** Jobs, and how many of them were read. */
function counted<Item>(items: Item[], onRead: (count: number) => void = () => {}) {
	const read = { count: 0, items: each() };
	function* each() {
		for (const item of items) {
			onRead(++read.count);
			yield item;
		}
	}
	return read;
}

test('items are read only when needed, and not after the first failure', async () => {
	const read = counted(jobsTo(recipients(1000)));
	const { arrived } = await send(read.items, {
		...{ failures: { 'text 30': [refused()] }, latency: 10 },
		...{ maxConcurrency: 4, stopOnFailure: true },
	});
	expect(arrived.length).toBeLessThanOrEqual(36);
	expect(read.count).toBeLessThanOrEqual(arrived.length + 2 * 4 + 1);
});

test.each([
	[true, 1],
	[false, 3],
])(
	'if the first failure stops (%s), %d are read of which the first is invalid',
	async (stopOnFailure, count) => {
		const read = counted([{ index: 0, error: new Error('no text') }, ...jobsTo(['a', 'b'])]);
		await send(read.items, { stopOnFailure });
		expect(read.count).toBe(count);
	},
);

test.each([
	['refused', refused()],
	['told to wait for too long', failure('rate_limited', 'none', 3_600_000)],
])('after the first failure, %s, the next in line does not leave', async (_why, error) => {
	const stops = { maxConcurrency: 1, stopOnFailure: true, failures: { 'text 1': [error] } };
	expect((await send(['a', 'b', 'c'], stops)).arrived).toEqual(['text 0', 'text 1']);
});

test('after cancelling, no item is read, and nothing listens to the signal', async () => {
	const abort = new AbortController();
	const clock = new VirtualClock(abort.signal);
	const listening = getEventListeners(abort.signal, 'abort').length;
	const read = counted(jobsTo(['a', 'b', 'c', 'd']), (count) => count === 2 && abort.abort());
	await send(read.items, { clock, latency: 0, signal: abort.signal });
	expect(read.count).toBe(2);
	expect(getEventListeners(abort.signal, 'abort')).toHaveLength(listening);
});

/** Slow requests and quick responses. Counting departures would break the limit here. */
test('the limit holds where requests arrive, however long each is on its way', async () => {
	const clock = new VirtualClock();
	const arrivals: number[] = [];
	const request = async ({ text }: TextMessage) => {
		await clock.sleep((Number(text.slice(5)) * 7919) % 300);
		arrivals.push(clock.now());
		return 'id';
	};
	await send(recipients(300), { clock, request, maxConcurrency: 100, maxPerSecond: 20 });
	expect(arrivals).toHaveLength(300);
	expect(mostInOneSecond(arrivals)).toBeLessThanOrEqual(20);
});

test('one message leaves in each round of the event loop, even if all earlier responses came at once', async () => {
	let turn = 0;
	const leftIn: number[] = [];
	const waiting: Array<() => void> = [];
	const request = async () => {
		leftIn.push(turn);
		await new Promise<void>((answer) => waiting.push(answer));
		return 'id';
	};
	let isDone = false;
	void send(recipients(40), { request }).finally(() => (isDone = true));
	while (!isDone) {
		turn++;
		if (waiting.length === 10) waiting.splice(0).forEach((answer) => answer());
		await new Promise((next) => setImmediate(next));
	}
	expect(leftIn).toHaveLength(40);
	expect(new Set(leftIn).size).toBe(40);
});

test('texts to one recipient leave in item order, to different recipients side by side', async () => {
	const { arrivals } = await send(['a', 'b', 'a', 'a', 'b'], { latency: 100 });
	expect(arrivals).toEqual([
		{ text: 'text 0', recipient: 'a', at: 0 },
		{ text: 'text 1', recipient: 'b', at: 0 },
		{ text: 'text 2', recipient: 'a', at: 100 },
		{ text: 'text 4', recipient: 'b', at: 100 },
		{ text: 'text 3', recipient: 'a', at: 200 },
	]);
});

test('one recipient never delays the others, and at most maxConcurrency are under way', async () => {
	const latency = ({ recipient }: TextMessage) => (recipient === 'slow' ? 5000 : 10);
	const sent = await send(['slow', 'slow', ...recipients(40)], { latency, maxConcurrency: 5 });
	expect([sent.mostInFlight, sent.took]).toEqual([5, 10_000]);
});

test('a text that was accepted before keeps its ID, and is not sent again', async () => {
	const store = {};
	const first = await send(['a', 'a', 'b'], {
		...{ store, failures: { 'text 1': [failure('service_error', 'none')] } },
	});
	expect(first.outcomes.get(1)).toMatchObject({ error: { reason: 'service_error' } });
	// n8n stores the record as JSON with the execution.
	const loaded = JSON.parse(JSON.stringify(store)) as Record<string, unknown>;
	const { outcomes, arrived } = await send(['a', 'a', 'b'], { store: loaded });
	for (const index of [0, 1, 2])
		expect(outcomes.get(index)).toMatchObject({ messageId: `id of text ${index}` });
	expect([first.arrived, arrived]).toEqual([['text 0', 'text 2', 'text 1'], ['text 1']]);
});

test.each<[boolean, string[], string, object]>([
	[false, [], 'It may have been sent', { error: { reason: 'unknown_outcome' } }],
	[true, ['text 0'], 'sends it again', { messageId: 'id of text 0' }],
])(
	'a text that may have been sent is sent again by a retry only where that was chosen: %s',
	async (sendAgain, again, said, outcome) => {
		const tried = { store: {}, sendAgain };
		const first = await send(['a', 'b'], { ...tried, failures: { 'text 0': [lost()] } });
		expect(first.outcomes.get(0)).toMatchObject({
			error: { reason: 'unknown_outcome', hint: expect.stringContaining(said) },
		});
		for (const expected of [again, []]) {
			const { outcomes, arrived } = await send(['a', 'b'], tried);
			expect(outcomes.get(0)).toMatchObject(outcome);
			expect(arrived).toEqual(expected);
		}
	},
);

test('the record holds for one run, and for one recipient at each index', async () => {
	const store = {};
	expect((await send(['a', 'b'], { store })).arrived).toEqual(['text 0', 'text 1']);
	expect((await send(['a', 'other'], { store })).arrived).toEqual(['text 1']);
	const sentRecord = SentRecord.open(store, 1);
	expect((await send(['a', 'other'], { sentRecord })).arrived).toHaveLength(2);
});

test('the record of an execution that version 0.1.0 began still prevents sending twice', async () => {
	// Copied from such a record. It depends only on channel and recipient.
	const accepted = { 0: '6PoPnf-Jid-of-a' };
	const store = { sentMessages: { run: 0, accepted, unknown: { 1: '8r6eWgXD' } } };
	const { outcomes, arrived } = await send(['a', 'b', 'c'], { store });
	expect(outcomes.get(0)).toMatchObject({ messageId: 'id-of-a' });
	expect(outcomes.get(1)).toMatchObject({ error: { reason: 'unknown_outcome' } });
	expect(arrived).toEqual(['text 2']);
});

test('a key of unknown outcome is not recorded as a try of this execution', async () => {
	const store = {};
	const never = async () => await Promise.reject<void>(new Error('not claimed'));
	const claim = async () => await Promise.resolve('doubt' as const);
	const once = { key: 'order 1', fingerprint: 'content' };
	const { outcomes, arrived } = await send(
		jobsTo(['a']).map((job) => ({ ...job, once })),
		{ store, onceKeys: { claim, confirm: never, free: never, leaveInDoubt: () => {} } },
	);
	expect(outcomes.get(0)).toMatchObject({
		error: { reason: 'unknown_outcome', failure: { cause: expect.stringContaining('began') } },
	});
	expect(store).toEqual({ sentMessages: { run: 0, accepted: {}, unknown: {} } });
	expect(arrived).toEqual([]);
});

test('property: each item has an outcome and is accepted at most once, in order per recipient, within limits', async () => {
	await fc.assert(fc.asyncProperty(sendingPlan, checkSendingPlan), { numRuns: RUNS });
}, 120_000);
