/** What all executions of a process share by a name: the keys of a node, the limiter of a channel. */
import type { KeyMemory } from '../../../nodes/BusinessMessaging/sending/onceKeys.ts';
import { onceKeysOf } from '../../../nodes/BusinessMessaging/sending/onceKeys.ts';
import { limiterOf } from '../../../nodes/BusinessMessaging/sending/rateLimiter.ts';

/** As many as are kept before those are forgotten at which nothing happens. */
const MOST_KEPT = 1000;

const memory: KeyMemory = {
	record: () => Promise.resolve(new Set()),
	remove: () => Promise.resolve(),
};

const limiterNamed = (name: string) => limiterOf('account', name);

async function occupyLimiter(name: string): Promise<object> {
	await limiterNamed(name).enter(0, {});
	return limiterNamed(name);
}

async function occupyKeys(name: string): Promise<object> {
	await onceKeysOf(name).claim({ key: 'order 1', fingerprint: 'content' }, memory);
	return onceKeysOf(name);
}

test.each([
	['limiters', limiterNamed, occupyLimiter],
	['keys', onceKeysOf, occupyKeys],
] as const)(
	'%s: each name has one for good, until there are many: then those in use stay',
	async (_kind, named, occupy) => {
		const busy = await occupy('busy');
		expect(named('busy')).toBe(busy);
		const idle = named('idle');
		expect(idle).not.toBe(busy);
		for (let count = 2; count < MOST_KEPT; count++) named(`name ${count}`);
		expect(named('idle')).toBe(idle);
		named('one more');
		expect(named('busy')).toBe(busy);
		expect(named('idle')).not.toBe(idle);
	},
);

test('a channel has one limiter, however its ID is written, and none with another account', () => {
	const id = '019e4c54b1b375a28970b605ca9b03c3';
	expect(limiterOf('first', id.toUpperCase())).toBe(limiterOf('first', id));
	expect(limiterOf('second', id)).not.toBe(limiterOf('first', id));
});
