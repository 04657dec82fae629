/** A service that asks to wait. */
import { sendAll as sendItems } from '../../../nodes/BusinessMessaging/sending/sendAll.ts';
import { failure, FakeService, jobsTo, sendAll, settingsFor } from './fakeService.mts';
import { VirtualClock } from './virtualClock.mts';

const MINUTE = 60_000;

test('a Retry-After pauses everything and then the same text goes first to its recipient', async () => {
	const clock = new VirtualClock();
	const service = new FakeService(
		clock,
		() => 10,
		new Map([['text 0', [failure('rate_limited', 'none', 3000)]]]),
	);
	const outcomes = await sendAll(
		jobsTo(['a', 'a', 'b', 'c']),
		settingsFor(service, clock, { maxConcurrency: 1 }),
	);
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
	const service = new FakeService(
		clock,
		() => 1,
		new Map([['text 0', Array.from({ length: 100 }, () => failure('rate_limited', 'none', 0))]]),
	);
	const outcomes = await sendAll(jobsTo(['a', 'b']), settingsFor(service, clock));
	expect(outcomes.get(0)).toMatchObject({ error: { reason: 'rate_limited' } });
	expect(outcomes.get(1)).toMatchObject({ messageId: 'id of text 1' });
	expect(service.arrivals.filter(({ text }) => text === 'text 0')).toHaveLength(20);
	expect(clock.now()).toBeGreaterThanOrEqual(19_000);
});

test('a wait too long fails what would have to wait, unsent', async () => {
	const clock = new VirtualClock();
	const service = new FakeService(
		clock,
		() => 1,
		new Map([['text 1', [failure('service_unavailable', 'none', 3_600_000)]]]),
	);
	const outcomes = await sendAll(
		jobsTo(['a', 'b', 'c', 'd']),
		settingsFor(service, clock, { maxConcurrency: 1 }),
	);
	expect(outcomes.get(0)).toMatchObject({ messageId: 'id of text 0' });
	for (const index of [1, 2, 3])
		expect(outcomes.get(index)).toMatchObject({ error: { reason: 'service_unavailable' } });
	expect(service.arrivals).toHaveLength(2);
	expect(clock.now()).toBeLessThan(MINUTE);
});

test('a wait of a quarter of an hour is waited for, and of a millisecond more is not', async () => {
	for (const [more, outcome] of [
		[0, { messageId: 'id of text 0' }],
		[1, { error: { reason: 'rate_limited' } }],
	] as const) {
		const clock = new VirtualClock();
		const failures = [failure('rate_limited', 'none', 15 * MINUTE + more)];
		const service = new FakeService(clock, () => 1, new Map([['text 0', failures]]));
		const outcomes = await sendAll(jobsTo(['a']), settingsFor(service, clock));
		expect(outcomes.get(0)).toMatchObject(outcome);
	}
});

test('a channel that asked to wait too long refuses at once until that is over, and then takes messages again', async () => {
	const clock = new VirtualClock();
	const service = new FakeService(
		clock,
		() => 0,
		new Map([['text 0', [failure('rate_limited', 'none', 16 * MINUTE)]]]),
	);
	const [first, second, third] = jobsTo(['a', 'b', 'c']);
	async function* items() {
		yield first!;
		await clock.sleep(MINUTE);
		yield second!;
		await clock.sleep(15 * MINUTE);
		yield third!;
	}
	const outcomes = await sendItems(items(), settingsFor(service, clock));
	expect(outcomes.get(0)).toMatchObject({ error: { reason: 'rate_limited' } });
	expect(outcomes.get(1)).toMatchObject({ error: { reason: 'rate_limited' } });
	expect(outcomes.get(2)).toMatchObject({ messageId: 'id of text 2' });
	expect(service.arrivals.map(({ text }) => text)).toEqual(['text 0', 'text 2']);
	expect(clock.now()).toBe(16 * MINUTE);
});

test('who waits for the pace while the channel asks to wait too long is not sent in the end', async () => {
	const clock = new VirtualClock();
	const service = new FakeService(
		clock,
		() => 500,
		new Map([['text 0', [failure('rate_limited', 'none', 16 * MINUTE)]]]),
	);
	const outcomes = await sendAll(
		jobsTo(['a', 'b']),
		settingsFor(service, clock, { maxPerSecond: 1 }),
	);
	expect(outcomes.get(1)).toMatchObject({ error: { reason: 'rate_limited' } });
	expect(service.arrivals.map(({ text }) => text)).toEqual(['text 0']);
});

test('only who asks to wait is waited for: another failure that names a time fails at once', async () => {
	const clock = new VirtualClock();
	const service = new FakeService(
		clock,
		() => 0,
		new Map([['text 0', [failure('rejected', 'none', 5000)]]]),
	);
	const outcomes = await sendAll(jobsTo(['a']), settingsFor(service, clock));
	expect(outcomes.get(0)).toMatchObject({ error: { reason: 'rejected' } });
	expect(service.arrivals).toHaveLength(1);
});
