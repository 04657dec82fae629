/** The machine's date changes while requests wait. Spans use another clock. */
import { jest } from '@jest/globals';

import { paceOf } from '#nodes/sending/pace.ts';
import { steadyClock } from '#nodes/shared/tools/clock.ts';
import { Gate } from './gate.mts';

const HOUR = 3_600_000;
const now = Date.now.bind(Date);
const setDate = (by: number) => jest.spyOn(Date, 'now').mockImplementation(() => now() + by);

afterEach(() => jest.restoreAllMocks());

/** Milliseconds until all are admitted, by the test's own clock. */
async function entersAfter(gate: Gate, count: number, most: number) {
	const start = performance.now();
	for (let entered = 0; entered < count; entered++) {
		const owner = {};
		const tooLate = setTimeout(() => gate.withdraw(owner), 5000);
		const place = await gate.enter(most, owner);
		clearTimeout(tooLate);
		if (!place) throw new Error('not let in within 5 s');
		place.leave();
	}
	return performance.now() - start;
}

describe.each([
	['back', -HOUR],
	['forward', HOUR],
])('with the date set %s by an hour', (way, by) => {
	test.each<[string, number, number, number, number]>([
		['a pause ends on time', 0, 200, 0, 150],
		['the pace stays the same', 2, 0, 2, 800],
	])('%s', async (what, entered, pause, most, least) => {
		const gate = new Gate(paceOf(what, way), steadyClock);
		await entersAfter(gate, entered, most);
		gate.pause(pause);
		setDate(by);
		const passed = await entersAfter(gate, 1, most);
		expect(passed).toBeGreaterThan(least);
		expect(passed).toBeLessThan(4000);
	});
});

test('the clock of spans ignores the date', () => {
	const before = steadyClock.now();
	setDate(-HOUR);
	expect(steadyClock.now()).toBeGreaterThanOrEqual(before);
	setDate(HOUR);
	expect(steadyClock.now() - before).toBeLessThan(HOUR / 2);
});
