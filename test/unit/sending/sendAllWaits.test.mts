/** A service that asks to wait. */
import { failure, jobsTo, recipients, send } from './fakeService.mts';
import { VirtualClock } from '../../support/clocks.mts';

const MINUTE = 60_000;
const slowDown = (wait?: number) => failure('rate_limited', 'none', wait);
const busy = (wait: number) => failure('service_unavailable', 'none', wait);
const LIMITED = { error: { reason: 'rate_limited', failure: { effect: 'none' } } };
const UNAVAILABLE = { error: { reason: 'service_unavailable' } };

test('a 503 with Retry-After pauses everything, and the same text then leaves first to its recipient', async () => {
	const { outcomes, arrivals } = await send(['a', 'a', 'b', 'c'], {
		...{ failures: { 'text 0': [busy(3000)] }, latency: 10, maxConcurrency: 1 },
	});
	expect([...outcomes.values()].every((outcome) => 'messageId' in outcome)).toBe(true);
	expect(arrivals.map(({ text, at }) => [text, at])).toEqual([
		['text 0', 0],
		['text 0', 3010],
		['text 2', 3020],
		['text 3', 3030],
		['text 1', 3040],
	]);
});

test.each([
	[true, []],
	[false, ['text 0']],
])('a time to leave that is a deadline (%s) holds until the request', async (isDeadline, sent) => {
	const clock = new VirtualClock();
	const requested: string[] = [];
	const request = async ({ text }: { text: string }, check: () => void) => {
		await clock.sleep(200);
		check();
		requested.push(text);
		return text;
	};
	await send(['a'], { clock, request, within: 100, isDeadline });
	expect(requested).toEqual(sent);
});

test.each([
	['rate_limited', slowDown],
	['service_unavailable', busy],
])(
	'an item fails if the service keeps asking to wait for 0 s (%s), after pauses that grow',
	async (reason, refusal) => {
		const failures = { 'text 1': Array.from({ length: 1000 }, () => refusal(0)) };
		const { outcomes, arrivals, took } = await send(['a', 'b'], { failures, latency: 0 });
		expect(outcomes.get(0)).toMatchObject({ messageId: 'id of text 0' });
		expect(outcomes.get(1)).toMatchObject({ error: { reason, failure: { effect: 'none' } } });
		const tries = arrivals.filter(({ text }) => text === 'text 1').map(({ at }) => at);
		expect(tries.slice(0, 5)).toEqual([0, 1000, 2000, 3000, 5000]);
		expect(tries.length).toBeLessThan(40);
		expect(took).toBeGreaterThan(14 * MINUTE);
		expect(took).toBeLessThanOrEqual(15 * MINUTE);
	},
);

test('pauses that the service asks for are short again after an accepted message', async () => {
	const refusals = () => Array.from({ length: 5 }, () => slowDown(0));
	const failures = { 'text 0': refusals(), 'text 1': refusals() };
	const { arrivals } = await send(['a', 'a'], { failures, latency: 0 });
	const [first, second] = ['text 0', 'text 1'].map((text) =>
		arrivals.flatMap((arrival) => (arrival.text === text ? arrival.at : [])),
	);
	expect(first).toEqual([0, 1000, 2000, 3000, 5000, 9000]);
	expect(second).toEqual(first!.map((at) => at + 9000));
});

test('a wait that is too long fails all waiting messages, unsent', async () => {
	const { outcomes, arrived, took } = await send(['a', 'b', 'c', 'd'], {
		...{ failures: { 'text 1': [busy(3_600_000)] }, maxConcurrency: 1 },
	});
	expect(outcomes.get(0)).toMatchObject({ messageId: 'id of text 0' });
	for (const index of [1, 2, 3]) expect(outcomes.get(index)).toMatchObject(UNAVAILABLE);
	expect(arrived).toHaveLength(2);
	expect(took).toBeLessThan(MINUTE);
});

test.each([
	[0, { messageId: 'id of text 0' }],
	[1, LIMITED],
])('the longest wait is 15 minutes, and not a millisecond more: %d', async (more, outcome) => {
	const failures = { 'text 0': [slowDown(15 * MINUTE + more)] };
	expect((await send(['a'], { failures })).outcomes.get(0)).toMatchObject(outcome);
});

test('a channel with a wait that is too long refuses at once until the wait is over', async () => {
	const clock = new VirtualClock();
	const jobs = jobsTo(['a', 'b', 'c']);
	async function* items() {
		for (const [at, wait] of [0, MINUTE, 15 * MINUTE].entries()) {
			if (wait > 0) await clock.sleep(wait);
			yield jobs[at]!;
		}
	}
	const failures = { 'text 0': [busy(16 * MINUTE)] };
	const { outcomes, arrived, took } = await send(items(), { clock, latency: 0, failures });
	for (const index of [0, 1]) expect(outcomes.get(index)).toMatchObject(UNAVAILABLE);
	expect(outcomes.get(2)).toMatchObject({ messageId: 'id of text 2' });
	expect([arrived, took]).toEqual([['text 0', 'text 2'], 16 * MINUTE]);
});

