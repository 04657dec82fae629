import { getEventListeners } from 'node:events';

import { laterBy, withHostClock } from '#nodes/shared/tools/clock.ts';

test('wakes all sleepers when the signal aborts, and lets none sleep afterwards', async () => {
	const cancel = new AbortController();
	await withHostClock(cancel.signal, async (clock) => {
		const started = clock.now();
		const sleepers = Array.from({ length: 50 }, async () => await clock.sleep(3_000));
		// One listener for all of them, because more than ten are reported as a leak.
		expect(getEventListeners(cancel.signal, 'abort')).toHaveLength(1);
		cancel.abort();
		await Promise.all(sleepers);
		await clock.sleep(3_000);
		expect(clock.now() - started).toBeLessThan(2_500);
	});
	expect(getEventListeners(cancel.signal, 'abort')).toHaveLength(0);
});

test('sleeps for the whole time without a signal', async () => {
	await withHostClock(undefined, async (clock) => {
		const started = clock.now();
		await clock.sleep(20);
		expect(clock.now() - started).toBeGreaterThanOrEqual(19);
	});
});

test('a zone that nobody knows stops nothing: the time is told in UTC', () => {
	expect(laterBy(0, 'Nowhere/City').said).toMatch(/^\d\d:\d\d UTC$/);
	expect(laterBy(0, 'Asia/Tokyo').said).toMatch(/^\d\d:\d\d$/);
});
