/** The machine's date changes while requests wait. Spans use another clock. */
import { jest } from '@jest/globals';

import { limiterOf } from '../../../nodes/BusinessMessaging/sending/rateLimiter.ts';
import { steadyClock } from '../../../nodes/BusinessMessaging/shared/clock.ts';

const HOUR = 3_600_000;
const now = Date.now.bind(Date);
const setDate = (by: number) => jest.spyOn(Date, 'now').mockImplementation(() => now() + by);

afterEach(() => jest.restoreAllMocks());

/** Milliseconds until all are admitted, by the test's own clock. */
async function entersAfter(limiter: ReturnType<typeof limiterOf>, count: number, most: number) {
	const start = performance.now();
	for (let entered = 0; entered < count; entered++) {
		const owner = {};
		const tooLate = setTimeout(() => limiter.withdraw(owner), 5000);
		const place = await limiter.enter(most, owner);
		clearTimeout(tooLate);
		if (!place) throw new Error('not let in within 5 s');
		place.leave();
	}
	return performance.now() - start;
}

test.each([
	['back', -HOUR],
	['forward', HOUR],
])('a pause ends on time with the date set %s by an hour', async (way, by) => {
	const limiter = limiterOf('pause', way);
	limiter.pause(200);
	setDate(by);
	const passed = await entersAfter(limiter, 1, 0);
	expect(passed).toBeGreaterThan(150);
	expect(passed).toBeLessThan(4000);
});

test.each([
	['back', -HOUR],
	['forward', HOUR],
])('the pace stays the same with the date set %s by an hour', async (way, by) => {
	const limiter = limiterOf('pace', way);
	await entersAfter(limiter, 2, 2);
	setDate(by);
	const passed = await entersAfter(limiter, 1, 2);
	expect(passed).toBeGreaterThan(800);
	expect(passed).toBeLessThan(4000);
});

test('the clock of spans ignores the date', () => {
	const before = steadyClock.now();
	setDate(-HOUR);
	expect(steadyClock.now()).toBeGreaterThanOrEqual(before);
	setDate(HOUR);
	expect(steadyClock.now() - before).toBeLessThan(HOUR / 2);
});
