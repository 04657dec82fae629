/**
 * Holds for every plan of sending: each item has an outcome and is accepted at most once, as itself
 * or as its fallback, in order for each recipient, within limits.
 */
import { expect } from 'expect';
import fc from 'fast-check';

import { SentRecord } from '#nodes/sending/sentRecord.ts';
import type { ServiceError } from '#nodes/service/errors/index.ts';
import {
	closed,
	failure,
	FakeService,
	jobsTo,
	mostInOneSecond,
	numberOf,
	refused,
	sendAll,
	settingsFor,
	templateInstead,
} from './fakeService.mts';
import { VirtualClock } from '../../support/clocks.mts';

/** Texts, a service with failures and latencies, and a node that is cancelled and run again. */
export const sendingPlan = fc.record({
	recipients: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1, maxLength: 25 }),
	latencies: fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 10 }),
	failures: fc.array(
		fc.record({
			item: fc.nat({ max: 24 }),
			kind: fc.constantFrom('refused', 'lost', 'slow down', 'slower', 'unavailable', 'closed'),
			isOfFallback: fc.boolean(),
			wait: fc.nat({ max: 3000 }),
		}),
		{ maxLength: 12 },
	),
	maxConcurrency: fc.integer({ min: 1, max: 6 }),
	maxPerSecond: fc.constantFrom(0, 1, 3, 10),
	cancelAt: fc.option(fc.nat({ max: 3000 }), { nil: undefined, freq: 3 }),
	stopOnFailure: fc.boolean(),
	tries: fc.integer({ min: 1, max: 4 }),
	hasFallback: fc.boolean(),
});
export type SendingPlan = typeof sendingPlan extends fc.Arbitrary<infer Value> ? Value : never;

export async function checkSendingPlan(plan: SendingPlan): Promise<void> {
	const { recipients, latencies, failures, cancelAt, tries, hasFallback, ...policy } = plan;
	const { maxConcurrency, maxPerSecond, stopOnFailure } = policy;
	const jobs = jobsTo(recipients);
	const plans = new Map<string, ServiceError[]>();
	for (const { item, kind, wait, isOfFallback } of failures) {
		const error = {
			refused: refused(),
			lost: failure('connection_lost', 'unknown'),
			'slow down': failure('rate_limited', 'none', wait),
			slower: failure('rate_limited', 'none'),
			unavailable: failure('service_unavailable', 'none'),
			closed: closed(),
		}[kind];
		const message = `${isOfFallback ? 'template' : 'text'} ${item}`;
		plans.set(message, [...(plans.get(message) ?? []), error]);
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
			({ text }) => latencies[numberOf(text) % latencies.length]!,
			plans,
			cancel.signal,
		);
		const outcomes = await sendAll(
			jobs,
			settingsFor(service, clock, {
				sentRecord: SentRecord.open(store, 0),
				...policy,
				signal: cancel.signal,
				...(hasFallback ? { insteadOf: templateInstead } : {}),
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
				.map(numberOf)
				.filter((index) => recipients[index] === recipient);
			expect(order).toEqual([...order].sort((left, right) => left - right));
		}
		acceptedOverall.push(...service.accepted);
		const hasFailed = [...outcomes.values()].some((outcome) => outcome && 'error' in outcome);
		for (const { index } of jobs) {
			const outcome = outcomes.get(index);
			if (outcome && 'messageId' in outcome) {
				const sentAs = 'sentAs' in outcome ? outcome.sentAs : 'text';
				expect(acceptedOverall).toContain(`${sentAs} ${index}`);
			}
			if (!outcome) expect(cancelled || (stopOnFailure && hasFailed)).toBe(true);
		}
	}
	expect(new Set(acceptedOverall.map(numberOf)).size).toBe(acceptedOverall.length);
}