test('a message that waits for the limit fails if the channel asks for a wait that is too long', async () => {
	const { outcomes, arrived } = await send(['a', 'b'], {
		...{ failures: { 'text 0': [busy(16 * MINUTE)] }, latency: 500, maxPerSecond: 1 },
	});
	expect(outcomes.get(1)).toMatchObject(UNAVAILABLE);
	expect(arrived).toEqual(['text 0']);
});

test('a failure with a Retry-After that is not a 429 or 503 fails at once', async () => {
	const failures = { 'text 0': [failure('rejected', 'none', 5000)] };
	const { outcomes, arrived } = await send(['a'], { failures });
	expect(outcomes.get(0)).toMatchObject({ error: { reason: 'rejected' } });
	expect(arrived).toHaveLength(1);
});

/** The text with the number n is under way for n ms and one. */
test.each<[string, string[], Array<number | undefined>, number]>([
	// From the first response, after 1 ms, to 2 s after the last, after 10 ms.
	['of ten messages together once', recipients(10), Array<number>(10).fill(2000), 2009],
	['within a longer one as nothing', ['a', 'b', 'c'], [5000, 1000], 5000],
	['after another in full', ['a', 'a', 'a'], [2000, 3000], 5000],
	['that is too long as nothing', ['a'], [3_600_000], 0],
])('counts a wait %s', async (_what, to, waits, total) => {
	let waited = 0;
	await send(to, {
		failures: Object.fromEntries(waits.map((wait, at) => [`text ${at}`, [slowDown(wait)]])),
		latency: ({ text }) => Number(text.slice(5)) + 1,
		onWait: (milliseconds) => (waited += milliseconds),
	});
	expect(waited).toBe(total);
});

describe('a 429 without Retry-After', () => {
	const slower = (times: number) => Array.from({ length: times }, () => slowDown());

	test.each([1, 10])('holds up its recipient alone, in item order: %d at a time', async (most) => {
		const { arrivals, accepted } = await send(['a', 'a', 'b', 'c'], {
			...{ failures: { 'text 0': slower(2) }, latency: 10, maxConcurrency: most },
		});
		const times = (recipient: string) =>
			arrivals.flatMap((arrival) => (arrival.recipient === recipient ? arrival.at : []));
		expect(accepted.slice(-2)).toEqual(['text 0', 'text 1']);
		expect(times('a')).toEqual([0, 1010, 3020, 3030]);
		expect(Math.max(...times('b'), ...times('c'))).toBeLessThan(100);
	});

	test('fails after a minute, and so at once does what waits behind it', async () => {
		const failures = { 'text 0': slower(100), 'text 1': slower(100), 'text 2': slower(100) };
		const sent = await send(['a', 'a', 'a', 'b'], { failures, latency: 0 });
		for (const index of [0, 1, 2]) expect(sent.outcomes.get(index)).toMatchObject(LIMITED);
		expect(sent.outcomes.get(3)).toMatchObject({ messageId: 'id of text 3' });
		expect(sent.arrived).not.toContain('text 1');
		expect(sent.took).toBe(MINUTE);
	});

	test('of all recipients stops a mailing after a minute', async () => {
		const all = recipients(200).map((_, index) => [`text ${index}`, slower(100)] as const);
		const sent = await send(recipients(200), { failures: Object.fromEntries(all) });
		expect(sent.outcomes.size).toBe(200);
		for (const outcome of sent.outcomes.values()) expect(outcome).toMatchObject(LIMITED);
		// Seven rounds of ten, and one in a lent place each.
		expect(sent.arrived.length).toBeLessThanOrEqual(77);
		expect(sent.took).toBeLessThan(MINUTE + 1000);
	});

	test('is not waited for any longer once the execution is cancelled', async () => {
		const cancel = new AbortController();
		const clock = new VirtualClock(cancel.signal);
		void clock.sleep(2500).then(() => cancel.abort());
		const failures = { 'text 0': slower(100) };
		const { signal } = cancel;
		const { outcomes } = await send(['a', 'a'], { clock, signal, failures, latency: 0 });
		expect([outcomes.size, clock.now()]).toEqual([0, 2500]);
	});
});

test('a 429 with a Retry-After that is too long fails what is for its recipient, and others go on', async () => {
	const failures = { 'text 0': [slowDown(16 * MINUTE)] };
	const { outcomes, arrived, took } = await send(['a', 'a', 'b'], { failures, latency: 0 });
	expect([arrived, took]).toEqual([['text 0', 'text 2'], 0]);
	expect(outcomes.get(1)).toMatchObject(LIMITED);
});
