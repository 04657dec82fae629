import { RateLimiter } from '../../../nodes/BusinessMessaging/sending/rateLimiter.ts';
import { VirtualClock } from './virtualClock.mts';

const MINUTE = 60_000;

let clock: VirtualClock;
let limiter: RateLimiter;
beforeEach(() => {
	clock = new VirtualClock();
	limiter = new RateLimiter(clock);
});
const refuse = (recipient: string, asked?: number) => limiter.refusals.refuse(recipient, asked);
const isHeld = (...recipients: string[]) => recipients.map((one) => limiter.refusals.isHeld(one));
const untilOpen = async (recipient: string, owner: object = {}) =>
	await limiter.refusals.untilOpen(recipient, owner);
/** When the next request may start, if its recipient is not held. */
async function entersAt(): Promise<number> {
	(await limiter.enter(0, {}))!.leave();
	return clock.now();
}
/** Refuses whenever all pauses are over, until a minute passed in vain. */
async function refuseOn(...recipients: string[]): Promise<void> {
	let pauses;
	do {
		pauses = recipients.flatMap((recipient) => refuse(recipient) ?? []);
		await clock.sleep(Math.max(0, ...pauses.map(({ milliseconds }) => milliseconds)));
	} while (pauses.length > 0);
}

test('recipient paused: others go on', async () => {
	expect(refuse('a')).toEqual({ of: 'recipient', milliseconds: 1000 });
	expect(isHeld('a', 'b')).toEqual([true, false]);
	expect([await entersAt(), await untilOpen('a'), clock.now()]).toEqual([0, 'open', 1000]);
	expect(refuse('a')).toEqual({ of: 'recipient', milliseconds: 2000 });
});

test('channel paused: by a second recipient within the pause, and not after it', async () => {
	refuse('a', 5000);
	await clock.sleep(4000);
	expect(refuse('b')).toEqual({ of: 'channel', milliseconds: 1000 });
	expect(await entersAt()).toBe(5000);
	limiter.refusals.accept('c');
	await clock.sleep(2000);
	expect(refuse('c')).toEqual({ of: 'recipient', milliseconds: 1000 });
	expect(isHeld('d')).toEqual([false]);
	expect(await entersAt()).toBe(7000);
});

test('a channel stays held until a message is accepted, by the next 429 of anybody', async () => {
	refuse('a');
	refuse('b');
	await clock.sleep(1000);
	expect(refuse('c')).toEqual({ of: 'channel', milliseconds: 2000 });
	expect(await entersAt()).toBe(3000);
	limiter.refusals.accept('d');
	expect(refuse('a')).toMatchObject({ of: 'recipient' });
});

test('recipient in vain: what waits for it fails until a minute is over, others go on', async () => {
	await refuseOn('a');
	expect(clock.now()).toBe(MINUTE);
	expect(await untilOpen('a')).toBe('inVain');
	expect(await untilOpen('b')).toBe('open');
	expect(await entersAt()).toBe(MINUTE);
	await clock.sleep(MINUTE);
	expect(await untilOpen('a')).toBe('open');
	expect(refuse('a')).toMatchObject({ milliseconds: 1000 });
});

test.each(['a', 'c'])(
	'channel in vain: all fails until a message to %s is accepted',
	async (to) => {
		await refuseOn('a', 'b');
		expect(clock.now()).toBe(MINUTE);
		expect(isHeld('a', 'b', 'c')).toEqual([true, true, true]);
		expect(await untilOpen('c')).toBe('inVain');
		limiter.refusals.accept(to);
		expect(isHeld('c', to)).toEqual([false, false]);
	},
);

test('what waits for a recipient or the pace fails at once when the channel is in vain', async () => {
	refuse('c', 10 * MINUTE);
	const waiting = untilOpen('c');
	const place = await limiter.enter(1, {});
	const atPace = limiter.enter(1, {});
	await refuseOn('a', 'b');
	expect([await waiting, await atPace, clock.now()]).toEqual(['inVain', undefined, MINUTE]);
	place!.leave();
});

test('three wait for a recipient, a fourth fails at once, and those withdrawn make room', async () => {
	refuse('a', 5000);
	const [first, ...others] = [{}, {}, {}];
	const waiting = [first, ...others].map(async (owner) => await untilOpen('a', owner));
	expect(await untilOpen('a')).toBe('crowded');
	expect(await untilOpen('b')).toBe('open');
	expect(clock.now()).toBe(0);
	limiter.withdraw(first);
	expect(await waiting[0]).toBe('withdrawn');
	const late = untilOpen('a');
	expect(await untilOpen('a')).toBe('crowded');
	expect(await Promise.all([...waiting.slice(1), late])).toEqual(['open', 'open', 'open']);
	expect(clock.now()).toBe(5000);
});

test('who waits for a pause also waits for a longer one that begins later, in its place', async () => {
	refuse('a');
	const waiting = [1, 2, 3].map(async () => await untilOpen('a'));
	refuse('a', 3000);
	await Promise.all(waiting);
	expect(clock.now()).toBe(3000);
});

test('a channel is not idle while it is held, and a minute after', async () => {
	refuse('a');
	await clock.sleep(MINUTE);
	expect(limiter.isIdle).toBe(false);
	await clock.sleep(1000);
	expect(limiter.isIdle).toBe(true);
});
