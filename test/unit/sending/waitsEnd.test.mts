/** Executions with keys, refusals, pauses and cancellations, by a clock with fractions. */
import fc from 'fast-check';

import { ByteBudget } from '#nodes/sending/byteBudget.ts';
import { Pace, Places } from '#nodes/sending/pace.ts';
import type { KeyMemory } from '#nodes/sending/once/keys.ts';
import { processKeys, untilIdle } from './once/memory.mts';
import { closed, failure, FakeService, sendAll, settingsFor } from './fakeService.mts';
import type { TextMessage } from './fakeService.mts';
import { VirtualClock } from '../../support/clocks.mts';
import { runs } from '../../support/runs.mts';

const MINUTE = 60_000;

/** Timers end after whole milliseconds, as those of Node.js, and a little later. */
class FractionalClock extends VirtualClock {
	constructor(private readonly late: number) {
		super();
	}

	override async sleep(milliseconds: number, isNeeded?: () => boolean): Promise<void> {
		await super.sleep(Math.trunc(milliseconds) + (milliseconds > 0 ? this.late : 0), isNeeded);
	}
}

/** Takes no turn of the event loop, in which the clock would jump. */
function instantMemory(): KeyMemory {
	const stored = new Set<string>();
	return {
		record: async (values) => {
			const known = values.filter((value) => stored.has(value));
			for (const value of values) stored.add(value);
			return await Promise.resolve(new Set(known));
		},
		remove: async (values) => {
			for (const value of values) stored.delete(value);
			await Promise.resolve();
		},
	};
}

const plan = fc.record({
	executions: fc.array(
		fc.record({
			startAt: fc.nat({ max: 20 * MINUTE }),
			items: fc.array(
				fc.record({
					to: fc.constantFrom('a', 'b', 'c', 'd'),
					key: fc.constantFrom('one', 'two', undefined),
					bytes: fc.constantFrom(0, 0, 30, 80),
					hasFallback: fc.boolean(),
				}),
				{ minLength: 1, maxLength: 12 },
			),
			maxConcurrency: fc.integer({ min: 1, max: 3 }),
			maxPerSecond: fc.constantFrom(0, 0, 1),
			stopOnFailure: fc.boolean(),
			cancelAfter: fc.option(fc.nat({ max: 20 * MINUTE }), { nil: undefined }),
		}),
		{ minLength: 1, maxLength: 6 },
	),
	/** To each request in order, and then from the start. */
	answers: fc.array(
		fc.oneof(
			{ weight: 3, arbitrary: fc.constant('accepted' as const) },
			fc.record({
				reason: fc.constantFrom('rate_limited' as const, 'service_unavailable' as const),
				asked: fc.option(fc.nat({ max: 20 * MINUTE }), { nil: undefined }),
			}),
			fc.constantFrom('closed' as const, 'failed' as const, 'lost' as const),
		),
		{ minLength: 1, maxLength: 8 },
	),
	late: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
	latency: fc.nat({ max: 2000 }),
});

const FAILURES = {
	closed,
	failed: () => failure('service_error', 'unlikely'),
	lost: () => failure('connection_lost', 'unknown'),
};

test('property: all ends in time or with its execution, gives back what it took, and a key sends once', async () => {
	await fc.assert(
		fc.asyncProperty(plan, async ({ executions, answers, late, latency }) => {
			const clock = new FractionalClock(late);
			const places = new Places();
			const pace = new Pace(clock, places);
			const budget = new ByteBudget(100);
			const keys = processKeys();
			const memory = instantMemory();
			const accepted = new Map<string, number>();
			let requests = 0;
			const ends = executions.map(async ({ startAt, items, cancelAfter, ...policy }) => {
				await clock.sleep(startAt);
				const start = clock.now();
				const cancel = new AbortController();
				if (cancelAfter !== undefined) void clock.sleep(cancelAfter).then(() => cancel.abort());
				let underWay = 0;
				const jobs = items.map(({ to, key, bytes }, index): TextMessage => ({
					...{ index, name: 'text', channelId: 'A', recipient: to, text: `${index}` },
					...(bytes > 0 ? { fileId: `${bytes}` } : {}),
					...(key === undefined ? {} : { once: { key, fingerprint: to } }),
				}));
				const outcomes = await sendAll(jobs, {
					...settingsFor(new FakeService(clock), clock, policy),
					...{ paceFor: () => pace, signal: cancel.signal },
					takeRoom: ({ fileId = '0' }) => budget.take(Number(fileId), cancel.signal),
					insteadOf: ({ fileId: _, ...job }) =>
						items[job.index]!.hasFallback ? { ...job, name: 'template' } : undefined,
					request: async ({ once }) => {
						expect(++underWay).toBeLessThanOrEqual(policy.maxConcurrency);
						expect(cancel.signal.aborted).toBe(false);
						const answer = answers[requests++ % answers.length]!;
						await clock.sleep(latency);
						underWay--;
						if (typeof answer === 'object') throw failure(answer.reason, 'none', answer.asked);
						if (answer !== 'accepted') throw FAILURES[answer]();
						if (once) accepted.set(once.key, (accepted.get(once.key) ?? 0) + 1);
						return 'id';
					},
					onceKeys: {
						claim: async (once, takesDoubt, waits) =>
							await keys.claim(once, memory, takesDoubt, waits),
						confirm: async (once, covered) => await keys.confirm(once, memory, covered),
						free: async (once) => await keys.free(once, memory),
						leaveInDoubt: (once) => keys.leaveInDoubt(once),
					},
				});
				const isCancelled = cancel.signal.aborted;
				const hasFailed = [...outcomes.values()].some((outcome) => 'error' in outcome);
				if (!isCancelled && !(policy.stopOnFailure && hasFailed))
					expect(outcomes.size).toBe(items.length);
				for (const outcome of outcomes.values())
					if ('error' in outcome && outcome.error.message.includes('asks to'))
						expect(outcome.error).toHaveProperty('details.retryAt');
				// Each request takes its latency, and each slot of a limit a second more.
				const work = items.length * 3 * (latency + 1100) + MINUTE;
				// Items with keys wait for others, which begins no time of those behind them.
				const waits = 1 + items.filter(({ key }) => key !== undefined).length;
				const longest = Math.min(waits * 15 * MINUTE, cancelAfter ?? Infinity);
				expect(clock.now() - start).toBeLessThan(longest + work);
			});
			let isOver = false;
			const all = Promise.all(ends).finally(() => (isOver = true));
			const hangs = (async () => {
				// The clock moves while anything sleeps.
				for (let last = -1, idle = 0; idle < 200; idle++) {
					if (clock.now() !== last) idle = 0;
					last = clock.now();
					await new Promise((next) => setImmediate(next));
				}
				if (!isOver) throw new Error('something waits for ever');
			})();
			await Promise.race([all, hangs]);
			for (const count of accepted.values()) expect(count).toBe(1);
			await untilIdle(keys);
			expect(typeof budget.take(100)).toBe('function');
			for (const execution of [{}, {}, {}]) {
				expect(places.areOpenTo(execution)).toBe(true);
				places.take(execution, execution);
			}
			const cancels = executions.filter(({ cancelAfter }) => cancelAfter !== undefined);
			// A round of the event loop, which begins after each request.
			await new Promise((next) => setImmediate(next));
			if (cancels.length === 0) expect(clock.timers).toBe(0);
		}),
		{ numRuns: runs(300) },
	);
}, 120_000);
