import { createHash } from 'node:crypto';
import { setImmediate as tick } from 'node:timers/promises';

import fc from 'fast-check';

import { entriesFor } from '#nodes/sending/once/entries.ts';
import type { KeyMemory, OnceKeys } from '#nodes/sending/once/keys.ts';
import type { KeyState } from '#nodes/sending/once/keyLocks.ts';
import { Memory, processKeys, untilIdle } from './memory.mts';
import { runs } from '../../../support/runs.mts';

const RUNS = runs(1000);

const onceKey = (key: string, fingerprint = 'content') => ({ key, fingerprint });
const turns = async (count: number) => {
	for (let turn = 0; turn < count; turn++) await tick();
};

let memory: Memory;
let keys: OnceKeys;
beforeEach(() => {
	memory = new Memory();
	keys = processKeys();
});
const claim = async (key: string, fingerprint?: string) =>
	await keys.claim(onceKey(key, fingerprint), memory);

test('a key is new, then sent, reused with other content, and new again after it was freed', async () => {
	expect(await claim('a')).toBe('new');
	await keys.confirm(onceKey('a'), memory);
	expect([await claim('a'), await claim('a', 'other'), await claim('b')]).toEqual([
		...['sent', 'reused', 'new'],
	]);
	await keys.free(onceKey('b'), memory);
	expect(await claim('b', 'other')).toBe('new');
	keys.leaveInDoubt(onceKey('b', 'other'));
	expect([await claim('b', 'other'), await claim('b')]).toEqual(['doubt', 'reused']);
	// Reading leaves nothing behind: begun twice each, and sent once.
	expect(memory.stored).toHaveLength(5);
	await untilIdle(keys);
});

test('keys that another covered are sent with it, in one call, and know their content', async () => {
	await claim('a');
	const { calls } = memory;
	await keys.confirm(onceKey('a'), memory, [onceKey('b'), onceKey('c')]);
	expect(memory.calls).toBe(calls + 1);
	expect([await claim('b'), await claim('c'), await claim('c', 'other')]).toEqual([
		...['sent', 'sent', 'reused'],
	]);
});

test('the memory has room for two entries of each key, and for a thousand under way', () => {
	expect(entriesFor(0)).toBe(1000);
	expect(entriesFor(10_000)).toBe(21_000);
});

/** The memory, with another way to record or remove. */
const memoryThat = (changes: Partial<KeyMemory>): KeyMemory => ({
	record: async (values) => await memory.record(values),
	remove: async (values) => await memory.remove(values),
	...changes,
});

test('a first record that collides with another process is tried once more', async () => {
	let tries = 0;
	const colliding = memoryThat({
		record: async (values) => {
			if (++tries === 1) throw new Error('two processes created the row');
			return await memory.record(values);
		},
	});
	expect(await keys.claim(onceKey('a'), colliding)).toBe('new');
	expect(tries).toBe(2);
});

test('it is idle only when no key is held and nothing is written', async () => {
	let letRemove = () => {};
	const remove = async () => await new Promise<void>((resolve) => (letRemove = resolve));
	const slow = memoryThat({ remove });
	const one = processKeys(1);
	await one.claim(onceKey('a'), slow);
	await tick();
	expect(one.isIdle).toBe(false);
	await one.confirm(onceKey('a'), slow);
	// The key's leftover entry is being removed.
	expect(one.isIdle).toBe(false);
	await tick();
	letRemove();
	await untilIdle(one);
});

/** Must never change, because the node must know the keys of earlier versions. */
test('the entries of a key keep their form across versions', async () => {
	const value = (...parts: string[]) =>
		createHash('sha256')
			.update(JSON.stringify(['n8n business messaging once v1', ...parts]))
			.digest('base64url');
	const begun = [value('begun', 'a'), value('begun with', 'a', 'content')];
	const [asking, sent] = [value('asking', 'a'), value('sent', 'a', 'content')];
	const recorded: string[][] = [];
	const watched = memoryThat({
		record: async (values) => {
			recorded.push(values);
			return await memory.record(values);
		},
	});
	await keys.claim(onceKey('a'), watched);
	await keys.confirm(onceKey('a'), watched);
	expect(await keys.claim(onceKey('a'), watched)).toBe('sent');
	// What a call wrote is recorded again in the next.
	expect(recorded).toEqual([begun, [begun[0], sent], [sent, ...begun], [asking], [sent]]);
});

