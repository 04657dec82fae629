import { Hold, MAX_ATTEMPTS } from '../../../nodes/BusinessMessaging/sending/hold.ts';

const SECOND = 1000;
const MINUTE = 60_000;

/** Refuses whenever a pause is over. @returns the seconds of each pause, and the time at the end */
function refuseOn(hold: Hold, from: number, asked?: number): { pauses: number[]; end: number } {
	const pauses: number[] = [];
	let now = from;
	for (;;) {
		hold.refuse(now, asked);
		if (hold.isInVain(now)) return { pauses, end: now };
		pauses.push(hold.pauseLeft(now) / SECOND);
		now += hold.pauseLeft(now);
	}
}

test('open: nothing is paused or in vain before a refusal', () => {
	const hold = new Hold();
	expect([hold.pauseLeft(0), hold.isInVain(0), hold.isTrying(0), hold.isOver(0)]).toEqual([
		0,
		false,
		false,
		true,
	]);
});

test('paused: longer each time, a minute together, and then in vain for a minute', () => {
	const hold = new Hold();
	expect(refuseOn(hold, 5000)).toEqual({ pauses: [1, 2, 4, 8, 16, 29], end: 5000 + MINUTE });
	expect(hold.pauseLeft(5000 + MINUTE)).toBe(0);
	expect(hold.isInVain(5000 + 2 * MINUTE - 1)).toBe(true);
	expect(hold.isInVain(5000 + 2 * MINUTE)).toBe(false);
});

test('what left before a pause began does not make it longer, unless the service asks', () => {
	const hold = new Hold();
	hold.refuse(0, undefined);
	hold.refuse(500, undefined);
	expect(hold.pauseLeft(500)).toBe(500);
	hold.refuse(500, 3000);
	expect(hold.pauseLeft(500)).toBe(3000);
	hold.refuse(600, 1000);
	expect(hold.pauseLeft(600)).toBe(2900);
	hold.refuse(3500, undefined);
	expect(hold.pauseLeft(3500)).toBe(2000);
});

test('time between the pauses belongs to the minute', () => {
	const hold = new Hold();
	hold.refuse(0, undefined);
	hold.refuse(58 * SECOND, undefined);
	expect(hold.pauseLeft(58 * SECOND)).toBe(2 * SECOND);
	hold.refuse(59.5 * SECOND + 1000, undefined);
	expect(hold.isInVain(61 * SECOND)).toBe(true);
});

test('an accepted message begins the minute anew, and a pause lasts on', () => {
	const hold = new Hold();
	hold.refuse(0, undefined);
	hold.refuse(1000, undefined);
	hold.accept();
	expect([hold.pauseLeft(1000), hold.isTrying(1000)]).toEqual([2000, false]);
	expect(refuseOn(hold, 3000).pauses).toEqual([1, 2, 4, 8, 16, 29]);
});

test('an accepted message ends what is in vain, and a later refusal begins anew', () => {
	const hold = new Hold();
	const { end } = refuseOn(hold, 0);
	hold.refuse(end, undefined);
	hold.refuse(end, 5000);
	expect([hold.isInVain(end), hold.pauseLeft(end)]).toEqual([true, 0]);
	hold.accept();
	expect(hold.isInVain(end)).toBe(false);
	hold.refuse(end, undefined);
	expect(hold.pauseLeft(end)).toBe(1000);
});

test('a minute after a pause it is forgotten', () => {
	const hold = new Hold();
	hold.refuse(0, undefined);
	hold.refuse(1000, undefined);
	const after = 3000 + MINUTE;
	expect([hold.isOver(after - 1), hold.isTrying(after - 1)]).toEqual([false, true]);
	expect([hold.isOver(after), hold.isTrying(after)]).toEqual([true, false]);
	hold.refuse(after, undefined);
	expect(hold.pauseLeft(after)).toBe(1000);
});

test('a wait that the service asks for is waited for, also beyond a minute, and not for ever', () => {
	const { pauses } = refuseOn(new Hold(), 0, 90 * SECOND);
	expect(pauses).toEqual(Array.from({ length: MAX_ATTEMPTS - 1 }, () => 90));
});
