/** Hours by the clocks of a zone, also on days on which they change. */
import fc from 'fast-check';

import { SendingHours } from '#nodes/sending/sendingHours.ts';
import { closed, failure, jobsTo, send, sharedWith, templateInstead } from './fakeService.mts';
import { VirtualClock } from '../../support/clocks.mts';
import { runs } from '../../support/runs.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = [0, 1, 2, 3, 4, 5, 6];
const minutes = (time: string) => {
	const [hour, minute] = time.split(':').map(Number) as [number, number];
	return hour * 60 + minute;
};
const hoursIn = (zone: string, from: string, to: string, days = WEEK) =>
	new SendingHours({ from: minutes(from), to: minutes(to), days: new Set(days) }, zone);

/** What a person sees on the zone's clocks, by another way than the code. */
const forms = new Map<string, Intl.DateTimeFormat>();
const clocks = (zone: string, at: number) => {
	const made = {
		timeZone: zone,
		hourCycle: 'h23',
		dateStyle: 'short',
		timeStyle: 'short',
	} as const;
	const form = forms.get(zone) ?? new Intl.DateTimeFormat('sv-SE', made);
	forms.set(zone, form);
	const [date = '', time = ''] = form.format(at).split(' ');
	return { minute: minutes(time), day: new Date(`${date}T00:00:00Z`).getUTCDay() };
};

const ZONES = ['America/Sao_Paulo', 'Asia/Kolkata', 'Asia/Kathmandu', 'Europe/Berlin', 'UTC'];

test('property: they are open exactly while the clocks say so, and open when they say', () => {
	const time = fc.integer({ min: 0, max: 24 * 60 });
	const plan = fc.record({
		zone: fc.constantFrom(...ZONES),
		// No clock of these zones changes in these months.
		at: fc.integer({ min: Date.UTC(2026, 10, 3), max: Date.UTC(2027, 1, 20) }),
		times: fc.uniqueArray(time, { minLength: 2, maxLength: 2 }),
		days: fc.subarray(WEEK, { minLength: 1 }),
	});
	fc.assert(
		fc.property(plan, ({ zone, at, times, days }) => {
			const [from, to] = times.sort((left, right) => left - right) as [number, number];
			const hours = new SendingHours({ from, to, days: new Set(days) }, zone);
			const isOpen = (time: number) => {
				const { minute, day } = clocks(zone, time);
				return days.includes(day) && minute >= from && minute < to;
			};
			const wait = hours.opensIn(at);
			expect(wait === 0).toBe(isOpen(at));
			expect(hours.opensIn(at)).toBe(wait);
			if (wait === 0) return;
			expect([isOpen(at + wait - 1), isOpen(at + wait)]).toEqual([false, true]);
			for (let later = at; later < at + wait; later += 5 * HOUR) expect(isOpen(later)).toBe(false);
			expect([hours.opensIn(at + wait), hours.opensIn(at)]).toEqual([0, wait]);
		}),
		{ numRuns: runs(300) },
	);
});

test.each([
	// Clocks of Berlin: 2:00 to 3:00 is skipped on 2027-03-28, and comes twice on 2026-10-25.
	['from a skipped time: after it', '02:30', '04:00', '2027-03-28T00:59Z', '2027-03-28T01:00Z'],
	['to a skipped time: until it', '01:00', '02:30', '2027-03-28T01:00Z', '2027-03-28T23:00Z'],
	['all of it skipped: the next day', '02:10', '02:50', '2027-03-28T00:00Z', '2027-03-29T00:10Z'],
	[
		'from a time that comes twice: the first',
		'02:30',
		'04:00',
		'2026-10-25T00:20Z',
		'2026-10-25T00:30Z',
	],
	['open between the two', '02:30', '04:00', '2026-10-25T01:10Z', '2026-10-25T01:10Z'],
	[
		'to a time that comes twice: the second',
		'01:00',
		'02:30',
		'2026-10-25T01:29Z',
		'2026-10-25T01:29Z',
	],
	['and no longer', '01:00', '02:30', '2026-10-25T01:30Z', '2026-10-26T00:00Z'],
	['to midnight', '00:00', '24:00', '2026-11-28T22:59Z', '2026-11-28T22:59Z'],
	['later than now at the end', '09:00', '20:00', '2026-11-28T19:00Z', '2026-11-29T08:00Z'],
])('%s', (_what, from, to, now, opens) => {
	const at = Date.parse(now);
	expect(new Date(at + hoursIn('Europe/Berlin', from, to).opensIn(at)).toISOString()).toBe(
		new Date(opens).toISOString(),
	);
});