test('leftover entries of sent keys are removed together, and the keys stay sent', async () => {
	keys = processKeys(3);
	for (const key of ['a', 'b', 'c']) {
		await claim(key);
		await keys.confirm(onceKey(key), memory);
	}
	await turns(5);
	// Begun and sent for each key.
	expect(memory.stored).toHaveLength(6);
	expect([await claim('b'), await claim('b', 'other')]).toEqual(['sent', 'reused']);
	expect(memory.stored).toHaveLength(6);
});

test.each([1, 2, 3])(
	'a key stays unknown, and is not sent, if n8n writes it and response %i is lost',
	async (lost) => {
		await claim('a');
		keys.leaveInDoubt(onceKey('a'));
		let calls = 0;
		const lossy = memoryThat({
			record: async (values) => {
				const known = await memory.record(values);
				if (++calls === lost) throw new Error('connection lost');
				return known;
			},
		});
		const claimed = await keys.claim(onceKey('a'), lossy).catch(() => 'failed');
		expect(['doubt', 'failed']).toContain(claimed);
		expect(await claim('a')).toBe('doubt');
	},
);

test('many keys share few calls, one call at a time', async () => {
	const all = Array.from({ length: 100 }, (_, index) => `key ${index}`);
	const claims = await Promise.all(all.map(async (key) => await claim(key)));
	expect(new Set(claims)).toEqual(new Set(['new']));
	await Promise.all(all.map(async (key) => await keys.confirm(onceKey(key), memory)));
	expect(memory.calls).toBeLessThanOrEqual(4);
	expect(memory.mostAtOnce).toBe(1);
});

test('a claim waits for the holder of its key in this process', async () => {
	expect(await claim('a')).toBe('new');
	let second: KeyState | undefined;
	const waiting = claim('a').then((claimed) => (second = claimed));
	await turns(10);
	expect(second).toBeUndefined();
	await keys.confirm(onceKey('a'), memory);
	await waiting;
	expect(second).toBe('sent');
});

test('of many that wait for a key, one has it next, in order, and all learn that it was sent', async () => {
	const settled: string[] = [];
	const claims = ['a', 'b', 'a', 'b', 'a'].map(async (content, index) => {
		settled.push(`${index} ${await keys.claim(onceKey('key', content), memory)}`);
	});
	await turns(10);
	expect(settled).toEqual(['0 new']);
	await keys.free(onceKey('key', 'a'), memory);
	await turns(10);
	expect(settled).toEqual(['0 new', '1 new']);
	const { calls } = memory;
	await keys.confirm(onceKey('key', 'b'), memory);
	await Promise.all(claims);
	expect(settled.slice(2)).toEqual(['2 reused', '3 sent', '4 reused']);
	expect(memory.calls).toBe(calls + 1);
	await untilIdle(keys);
});

test('who takes doubt holds the key, also after a reader of the key died', async () => {
	const lost = onceKey('a');
	const first = processKeys();
	await first.claim(lost, memory);
	first.leaveInDoubt(lost);
	for (const call of [1, 2, 3, 4]) {
		const dying = new Memory(memory.stored, { call, hasWritten: true });
		void processKeys().claim(lost, dying, true);
		await deadAfter(dying, call, () => false);
		expect(await processKeys().claim(lost, memory)).toBe('doubt');
	}
	expect(await keys.claim(lost, memory, true)).toBe('new');
	let isFree = false;
	const next = keys.claim(lost, memory, true).then((claim) => ((isFree = true), claim));
	await turns(20);
	expect(isFree).toBe(false);
	await keys.free(lost, memory);
	expect(await next).toBe('new');
	// It may have been sent before it was refused.
	await keys.free(lost, memory);
	expect(await keys.claim(lost, memory)).toBe('doubt');
	expect(await keys.claim(lost, memory, true)).toBe('new');
	keys.leaveInDoubt(lost);
	expect(await keys.claim(lost, memory, true)).toBe('new');
	await keys.confirm(lost, memory);
	expect(await keys.claim(lost, memory, true)).toBe('sent');
	await untilIdle(keys);
});

test('what readers that died left of two contents does not say that one was sent', async () => {
	const [lost, other] = [onceKey('a', 'lost'), onceKey('a', 'other')];
	const first = processKeys();
	await first.claim(lost, memory);
	first.leaveInDoubt(lost);
	// The first dies before it takes back what it asked for, the second before it asks.
	for (const [once, call] of [[lost, 4] as const, [other, 2] as const]) {
		const dying = new Memory(memory.stored, { call, hasWritten: false });
		void processKeys().claim(once, dying);
		await deadAfter(dying, call, () => false);
	}
	expect(await keys.claim(other, memory, true)).toBe('new');
	await keys.free(other, memory);
	expect(await keys.claim(lost, memory, true)).toBe('new');
	await keys.confirm(lost, memory);
	expect(await keys.claim(lost, memory, true)).toBe('sent');
});

