/** How long messages wait for a service that asks to slow down, and what that holds. */
import type { GiveBack } from '#nodes/sending/byteBudget.ts';
import { Pace, Places } from '#nodes/sending/pace.ts';
import type { ServiceError } from '#nodes/service/errors/index.ts';
import { perName } from '#nodes/shared/tools/boundedMap.ts';
import {
	failure,
	FakeService,
	jobsTo,
	recipients,
	send,
	sharedWith,
	type TextMessage,
} from './fakeService.mts';
import { VirtualClock } from '../../support/clocks.mts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const slowDown = (wait?: number) => failure('rate_limited', 'none', wait);
const busy = (wait: number) => failure('service_unavailable', 'none', wait);
const times = <Value,>(count: number, make: () => Value) => Array.from({ length: count }, make);
const errorOf = (sent: Awaited<ReturnType<typeof send>>, index = 0) => {
	const outcome = sent.outcomes.get(index);
	return outcome && 'error' in outcome ? (outcome.error as ServiceError) : undefined;
};

describe('a pause that begins while something is made ready', () => {
	const asked = () => ({ 'text 0': [busy(3000)] });

	test('is waited for, and what waits for bytes holds no place and no slot', async () => {
		const clock = new VirtualClock();
		let free = 1;
		const waiting: Array<(giveBack: GiveBack) => void> = [];
		const giveBack = () => void (waiting.length > 0 ? waiting.shift()!(giveBack) : free++);
		const takeRoom = () =>
			free > 0 ? (free--, giveBack) : new Promise<GiveBack>((get) => waiting.push(get));
		const given = {
			clock,
			takeRoom,
			failures: asked(),
			latency: 300,
			maxConcurrency: 2,
			maxPerSecond: 2,
		};
		const { arrivals } = await send(['a', 'b'], given);
		expect(arrivals.map(({ text, at }) => [text, at])).toEqual([
			['text 0', 0],
			['text 0', 3300],
			['text 1', 3600],
		]);
		expect(free).toBe(1);
	});

	test('is looked at directly before the request', async () => {
		const clock = new VirtualClock();
		const service = new FakeService(clock, () => 100, new Map(Object.entries(asked())));
		const request = async (job: TextMessage, check: () => void) => {
			if (job.text === 'text 1') await clock.sleep(200);
			check();
			return await service.send(job);
		};
		await send(['a', 'b'], { clock, request });
		expect(service.arrivals.map(({ text, at }) => [text, at])).toEqual([
			['text 0', 0],
			['text 0', 3100],
			['text 1', 3300],
		]);
	});
});

describe('a service that says "in 14 minutes" each time', () => {
	const again = { 'text 0': times(50, () => slowDown(14 * MINUTE)) };

	test('keeps an item for 15 minutes at most, and the execution tries its recipient no more', async () => {
		const sent = await send(['a', 'a', 'a', 'b'], { failures: again, latency: 0 });
		expect([sent.took, sent.arrived]).toEqual([14 * MINUTE, ['text 0', 'text 3', 'text 0']]);
		for (const index of [0, 1, 2]) expect(errorOf(sent, index)).toMatchObject(LIMITED);
		expect(errorOf(sent, 3)).toBeUndefined();
	});

	test('keeps items that it refuses one after the other for 15 minutes together', async () => {
		const failures = Object.fromEntries(
			recipients(9).map((_, index) => [`text ${index}`, [slowDown(14 * MINUTE)]]),
		);
		const sent = await send(
			times(9, () => 'a'),
			{ failures, latency: 0 },
		);
		expect([sent.took, sent.accepted]).toEqual([14 * MINUTE, ['text 0']]);
	});

	test.each([
		['to the recipient', slowDown],
		['to the channel', busy],
	])('keeps an item that comes meanwhile for 15 minutes from then on: %s', async (_, pause) => {
		const clock = new VirtualClock();
		const [first, second] = jobsTo(['a', 'a']);
		const items = async function* () {
			yield first!;
			await clock.sleep(MINUTE);
			yield second!;
		};
		const failures = { 'text 0': [pause(14 * MINUTE)], 'text 1': [slowDown(3 * MINUTE)] };
		const sent = await send(items(), { clock, failures, latency: 0 });
		expect([sent.took, sent.accepted]).toEqual([14 * MINUTE, ['text 0']]);
		expect(errorOf(sent, 1)).toMatchObject(LIMITED);
	});

	test('its errors say when to try again, in the zone of the workflow', async () => {
		const before = Date.now();
		const sent = await send(['a'], { failures: { 'text 0': [slowDown(20 * MINUTE)] } });
		const { details } = errorOf(sent)!;
		const retryAt = Date.parse(details.retryAt ?? '');
		expect(retryAt - before).toBeGreaterThanOrEqual(20 * MINUTE);
		expect(retryAt - before).toBeLessThan(21 * MINUTE);
		expect(details.hint).toContain(`Try again after ${details.retryAt?.slice(11, 16)} UTC.`);
		const there = await send(['a'], {
			...{ failures: { 'text 0': [slowDown(20 * MINUTE)] }, timeZone: () => 'Asia/Kolkata' },
		});
		expect(errorOf(there)!.hint).toMatch(/Try again after \d\d:\d\d\.$/);
	});
});
const LIMITED = { reason: 'rate_limited', failure: { effect: 'none' } };

