/** What all executions of a process share: the keys of a node and the pace of a channel. */
import type { KeyMemory } from '#nodes/sending/once/keys.ts';
import { onceKeysOf } from '#nodes/sending/once/keys.ts';
import { paceOf } from '#nodes/sending/pace.ts';
import { steadyClock } from '#nodes/shared/tools/clock.ts';
import { Gate } from './gate.mts';

/** Above this number, idle ones are forgotten. */
const MAX_KEPT = 1000;

const memory: KeyMemory = {
	record: () => Promise.resolve(new Set()),
	remove: () => Promise.resolve(),
};

const paceNamed = (name: string) => paceOf('account', name);

test.each<[string, (name: string) => object, (name: string) => Promise<unknown>]>([
	['paces', paceNamed, async (name) => await new Gate(paceNamed(name), steadyClock).enter(0, {})],
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

test('a channel has one pace for each account, in any spelling of its ID', () => {
	const id = '019e4c54b1b375a28970b605ca9b03c3';
	expect(paceOf('first', id.toUpperCase())).toBe(paceOf('first', id));
	expect(paceOf('second', id)).not.toBe(paceOf('first', id));
});
