/** A service that asks to wait. */
import { failure, FakeService, jobsTo, sendAll, sendItems, settingsFor } from './fakeService.mts';
import { VirtualClock } from './virtualClock.mts';

const MINUTE = 60_000;

test('a Retry-After pauses everything, and the same text then leaves first to its recipient', async () => {
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

test('an item fails if the service keeps asking to wait, and a wait of 0 s lasts a second', async () => {
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

test('a wait that is too long fails all waiting messages, unsent', async () => {
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

test('the longest wait is 15 minutes, and not a millisecond more', async () => {
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

test('a channel with a wait that is too long refuses at once until the wait is over', async () => {
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

test('a message that waits for the limit fails if the channel asks for a wait that is too long', async () => {
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

test('a failure with a Retry-After that is not a 429 or 503 fails at once', async () => {
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

/** Milliseconds that an execution reports as waited. */
async function waitedFor(
	failures: Record<string, ReturnType<typeof failure>>,
	recipients: string[],
	latency = (text: string) => Number(text.slice(5)) + 1,
): Promise<number> {
	const clock = new VirtualClock();
	let waited = 0;
	const service = new FakeService(
		clock,
		({ text }) => latency(text),
		new Map(Object.entries(failures).map(([text, error]) => [text, [error]])),
	);
	await sendAll(jobsTo(recipients), {
		...settingsFor(service, clock, { maxConcurrency: recipients.length }),
		onWait: (milliseconds) => (waited += milliseconds),
	});
	return waited;
}
const slowDown = (wait: number) => failure('rate_limited', 'none', wait);

test('counts a wait of ten messages together once', async () => {
	const texts = Array.from({ length: 10 }, (_, index) => `text ${index}`);
	const waited = await waitedFor(
		Object.fromEntries(texts.map((text) => [text, slowDown(2000)])),
		texts,
	);
	// From the first response, after 1 ms, to 2 s after the last, after 10 ms.
	expect(waited).toBe(2009);
});

test('a wait within a longer one adds nothing, and a wait after it adds all', async () => {
	const recipients = ['a', 'b', 'c'];
	const inOne = { 'text 0': slowDown(5000), 'text 1': slowDown(1000) };
	expect(await waitedFor(inOne, recipients)).toBe(5000);
	const apart = { 'text 0': slowDown(2000), 'text 1': slowDown(3000) };
	expect(await waitedFor(apart, ['a', 'a', 'a'])).toBe(5000);
});

test('a wait that is too long is neither waited for nor counted', async () => {
	expect(await waitedFor({ 'text 0': slowDown(3_600_000) }, ['a'])).toBe(0);
});
