/** A service that asks to wait. */
import {
	failure,
	FakeService,
	jobsTo,
	sendAll,
	sendItems,
	settingsFor,
	sharedWith,
} from './fakeService.mts';
import { VirtualClock } from './virtualClock.mts';

const MINUTE = 60_000;

test('a 503 with Retry-After pauses everything, and the same text then leaves first to its recipient', async () => {
	const clock = new VirtualClock();
	const service = new FakeService(
		clock,
		() => 10,
		new Map([['text 0', [failure('service_unavailable', 'none', 3000)]]]),
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
		new Map([['text 0', [failure('service_unavailable', 'none', 16 * MINUTE)]]]),
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
	expect(outcomes.get(0)).toMatchObject({ error: { reason: 'service_unavailable' } });
	expect(outcomes.get(1)).toMatchObject({ error: { reason: 'service_unavailable' } });
	expect(outcomes.get(2)).toMatchObject({ messageId: 'id of text 2' });
	expect(service.arrivals.map(({ text }) => text)).toEqual(['text 0', 'text 2']);
	expect(clock.now()).toBe(16 * MINUTE);
});

test('a message that waits for the limit fails if the channel asks for a wait that is too long', async () => {
	const clock = new VirtualClock();
	const service = new FakeService(
		clock,
		() => 500,
		new Map([['text 0', [failure('service_unavailable', 'none', 16 * MINUTE)]]]),
	);
	const outcomes = await sendAll(
		jobsTo(['a', 'b']),
		settingsFor(service, clock, { maxPerSecond: 1 }),
	);
	expect(outcomes.get(1)).toMatchObject({ error: { reason: 'service_unavailable' } });
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

describe('a 429 without Retry-After', () => {
	const slower = (times: number) =>
		Array.from({ length: times }, () => failure('rate_limited', 'none'));

	test.each([1, 10])('holds up its recipient alone, in item order: %d at a time', async (most) => {
		const clock = new VirtualClock();
		const service = new FakeService(clock, () => 10, new Map([['text 0', slower(2)]]));
		await sendAll(
			jobsTo(['a', 'a', 'b', 'c']),
			settingsFor(service, clock, { maxConcurrency: most }),
		);
		const times = (recipient: string) =>
			service.arrivals.flatMap((arrival) => (arrival.recipient === recipient ? arrival.at : []));
		expect(service.accepted.slice(-2)).toEqual(['text 0', 'text 1']);
		expect(times('a')).toEqual([0, 1010, 3020, 3030]);
		expect(Math.max(...times('b'), ...times('c'))).toBeLessThan(100);
	});

	test('fails after a minute, and so at once does what waits behind it', async () => {
		const clock = new VirtualClock();
		const texts = ['a', 'a', 'a', 'b'];
		const plan = new Map([0, 1, 2].map((index) => [`text ${index}`, slower(100)]));
		const service = new FakeService(clock, () => 0, plan);
		const outcomes = await sendAll(jobsTo(texts), settingsFor(service, clock));
		for (const index of [0, 1, 2])
			expect(outcomes.get(index)).toMatchObject({
				error: { reason: 'rate_limited', failure: { effect: 'none' } },
			});
		expect(outcomes.get(3)).toMatchObject({ messageId: 'id of text 3' });
		expect(service.arrivals.map(({ text }) => text)).not.toContain('text 1');
		expect(clock.now()).toBe(MINUTE);
	});

	test('of all recipients stops a mailing after a minute', async () => {
		const clock = new VirtualClock();
		const recipients = Array.from({ length: 200 }, (_, index) => `r${index}`);
		const plan = new Map(recipients.map((_, index) => [`text ${index}`, slower(100)]));
		const service = new FakeService(clock, () => 5, plan);
		const outcomes = await sendAll(jobsTo(recipients), settingsFor(service, clock));
		expect(outcomes.size).toBe(200);
		for (const outcome of outcomes.values())
			expect(outcome).toMatchObject({ error: { reason: 'rate_limited' } });
		// Seven rounds of ten, and one in a lent place each.
		expect(service.arrivals.length).toBeLessThanOrEqual(77);
		expect(clock.now()).toBeLessThan(MINUTE + 1000);
	});

	test('is waited for by three executions, and others fail at once', async () => {
		const clock = new VirtualClock();
		const service = new FakeService(clock, () => 0, new Map([['text 0', slower(5)]]));
		const { limiter } = sharedWith(clock);
		const failedAt: number[] = [];
		const all = await Promise.all(
			[1, 2, 3, 4, 5].map(async () => {
				const outcome = (
					await sendAll(jobsTo(['a']), {
						...settingsFor(service, clock),
						limiterFor: () => limiter,
					})
				).get(0)!;
				if ('error' in outcome) failedAt.push(clock.now());
				return 'error' in outcome ? outcome.error.message : 'sent';
			}),
		);
		expect(all.sort()).toEqual([
			...Array.from(
				{ length: 2 },
				() => expect.stringMatching(/three executions already wait/) as unknown,
			),
			'sent',
			'sent',
			'sent',
		]);
		expect(failedAt).toEqual([0, 0]);
	});

	test('is not waited for any longer once the execution is cancelled', async () => {
		const cancel = new AbortController();
		const clock = new VirtualClock(cancel.signal);
		const service = new FakeService(clock, () => 0, new Map([['text 0', slower(100)]]));
		void clock.sleep(2500).then(() => cancel.abort());
		const outcomes = await sendAll(
			jobsTo(['a', 'a']),
			settingsFor(service, clock, { signal: cancel.signal }),
		);
		expect([outcomes.size, clock.now()]).toEqual([0, 2500]);
	});
});

test('a 429 with a Retry-After that is too long fails what is for its recipient, and others go on', async () => {
	const clock = new VirtualClock();
	const plan = new Map([['text 0', [failure('rate_limited', 'none', 16 * MINUTE)]]]);
	const service = new FakeService(clock, () => 0, plan);
	const outcomes = await sendAll(jobsTo(['a', 'a', 'b']), settingsFor(service, clock));
	expect(service.arrivals.map(({ text }) => text)).toEqual(['text 0', 'text 2']);
	expect(outcomes.get(1)).toMatchObject({ error: { reason: 'rate_limited' } });
	expect(clock.now()).toBe(0);
});
