import * as fc from 'fast-check';

import { readServiceTime, sentSpan, timingOf } from '#nodes/shared/texts/sentSpan.ts';
import { runs } from '../../support/runs.mts';

const CREATED = '2026-07-15T19:00:00.000+0000';
const at = Date.parse('2026-07-15T19:00:00.000Z');

it('a question was sent after its creation and before the end of its send, within a second more', () => {
	const span = sentSpan({ at: CREATED, times: { start: 100, end: 150 } }, { start: 400, end: 900 });
	expect(span).toEqual({ from: at + 250, until: at + 1800 });
});

it.each([
	['a time without a zone', '2026-07-15T19:00:00.000'],
	['no time', 'soon'],
	['nothing', undefined],
	['null', null],
])('with %s nobody knows when it was sent', (_what, time) => {
	expect(readServiceTime(time)).toBeUndefined();
	const times = { start: 0, end: 1 };
	expect(sentSpan({ at: time, times }, times)).toBeUndefined();
});

it.each([CREATED, '2026-07-15T19:00:00Z', '2026-07-15T21:00:00+02:00', '2026-07-15T14:30:00-0430'])(
	"reads %s as the service's time",
	(time) => {
		expect(readServiceTime(time)).toBe(at);
	},
);

const span = { from: 1000, until: 3000 };
it.each<[string, number | undefined, typeof span | null | undefined, string]>([
	['just before it', 999, span, 'before'],
	['at its begin', 1000, span, 'unclear'],
	['at its end', 3000, span, 'unclear'],
	['just after it', 3001, span, 'after'],
	['at no time', undefined, span, 'unclear'],
	['at a time, without a span', 5000, null, 'unclear'],
	['at a time, with none kept', 5000, undefined, 'unclear'],
])('tells when words were written: %s', (_when, written, between, timing) => {
	expect(timingOf(written, between)).toBe(timing);
});

it('the span contains the sending with any clocks, delays and precision, and ends in time', () => {
	const step = fc.double({ min: 0, max: 60_000, noNaN: true });
	fc.assert(
		fc.property(
			fc.integer({ min: -1e12, max: 1e12 }),
			fc.array(step, { minLength: 6, maxLength: 6 }),
			fc.constantFrom(1, 10, 1000),
			step,
			(difference, [toMake, made, between, toSend, sent, later], resolution, before) => {
				// By this process's clock.
				const start = 5000;
				const createdAt = start + toMake!;
				const created = { start, end: createdAt + made! };
				const sending = created.end + between!;
				const sentAt = sending + toSend!;
				const times = { start: sending, end: sentAt + sent! };
				// By the service's clock.
				const byService = (time: number) => 1.7e12 + difference + Math.floor(time);
				const told = Math.floor(byService(createdAt) / resolution) * resolution;
				const change = { at: new Date(told).toISOString(), times: created };
				const span = sentSpan(change, times)!;
				expect(span.from).toBeLessThanOrEqual(byService(sentAt));
				expect(span.until).toBeGreaterThanOrEqual(byService(sentAt));
				expect(timingOf(byService(sentAt - before), span)).not.toBe('after');
				expect(timingOf(byService(sentAt + later!), span)).not.toBe('before');
				// Nobody waits for ever. Words count two seconds after the response, plus the time of the
				// creation.
				const surely = times.end + created.end - created.start + 2000;
				expect(timingOf(byService(surely), span)).toBe('after');
			},
		),
		{ numRuns: runs(500) },
	);
});
