/** Several executions of one process, and a service that refuses for some time. */
import fc from 'fast-check';

import { failure, jobsTo, sendAll, settingsFor, sharedWith, FakeService } from './fakeService.mts';
import type { TextMessage } from './fakeService.mts';
import { VirtualClock } from './virtualClock.mts';

const MINUTE = 60_000;

const plan = fc.record({
	executions: fc.array(
		fc.record({
			startAt: fc.nat({ max: 20_000 }),
			recipients: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 8 }),
			maxConcurrency: fc.integer({ min: 1, max: 4 }),
			maxPerSecond: fc.constantFrom(0, 0, 2),
		}),
		{ minLength: 1, maxLength: 6 },
	),
	/** Refused from a time on, for some time: a recipient, or all. */
	refusals: fc.array(
		fc.record({
			recipient: fc.constantFrom('a', 'b', 'all'),
			from: fc.nat({ max: 20_000 }),
			lasts: fc.nat({ max: 3 * MINUTE }),
			asked: fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: undefined }),
		}),
		{ maxLength: 3 },
	),
	latencies: fc.array(fc.nat({ max: 900 }), { minLength: 1, maxLength: 4 }),
});

test('property: who was refused is left alone for a second, all goes on in order, and ends', async () => {
	await fc.assert(
		fc.asyncProperty(plan, async ({ executions, refusals, latencies }) => {
			const clock = new VirtualClock();
			const { paceFor } = sharedWith(clock);
			const arrivals: Array<{ recipient: string; at: number }> = [];
			const ends: Array<{ recipient: string; at: number; isRefused: boolean }> = [];
			const execute = async ({ startAt, recipients, ...policy }: (typeof executions)[number]) => {
				await clock.sleep(startAt);
				const accepted: TextMessage[] = [];
				const send = async (job: TextMessage) => {
					const { recipient } = job;
					arrivals.push({ recipient, at: clock.now() });
					const refusal = refusals.find(
						({ recipient: who, from, lasts }) =>
							[recipient, 'all'].includes(who) && clock.now() >= from && clock.now() < from + lasts,
					);
					await clock.sleep(latencies[arrivals.length % latencies.length]!);
					ends.push({ recipient, at: clock.now(), isRefused: refusal !== undefined });
					if (refusal) throw failure('rate_limited', 'none', refusal.asked);
					accepted.push(job);
					return `id of ${job.text}`;
				};
				const outcomes = await sendAll(jobsTo(recipients), {
					...settingsFor(new FakeService(clock), clock, policy),
					paceFor,
					request: send,
				});
				expect(outcomes.size).toBe(recipients.length);
				for (const outcome of outcomes.values())
					if ('error' in outcome)
						expect(outcome).toMatchObject({ error: { reason: 'rate_limited' } });
				for (const recipient of recipients) {
					const order = accepted.flatMap((job) => (job.recipient === recipient ? job.index : []));
					expect(order).toEqual([...order].sort((left, right) => left - right));
				}
			};
			await Promise.all(executions.map(execute));
			const pausedFrom = new Map<string, number>();
			for (const { recipient, at, isRefused } of ends) {
				// What left before the pause does not make it longer.
				const isInPause = at < (pausedFrom.get(recipient) ?? -Infinity) + 1000;
				if (!isRefused || isInPause) continue;
				pausedFrom.set(recipient, at);
				const soon = arrivals.filter(
					(arrival) => arrival.recipient === recipient && arrival.at > at && arrival.at < at + 1000,
				);
				// A message that was under way ends what is in vain.
				const opened = ends.some((end) => !end.isRefused && end.at >= at && end.at < at + 1000);
				if (!opened) expect(soon).toEqual([]);
			}
			const over = Math.max(0, ...refusals.map(({ from, lasts }) => from + lasts));
			expect(clock.now()).toBeLessThan(Math.max(over, 20_000) + 2 * MINUTE);
		}),
		{ numRuns: Number(process.env.PROPERTY_RUNS ?? 300) },
	);
});
