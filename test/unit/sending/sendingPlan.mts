/** Must hold for every plan of sending: each item is accepted at most once, in order per recipient, within bounds, and has an outcome. */
import { expect } from 'expect';
import fc from 'fast-check';

import { SentRecord } from '../../../nodes/BusinessMessaging/sending/sentRecord.ts';
import type { ServiceError } from '../../../nodes/BusinessMessaging/service/errors.ts';
import {
	failure,
	FakeService,
	jobsTo,
	mostInOneSecond,
	sendAll,
	settingsFor,
} from './fakeService.mts';
import { VirtualClock } from './virtualClock.mts';

/** Texts, a service that fails and is slow in this way, and a node that is cancelled and run again. */
export const sendingPlan = fc.record({
	recipients: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1, maxLength: 25 }),
	latencies: fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 10 }),
	failures: fc.array(
		fc.record({
			item: fc.nat({ max: 24 }),
			kind: fc.constantFrom('refused', 'lost', 'slow down', 'unavailable'),
			wait: fc.nat({ max: 3000 }),
		}),
		{ maxLength: 12 },
	),
	maxConcurrency: fc.integer({ min: 1, max: 6 }),
	maxPerSecond: fc.constantFrom(0, 1, 3, 10),
	cancelAt: fc.option(fc.nat({ max: 3000 }), { nil: undefined, freq: 3 }),
	stopOnFailure: fc.boolean(),
	tries: fc.integer({ min: 1, max: 4 }),
});
export type SendingPlan = typeof sendingPlan extends fc.Arbitrary<infer Value> ? Value : never;

export async function checkSendingPlan({
	recipients,
	latencies,
	failures,
	maxConcurrency,
	maxPerSecond,
	cancelAt,
	stopOnFailure,
	tries,
}: SendingPlan): Promise<void> {
	const jobs = jobsTo(recipients);
	const plans = new Map<string, ServiceError[]>();
	for (const { item, kind, wait } of failures) {
		const error = {
			refused: failure('rejected', 'none'),
			lost: failure('connection_lost', 'unknown'),
			'slow down': failure('rate_limited', 'none', wait),
			unavailable: failure('service_unavailable', 'none'),
		}[kind];
		plans.set(`text ${item}`, [...(plans.get(`text ${item}`) ?? []), error]);
	}
	const store = {};
	const acceptedOverall: string[] = [];
	for (let round = 0; round < tries; round++) {
		const cancel = new AbortController();
		const clock = new VirtualClock(cancel.signal);
		const cancelled = round === 0 && cancelAt !== undefined;
		if (cancelled) void clock.sleep(cancelAt).then(() => cancel.abort());
		const service = new FakeService(
			clock,
			({ text }) => latencies[Number(text.slice(5)) % latencies.length]!,
			plans,
			cancel.signal,
		);
		const outcomes = await sendAll(
			jobs,
			settingsFor(service, clock, {
				sentRecord: SentRecord.open(store, 0),
				maxConcurrency,
				maxPerSecond,
				stopOnFailure,
				signal: cancel.signal,
			}),
		);

		expect(service.inFlight).toBe(0);
		expect(service.mostInFlight).toBeLessThanOrEqual(maxConcurrency);
		if (maxPerSecond > 0)
			expect(mostInOneSecond(service.arrivals.map(({ at }) => at))).toBeLessThanOrEqual(
				maxPerSecond,
			);
		for (const recipient of new Set(recipients)) {
			const order = service.accepted
				.filter((text) => recipients[Number(text.slice(5))] === recipient)
				.map((text) => Number(text.slice(5)));
			expect(order).toEqual([...order].sort((left, right) => left - right));
		}
		acceptedOverall.push(...service.accepted);
		const hasFailed = [...outcomes.values()].some((outcome) => outcome && 'error' in outcome);
		for (const { index } of jobs) {
			const outcome = outcomes.get(index);
			if (outcome && 'messageId' in outcome) expect(acceptedOverall).toContain(`text ${index}`);
			if (!outcome) expect(cancelled || (stopOnFailure && hasFailed)).toBe(true);
		}
	}
	expect(new Set(acceptedOverall).size).toBe(acceptedOverall.length);
}
