/** What all executions of a process share: the keys of a node and the limiter of a channel. */
import type { KeyMemory } from '../../../nodes/BusinessMessaging/sending/once/keys.ts';
import { onceKeysOf } from '../../../nodes/BusinessMessaging/sending/once/keys.ts';
import { limiterOf } from '../../../nodes/BusinessMessaging/sending/rateLimiter.ts';

/** Above this number, idle ones are forgotten. */
const MAX_KEPT = 1000;

const memory: KeyMemory = {
	record: () => Promise.resolve(new Set()),
	remove: () => Promise.resolve(),
};

const limiterNamed = (name: string) => limiterOf('account', name);

test.each<[string, (name: string) => object, (name: string) => Promise<unknown>]>([
	['limiters', limiterNamed, async (name) => await limiterNamed(name).enter(0, {})],
	[
		'keys',
		onceKeysOf,
		async (name) => await onceKeysOf(name).claim({ key: '1', fingerprint: '' }, memory),
	],
])(
	'%s: each name keeps its own, and over 1,000 names only those in use stay',
	async (_kind, named, occupy) => {
		await occupy('busy');
		const [busy, idle] = [named('busy'), named('idle')];
		expect(idle).not.toBe(busy);
		for (let count = 2; count < MAX_KEPT; count++) named(`name ${count}`);
		expect(named('idle')).toBe(idle);
		named('one more');
		expect(named('busy')).toBe(busy);
		expect(named('idle')).not.toBe(idle);
	},
);

test('a channel has one limiter for each account, in any spelling of its ID', () => {
	const id = '019e4c54b1b375a28970b605ca9b03c3';
	expect(limiterOf('first', id.toUpperCase())).toBe(limiterOf('first', id));
	expect(limiterOf('second', id)).not.toBe(limiterOf('first', id));
});
