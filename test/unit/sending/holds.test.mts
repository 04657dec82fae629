import { Holds } from '../../../nodes/BusinessMessaging/sending/holds.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

let holds: Holds;
let now: number;
beforeEach(() => {
	holds = new Holds();
	now = 0.4;
});
const refuse = (recipient: string, asked?: number) => {
	holds.refuse(now, recipient, holds.depart(), asked);
	return holds.of(recipient, now);
};
const accept = (recipient: string) => holds.accept(now, recipient, holds.depart());
/** Refuses whenever a pause is over. @returns the seconds of each pause, until nobody waits */
function refuseOn(...recipients: string[]): number[] {
	const pauses: number[] = [];
	for (;;) {
		const held = recipients.map((recipient) => refuse(recipient)).at(-1);
		if (!held || held.isVain) return pauses;
		pauses.push(Math.round((held.until - now) / SECOND));
		now = held.until;
	}
}
const isHeld = (...recipients: string[]) =>
	recipients.map((recipient) => holds.of(recipient, now) !== undefined);

test('a recipient is paused for longer each time, a minute together, and others are not', () => {
	expect(refuse('a')).toMatchObject({ of: 'recipient', isVain: false });
	expect(isHeld('a', 'b')).toEqual([true, false]);
	now += SECOND;
	expect(refuseOn('a')).toEqual([2, 4, 8, 16, 29]);
	expect(now).toBe(0.4 + MINUTE);
	expect(holds.of('a', now)).toMatchObject({ of: 'recipient', isVain: true, until: now + MINUTE });
	expect(isHeld('b')).toEqual([false]);
	now += MINUTE;
	expect(isHeld('a')).toEqual([false]);
	expect(refuseOn('a')).toEqual([1, 2, 4, 8, 16, 29]);
});

test('the channel is paused with the second recipient, a minute together, until a message is accepted', () => {
	expect(refuseOn('a', 'b')).toEqual([1, 2, 4, 8, 16, 29]);
	expect(holds.of('c', now)).toMatchObject({ of: 'channel', isVain: true });
	accept('c');
	expect(isHeld('c')).toEqual([false]);
	now += SECOND;
	expect(isHeld('a', 'b')).toEqual([false, false]);
	expect(refuse('a')).toMatchObject({ of: 'recipient' });
});

test('a recipient is not refused in vain while messages to others are accepted', () => {
	for (let count = 0; count < 20; count++) {
		const held = refuse('a');
		expect(held).toMatchObject({ of: 'recipient', isVain: false });
		now = held!.until;
		accept('b');
	}
	expect(now).toBeGreaterThan(10 * MINUTE);
	const pause = refuseOn('a').at(-1);
	expect(pause).toBeLessThanOrEqual(60);
	expect(isHeld('a')).toEqual([true]);
	accept('b');
	expect(isHeld('a')).toEqual([false]);
});

test('an accepted message begins the minute anew, and a pause lasts on', () => {
	refuse('a');
	now += SECOND;
	const departure = holds.depart();
	refuse('a');
	holds.accept(now, 'a', departure);
	expect(holds.of('a', now)).toMatchObject({ until: now + 2 * SECOND });
	now += 2 * SECOND;
	expect(refuseOn('a')).toEqual([1, 2, 4, 8, 16, 29]);
});

test('pauses that the service asks for do not count for the minute, and hold others for 15 minutes at most', () => {
	for (let count = 0; count < 5; count++) now = refuse('a', 90 * SECOND)!.until;
	expect(refuse('a')).toMatchObject({ isVain: false });
	now += MINUTE;
	expect(refuse('a', 60 * MINUTE)).toMatchObject({ until: now + 15 * MINUTE });
});

test('what left before a pause makes it longer only if the service asks', () => {
	const [early, earlier] = [holds.depart(), holds.depart()];
	refuse('a');
	now += 500;
	holds.refuse(now, 'a', early, undefined);
	expect(holds.of('a', now)).toMatchObject({ until: 0.4 + SECOND });
	holds.refuse(now, 'a', earlier, 3 * SECOND);
	expect(holds.of('a', now)).toMatchObject({ until: now + 3 * SECOND });
});

test('a 503 holds the channel for as long as it asks, and nothing is tried', () => {
	holds.pause(now, 20 * MINUTE);
	holds.pause(now, SECOND);
	const until = now + 15 * MINUTE;
	expect(holds.of('a', now)).toEqual({
		...{ of: 'channel', until, next: until, reason: 'service_unavailable', isVain: false },
	});
	now = until;
	expect(isHeld('a')).toEqual([false]);
});

test('a message of a refused recipient is no try, and a second is not tried', () => {
	refuse('a', 5 * MINUTE);
	refuse('b', 5 * MINUTE);
	expect(['a', 'b', 'c'].map((to) => holds.of(to, now)?.next)).toEqual([
		...[now + 5 * MINUTE, now + 5 * MINUTE, now + MINUTE],
	]);
	const before = now;
	now += MINUTE;
	const departure = holds.depart();
	expect(holds.isHeld('c', departure, now)).toBe(false);
	expect(holds.of('d', now)?.next).toBe(before + 5 * MINUTE);
	holds.refuse(now, 'c', departure, 15 * MINUTE);
	expect(holds.of('d', now)).toMatchObject({ until: before + 5 * MINUTE });
});

test('nothing is remembered a minute after a pause', () => {
	refuse('a');
	now += SECOND + MINUTE - 1;
	expect(holds.isIdle(now)).toBe(false);
	now += 1;
	expect(holds.isIdle(now)).toBe(true);
	expect(refuse('b')).toMatchObject({ of: 'recipient', until: now + SECOND });
});