test('a day that a zone left out is no opening', () => {
	// Samoa had no 30th of December 2011, a Friday.
	const at = Date.parse('2011-12-30T09:59Z');
	const opens = at + hoursIn('Pacific/Apia', '09:00', '20:00', [5]).opensIn(at);
	expect(new Date(opens).toISOString()).toBe('2012-01-05T19:00:00.000Z');
});

describe('a message outside of its hours', () => {
	/** Open for a time of the virtual clock. */
	const openUntil = (clock: VirtualClock, until: number) => ({
		opensIn: () => (clock.now() < until ? 0 : DAY - clock.now()),
	});
	const jobs = (clock: VirtualClock, until: number, to: string[]) =>
		jobsTo(to).map((job) => ({ ...job, hours: openUntil(clock, until) }));
	const OUTSIDE = {
		error: {
			reason: 'outside_hours',
			failure: { effect: 'none', retryAt: expect.any(String) as string },
		},
	};

	test('fails unsent, wherever it waits, and frees its key', async () => {
		const clock = new VirtualClock();
		const freed: string[] = [];
		const sent = await send(jobs(clock, 1000, ['a', 'b', 'c', 'c']), {
			...{ clock, latency: 400, maxConcurrency: 1 },
			onceKeys: { ...sharedWith(clock).onceKeys, free: async ({ key }) => void freed.push(key) },
		});
		expect(sent.accepted).toEqual(['text 0', 'text 1', 'text 2']);
		expect(sent.outcomes.get(3)).toMatchObject(OUTSIDE);
	});

	test('is looked at directly before its request', async () => {
		const clock = new VirtualClock();
		const request = async ({ text }: { text: string }, check: () => void) => {
			await clock.sleep(1000);
			check();
			return text;
		};
		const sent = await send(jobs(clock, 1000, ['a']), { clock, request });
		expect(sent.outcomes.get(0)).toMatchObject(OUTSIDE);
	});

	test('is finished if a part of it was sent before, and not if the service asked to wait', async () => {
		const item = async (refused: boolean) => {
			const clock = new VirtualClock();
			const [job] = jobs(clock, 300, ['a']);
			const part = (number: number) => ({
				...{ ...job!, text: `text ${number}`, part: { number, whole: 'whole' } },
			});
			return await send([{ index: 0, parts: [part(1), part(2), part(3)] }], {
				...{ clock, latency: 200 },
				failures: refused ? { 'text 1': [failure('rate_limited', 'none', 300)] } : {},
			});
		};
		expect((await item(false)).accepted).toEqual(['text 1', 'text 2', 'text 3']);
		const late = await item(true);
		expect([late.accepted, late.outcomes.get(0)]).toMatchObject([[], OUTSIDE]);
	});

	test('is not replaced by a template after them, and the error says that it was refused', async () => {
		const clock = new VirtualClock();
		const sent = await send(jobs(clock, 100, ['a']), {
			...{ clock, latency: 200, insteadOf: templateInstead, failures: { 'text 0': [closed()] } },
		});
		expect([sent.accepted, sent.outcomes.get(0)]).toMatchObject([[], OUTSIDE]);
		const { message } = (sent.outcomes.get(0) as { error: Error }).error;
		expect(message).toMatch(/window is closed for the text, and the template .*"Sending Hours"/);
	});
});
