import fc from 'fast-check';

import { Pace } from '#nodes/sending/pace.ts';
import { mostInOneSecond } from './fakeService.mts';
import { Gate } from './gate.mts';
import { VirtualClock } from '../../support/clocks.mts';
import { runs } from '../../support/runs.mts';

let clock: VirtualClock;
let gate: Gate;
beforeEach(() => {
	clock = new VirtualClock();
	gate = new Gate(new Pace(clock), clock);
});

/** Enters and leaves at once. @returns when */
async function pass(maxPerSecond = 0): Promise<number> {
	const place = await gate.enter(maxPerSecond, {});
	if (!place) throw new Error('nobody cancelled');
	place.leave();
	return clock.now();
}

test('a request over the limit starts a second after the first response, and not later', async () => {
	const first = await gate.enter(2, {});
	await clock.sleep(300);
	first!.leave();
	const times = [await pass(2), await pass(2), await pass(2), await pass(2)];
	// A second after 300, and the millisecond by which clocks may disagree.
	expect(times).toEqual([300, 1301, 1301, 2302]);
});

test('nothing waits without a limit, and what does not wait counts for the limits of others', async () => {
	for (let count = 0; count < 100; count++) expect(await pass()).toBe(0);
	expect(await pass(100)).toBe(1001);
});

test('nothing starts during a pause, the longest counts, also one that begins later', async () => {
	gate.pause(5000);
	const passed = pass();
	gate.pause(7000);
	gate.pause(2000);
	expect([await passed, await pass()]).toEqual([7000, 7000]);
});

test.each(['onHeld', 'onWait'])('a message whose %s throws fails alone', async (port) => {
	const fails = () => {
		throw new Error('no log');
	};
	gate.pause(5000);
	const ends: unknown[] = [];
	const failing = gate.enter(0, {}, { [port]: fails });
	for (const end of [failing.catch(({ message }: Error) => message), pass(), pass()])
		void end.then((how) => ends.push(how));
	await clock.sleep(5001);
	expect(ends).toEqual(['no log', 5000, 5000]);
});

test('each node waits by its own limit', async () => {
	expect(await pass(1)).toBe(0);
	const slow = pass(1);
	expect([await pass(3), await pass(3), await slow]).toEqual([0, 0, 1001]);
});

test('requests with a higher limit do not overtake forever', async () => {
	let slowAt: number | undefined;
	const slow = pass(2).then(async () => (slowAt = await pass(1)));
	// A batch that would always come first.
	for (let count = 0; count < 200; count++) await pass(2);
	await slow;
	expect(slowAt).toBeLessThanOrEqual(8000);
	expect(clock.now()).toBeGreaterThan(60_000);
});

test('a withdrawn request does not start, and those behind it move up', async () => {
	const [owner, other] = [{}, {}];
	const first = await gate.enter(1, other);
	const waiting = [1, 2].map(async () => await gate.enter(1, owner));
	const behind = gate.enter(1, other);
	gate.withdraw(owner);
	expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
	expect(clock.now()).toBe(0);
	first!.leave();
	expect(await behind).toBeDefined();
	expect(clock.now()).toBe(1001);
});

test('requests with a higher limit stop overtaking after five seconds, and not sooner', async () => {
	const [patient, other] = [{}, {}];
	await gate.enter(1, other);
	await clock.sleep(3000);
	const waiting = gate.enter(1, patient);
	await clock.sleep(4999);
	expect(await gate.enter(2, other)).toBeDefined();
	await clock.sleep(1);
	let behind: unknown;
	const entering = gate.enter(3, other).then((place) => (behind = place));
	await clock.sleep(10);
	expect(behind).toBeUndefined();
	// Only the waiting request holds it up, so both start, or leave, at once.
	gate.withdraw(patient);
	expect(await waiting).toBeUndefined();
	await entering;
	expect(behind).toBeDefined();
	expect(clock.now()).toBe(8010);
});

test('a response counts for a second and a millisecond, even if another request comes in between', async () => {
	await pass(1);
	await clock.sleep(1000);
	expect(await pass(1)).toBe(1001);
});

test('it is idle only when nothing waits, is under way or counts, and there is no pause', async () => {
	expect(gate.isIdle).toBe(true);
	await pass();
	const place = await gate.enter(0, {});
	expect(gate.isIdle).toBe(false);
	place!.leave();
	expect(gate.isIdle).toBe(false);
	await clock.sleep(1001);
	expect(gate.isIdle).toBe(true);
	await pass();
	void gate.enter(1, {});
	expect(gate.isIdle).toBe(false);
	await clock.sleep(5000);
	gate.pause(10);
	expect(gate.isIdle).toBe(false);
});

/** Executions with their own limits on one channel. Each sends one message after the other. */
const plan = fc.record({
	executions: fc.array(
		fc.record({
			limit: fc.constantFrom(0, 1, 2, 3, 7),
			messages: fc.integer({ min: 1, max: 6 }),
			startAt: fc.nat({ max: 3000 }),
			withdrawAt: fc.option(fc.nat({ max: 9000 }), { nil: undefined, freq: 5 }),
		}),
		{ minLength: 1, maxLength: 6 },
	),
	latencies: fc.array(fc.nat({ max: 1500 }), { minLength: 1, maxLength: 5 }),
	pauseAt: fc.option(fc.nat({ max: 4000 }), { nil: undefined }),
});

test('property: each execution of a channel ends, and starts no message over its limit', async () => {
	await fc.assert(
		fc.asyncProperty(plan, async ({ executions, latencies, pauseAt }) => {
			const clock = new VirtualClock();
			const gate = new Gate(new Pace(clock), clock);
			/** When each request left and arrived, which is before its response. */
			const arrivals: Array<{ left: number; at: number; order: number }> = [];
			const limits: number[] = [];
			let paused: { from: number; until: number } | undefined;
			const run = async ({ limit, messages, startAt, withdrawAt }: (typeof executions)[number]) => {
				await clock.sleep(startAt);
				const owner = {};
				if (withdrawAt !== undefined) void clock.sleep(withdrawAt).then(() => gate.withdraw(owner));
				for (let message = 0; message < messages; message++) {
					const place = await gate.enter(limit, owner);
					if (!place) return;
					const order = arrivals.length;
					const latency = latencies[order % latencies.length]!;
					limits[order] = limit;
					arrivals[order] = { left: clock.now(), at: clock.now() + Math.floor(latency / 2), order };
					await clock.sleep(latency);
					place.leave();
				}
			};
			const all = executions.map(run);
			if (pauseAt !== undefined)
				void clock.sleep(pauseAt).then(() => {
					gate.pause(700);
					paused = { from: clock.now(), until: clock.now() + 700 };
				});
			await Promise.all(all);
			for (const { at, order } of arrivals) {
				const limit = limits[order]!;
				if (limit === 0) continue;
				// Earlier requests that may arrive in the same second.
				const before = arrivals.filter(
					(other) => other.order < order && Math.abs(other.at - at) < 1000,
				);
				const together = before.map(({ at: time }) => time);
				expect(mostInOneSecond([...together.filter((time) => time <= at), at])).toBeLessThanOrEqual(
					Math.max(limit, mostInOneSecond(together)),
				);
			}
			if (paused)
				for (const { left } of arrivals)
					expect(left > paused.from && left < paused.until).toBe(false);
			expect(clock.now()).toBeLessThan(200_000);
		}),
		{ numRuns: runs(500) },
	);
});