test('a claim takes nothing if the memory fails', async () => {
	const fails = () => Promise.reject(new Error('no such workflow'));
	const broken = memoryThat({ record: fails, remove: fails });
	await expect(keys.claim(onceKey('a'), broken)).rejects.toThrow('no such workflow');
	await untilIdle(keys);
	expect(await claim('a')).toBe('new');
});

type Ending = 'accepted' | 'refused' | 'lost';
const message = fc.record({
	key: fc.constantFrom('a', 'b', 'c'),
	fingerprint: fc.constantFrom('x', 'x', 'x', 'y'),
	ending: fc.constantFrom<Ending>('accepted', 'accepted', 'refused', 'lost'),
});
const life = fc.record({
	messages: fc.array(message, { maxLength: 8 }),
	diesAt: fc.option(
		fc.record({ call: fc.integer({ min: 1, max: 20 }), hasWritten: fc.boolean() }),
		{ nil: undefined },
	),
	isSideBySide: fc.boolean(),
	takesDoubt: fc.boolean(),
	mostLeft: fc.constantFrom(1, 2, 500),
});

test('property: after crashes at any step, no key sends twice, is unknown without reason, or waits forever', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 5 }), async (lives) => {
			const stored: string[] = [];
			/** What the service accepted, by key. */
			const accepted = new Map<string, string[]>();
			/** Keys that a crash or a lost response leaves unknown. */
			const doubtful = new Set<string>();
			const sentAgain = new Set<string>();
			for (const { messages, diesAt, isSideBySide, takesDoubt, mostLeft } of lives) {
				const own = new Memory(stored, diesAt);
				const ownKeys = processKeys(mostLeft);
				const claims: KeyState[] = [];
				let begun = 0;
				const send = async ({ key, fingerprint, ending }: (typeof messages)[number]) => {
					begun++;
					const once = { key, fingerprint };
					const claimed = await ownKeys.claim(once, own, takesDoubt);
					const before = accepted.get(key) ?? [];
					claims.push(claimed);
					// A reader that died can leave other content as sent. It would not be sent in any case.
					if (claimed === 'sent' && !sentAgain.has(key)) expect(before).toContain(fingerprint);
					if (claimed === 'sent') expect(before).not.toEqual([]);
					if (claimed === 'doubt') expect(doubtful).toContain(key);
					if (claimed === 'reused') expect(before).not.toContain(fingerprint);
					if (claimed !== 'new') return;
					if (takesDoubt && doubtful.has(key)) sentAgain.add(key);
					await tick();
					if (ending === 'refused') return await ownKeys.free(once, own);
					accepted.set(key, [...(accepted.get(key) ?? []), fingerprint]);
					if (ending === 'accepted') return await ownKeys.confirm(once, own);
					doubtful.add(key);
					ownKeys.leaveInDoubt(once);
				};
				const whole = (async () => {
					if (isSideBySide) await Promise.all(messages.map(send));
					else for (const each of messages) await send(each);
					return 'ended';
				})();
				let isOver = false;
				void whole.finally(() => (isOver = true)).catch(() => {});
				const end = await Promise.race([whole, deadAfter(own, diesAt?.call, () => isOver)]);
				if (end !== 'ended') for (const { key } of messages) doubtful.add(key);
				if (end === 'ended') expect(claims).toHaveLength(begun);
				// Leftover entries of sent keys are removed after the claims were settled.
				await turns(5);
				if (end === 'ended' && diesAt === undefined) await untilIdle(ownKeys);
				expect(own.mostAtOnce).toBeLessThanOrEqual(1);
			}
			for (const [key, contents] of accepted)
				expect(contents.length).toBeLessThanOrEqual(sentAgain.has(key) ? Infinity : 1);
		}),
		{ numRuns: RUNS },
	);
}, 60_000);

/** Resolves once the process has died and everything else in progress has settled. */
async function deadAfter(dying: Memory, call: number | undefined, isOver: () => boolean) {
	if (call === undefined) return await new Promise<string>(() => {});
	for (let idle = 0; idle < 20 && !isOver(); idle++) {
		if (dying.calls < call) idle = 0;
		await tick();
	}
	return 'died';
}
