import { Holds } from '#nodes/sending/holds.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

let holds: Holds;
let now: number;
beforeEach(() => {
	holds = new Holds();
	now = 0.4;
});
const refuse = (recipient: string, asked?: number) => {
	holds.refuse(now, recipient, holds.depart(recipient, now), asked);
	return holds.of(recipient, 0, now);
};
const accept = (recipient: string) => holds.accept(now, recipient, holds.depart(recipient, now));
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
	recipients.map((recipient) => holds.of(recipient, 0, now) !== undefined);

test('a recipient is paused for longer each time, a minute together, and others are not', () => {
	expect(refuse('a')).toMatchObject({ of: 'recipient', isVain: false });
	expect(isHeld('a', 'b')).toEqual([true, false]);
	now += SECOND;
	expect(refuseOn('a')).toEqual([2, 4, 8, 16, 29]);
	expect(now).toBe(0.4 + MINUTE);
	expect(holds.of('a', 0, now)).toMatchObject({
		of: 'recipient',
		isVain: true,
		until: now + MINUTE,
	});
	expect(isHeld('b')).toEqual([false]);
	now += MINUTE;
	expect(isHeld('a')).toEqual([false]);
	expect(refuseOn('a')).toEqual([1, 2, 4, 8, 16, 29]);
});

test('the channel is paused with the third recipient, a minute together, until a message is accepted', () => {
	expect([refuse('a'), refuse('b')]).toMatchObject([{ of: 'recipient' }, { of: 'recipient' }]);
	expect(isHeld('a', 'b', 'c')).toEqual([true, true, false]);
	now += SECOND;
	expect(refuseOn('a', 'b', 'c')).toEqual([1, 2, 4, 8, 16, 29]);
	expect(holds.of('d', 0, now)).toMatchObject({ of: 'channel', isVain: true });
	accept('d');
	expect(isHeld('d')).toEqual([false]);
	now += SECOND;
	expect(isHeld('a', 'b')).toEqual([false, false]);
	expect(refuse('a')).toMatchObject({ of: 'recipient' });
});

describe('after two refused recipients', () => {
	const tried = () =>
		['a', 'c', 'd'].map((recipient) => holds.triedUntil(recipient, now) - now > 0);
	beforeEach(() => {
		for (const recipient of ['a', 'b']) refuse(recipient);
	});

	test('a third is tried, and one more every two seconds while there is no response', () => {
		expect(tried()).toEqual([false, false, false]);
		const departure = holds.depart('c', now);
		expect(tried()).toEqual([false, true, true]);
		now += 2 * SECOND;
		expect(tried()).toEqual([false, false, false]);
		holds.depart('d', now);
		expect(holds.triedUntil('c', now)).toBe(now + 2 * SECOND);
		holds.refuse(now, 'c', departure, undefined);
		expect(holds.of('e', 0, now)).toMatchObject({ of: 'channel' });
	});

	test('a try that says nothing of the others makes the next message the try', () => {
		holds.end(holds.depart('c', now), false);
		expect(tried()).toEqual([false, false, false]);
		holds.end(holds.depart('d', now), true);
		holds.depart('c', now);
		expect(tried()).toEqual([false, true, true]);
		accept('z');
		expect(tried()).toEqual([false, false, false]);
	});

	test('a refusal counts until a minute after its pause is over', () => {
		now += SECOND + MINUTE - 1;
		holds.depart('c', now);
		expect(tried()).toEqual([false, true, true]);
		now += 1;
		expect(tried()).toEqual([false, false, false]);
		holds.refuse(now, 'c', holds.depart('c', now), 5 * SECOND);
		expect(isHeld('c', 'd')).toEqual([true, false]);
	});
});

test('three refused recipients hold nobody else while messages are accepted between', () => {
	for (const recipient of ['a', 'b', 'c', 'd', 'e']) {
		expect(refuse(recipient, 90 * SECOND)).toMatchObject({ of: 'recipient' });
		if (recipient === 'b' || recipient === 'd') accept('z');
	}
	expect(isHeld('f')).toEqual([false]);
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
	const departure = holds.depart('a', now);
	refuse('a');
	holds.accept(now, 'a', departure);
	expect(holds.of('a', 0, now)).toMatchObject({ until: now + 2 * SECOND });
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
	const [early, earlier] = [holds.depart('a', now), holds.depart('a', now)];
	refuse('a');
	now += 500;
	holds.refuse(now, 'a', early, undefined);
	expect(holds.of('a', 0, now)).toMatchObject({ until: 0.4 + SECOND });
	holds.refuse(now, 'a', earlier, 3 * SECOND);
	expect(holds.of('a', 0, now)).toMatchObject({ until: now + 3 * SECOND });
});

test('a 503 holds the channel for as long as it asks, and nothing is tried', () => {
	holds.pause(now, 20 * MINUTE);
	holds.pause(now, SECOND);
	const until = now + 15 * MINUTE;
	expect(holds.of('a', 0, now)).toEqual({
		...{ of: 'channel', until, next: until, reason: 'service_unavailable' },
		...{ isOwn: false, isVain: false },
	});
	now = until;
	expect(isHeld('a')).toEqual([false]);
});

test('a message of a refused recipient is no try, and a second is not tried', () => {
	for (const recipient of ['a', 'b', 'z']) refuse(recipient, 5 * MINUTE);
	expect(['a', 'b', 'c'].map((to) => holds.of(to, 0, now)?.next)).toEqual([
		...[now + 5 * MINUTE, now + 5 * MINUTE, now + MINUTE],
	]);
	const before = now;
	now += MINUTE;
	const early = holds.depart('c', now);
	// It was held back before its request, so another is the try.
	holds.end(early, false);
	const departure = holds.depart('c', now);
	expect(holds.of('c', departure, now)).toBeUndefined();
	expect(holds.of('d', 0, now)?.next).toBe(before + 5 * MINUTE);
	holds.refuse(now, 'c', departure, 15 * MINUTE);
	expect(holds.of('d', 0, now)).toMatchObject({ until: before + 5 * MINUTE });
});

test('nothing is remembered a minute after a pause', () => {
	refuse('a');
	now += SECOND + MINUTE - 1;
	expect(holds.isIdle(now)).toBe(false);
	now += 1;
	expect(holds.isIdle(now)).toBe(true);
	expect(refuse('b')).toMatchObject({ of: 'recipient', until: now + SECOND });
});