describe('executions that wait', () => {
	/** Each sends to its recipient on its channel, and the first is refused. @returns who failed */
	async function waiting(
		refusal: ServiceError,
		plan: Array<{ to: string; beside?: string[]; isTest?: boolean }>,
	) {
		const clock = new VirtualClock();
		const places = new Places();
		const paces = perName(() => new Pace(clock, places));
		const paceFor = ({ channelId }: TextMessage) => paces(channelId);
		const shared = { clock, ...sharedWith(clock), paceFor, latency: 100 };
		const all = plan.map(async ({ to, beside = [], isTest = false }, at) => {
			await clock.sleep(10 * at);
			const jobs = jobsTo([to, ...beside]).map((job) => ({
				...job,
				channelId: `channel of ${to}`,
			}));
			const failures = { 'text 0': [refusal] };
			const start = clock.now();
			const sent = await send(jobs, { ...shared, failures, isTest });
			const error = errorOf(sent);
			if (error) {
				expect(error).toMatchObject({ reason: refusal.reason, failure: { effect: 'none' } });
				expect(error.details.retryAt).toEqual(expect.any(String));
				// As long as its own request, and no longer.
				if (beside.length === 0) expect(clock.now() - start).toBe(100);
			}
			return error ? to : '';
		});
		return (await Promise.all(all)).filter((to) => to !== '');
	}

	test.each([
		['recipients', slowDown(11 * SECOND), ['d', 'e']],
		['recipients, for a moment', slowDown(10 * SECOND), []],
		['a channel, for longer than two minutes', busy(3 * MINUTE), ['d', 'e']],
		['a channel, for two minutes', busy(2 * MINUTE), []],
	])('are three, over all recipients and channels: for %s', async (_what, refusal, refused) => {
		const plan = ['a', 'b', 'c', 'd', 'e'].map((to) => ({ to }));
		expect(await waiting(refusal, plan)).toEqual(refused);
	});

	test('do not count in the editor, nor while others of them can leave', async () => {
		const plan = ['a', 'b', 'c'].map((to) => ({ to, isTest: true }));
		const busyOnes = ['d', 'e', 'f'].map((to) => ({
			to,
			beside: times(40, () => `other of ${to}`),
		}));
		const late = ['g', 'h', 'i', 'j'].map((to) => ({ to }));
		const refused = await waiting(slowDown(60 * SECOND), [...plan, ...busyOnes, ...late]);
		// What becomes idle while three wait fails then.
		expect(refused).toEqual(['d', 'e', 'f', 'j']);
	});
});

/** Sends to each recipient at a time, over one pace. @returns when each message left or failed */
async function mailing(
	plan: Array<{ at: number; to: string; refused?: number; latency?: number }>,
) {
	const clock = new VirtualClock();
	const shared = { clock, ...sharedWith(clock) };
	return await Promise.all(
		plan.map(async ({ at, to, refused, latency = 0 }) => {
			await clock.sleep(at);
			const failures = { 'text 0': refused === undefined ? [] : [slowDown(refused)] };
			const { arrivals } = await send([to], { ...shared, failures, latency });
			return arrivals.map((arrival) => arrival.at);
		}),
	);
}

describe('a channel', () => {
	const refusedABC = ['a', 'b', 'x'].map((to, index) => ({
		...{ at: 5 * index, to, refused: 90 * SECOND },
	}));

	test('is not held after two recipients were refused: the next to a third is the try', async () => {
		const others = ['c', 'd', 'e'].map((to, index) => ({ at: 20 + index, to, latency: 100 }));
		const sent = await mailing([...refusedABC.slice(0, 2), ...others]);
		expect(sent.slice(2)).toEqual([[20], [120], [120]]);
	});

	test('is opened early by an accepted message that left after the hold began, and by no other', async () => {
		const plan = [
			...refusedABC,
			// Left before.
			{ at: 4, to: 'early', latency: 100 },
			{ at: 20, to: 'c', latency: 100 },
			{ at: 21, to: 'd' },
		];
		expect((await mailing(plan)).slice(3)).toEqual([[4], [MINUTE + 10], [MINUTE + 110]]);
	});
});

test.each([
	[undefined, 10],
	[undefined, 100],
	[SECOND, 10],
	[SECOND, 100],
])(
	'a service that takes five a second gets all of 300 (asks for %s ms, %d at a time)',
	async (asked, maxConcurrency) => {
		const clock = new VirtualClock();
		let taken: number[] = [];
		const request = async ({ text }: { text: string }) => {
			await clock.sleep(20);
			taken = taken.filter((at) => clock.now() - at < SECOND);
			if (taken.length >= 5) throw slowDown(asked);
			taken.push(clock.now());
			return text;
		};
		const sent = await send(recipients(300), { clock, request, maxConcurrency });
		expect([...sent.outcomes.values()].filter((outcome) => 'error' in outcome)).toEqual([]);
		expect(sent.outcomes.size).toBe(300);
		expect(sent.took).toBeLessThan(15 * MINUTE);
	},
);
