import { createHash } from 'node:crypto';
import { setImmediate as tick } from 'node:timers/promises';

import fc from 'fast-check';

import { entriesFor } from '../../../../nodes/BusinessMessaging/sending/once/keyEntries.ts';
import {
	type Claim,
	type KeyMemory,
	OnceKeys,
} from '../../../../nodes/BusinessMessaging/sending/once/keys.ts';
import { Memory } from './memory.mts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 1000);

const onceKey = (key: string, fingerprint = 'content') => ({ key, fingerprint });

test('a key is new, then sent, reused with other content, and new again after it was freed', async () => {
	const memory = new Memory();
	const keys = new OnceKeys();
	expect(await keys.claim(onceKey('a'), memory)).toBe('new');
	await keys.confirm(onceKey('a'), memory);
	expect(await keys.claim(onceKey('a'), memory)).toBe('sent');
	expect(await keys.claim(onceKey('a', 'other'), memory)).toBe('reused');
	expect(await keys.claim(onceKey('b'), memory)).toBe('new');
	await keys.free(onceKey('b'), memory);
	expect(await keys.claim(onceKey('b', 'other'), memory)).toBe('new');
	keys.leaveInDoubt(onceKey('b', 'other'));
	expect(await keys.claim(onceKey('b', 'other'), memory)).toBe('doubt');
	expect(await keys.claim(onceKey('b'), memory)).toBe('reused');
	// Reading leaves nothing behind: begun twice each, and sent once.
	expect(memory.stored).toHaveLength(5);
	expect(keys.isIdle).toBe(true);
});

test('keys that another covered are sent with it, in one call, and know their content', async () => {
	const memory = new Memory();
	const keys = new OnceKeys();
	await keys.claim(onceKey('a'), memory);
	const calls = memory.calls;
	await keys.confirm(onceKey('a'), memory, [onceKey('b'), onceKey('c')]);
	expect(memory.calls).toBe(calls + 1);
	expect(await keys.claim(onceKey('b'), memory)).toBe('sent');
	expect(await keys.claim(onceKey('c'), memory)).toBe('sent');
	expect(await keys.claim(onceKey('c', 'other'), memory)).toBe('reused');
});

test('the memory has room for two entries of each key, and for a thousand under way', () => {
	expect(entriesFor(0)).toBe(1000);
	expect(entriesFor(10_000)).toBe(21_000);
});

test('it is idle only when no key is held and nothing is written', async () => {
	const memory = new Memory();
	let letRemove = () => {};
	const slow: KeyMemory = {
		record: async (values) => await memory.record(values),
		remove: async () => await new Promise<void>((resolve) => (letRemove = resolve)),
	};
	const keys = new OnceKeys(1);
	await keys.claim(onceKey('a'), slow);
	await tick();
	expect(keys.isIdle).toBe(false);
	await keys.confirm(onceKey('a'), slow);
	// The key's leftover entry is being removed.
	expect(keys.isIdle).toBe(false);
	await tick();
	letRemove();
	await tick();
	expect(keys.isIdle).toBe(true);
});

/** Must never change, because the node must know the keys of earlier versions. */
test('the entries of a key keep their form across versions', async () => {
	const value = (...parts: string[]) =>
		createHash('sha256')
			.update(JSON.stringify(['n8n business messaging once v1', ...parts]))
			.digest('base64url');
	const begun = value('begun', 'a');
	const begunWith = value('begun with', 'a', 'content');
	const asking = value('asking', 'a');
	const sent = value('sent', 'a', 'content');
	const memory = new Memory();
	const recorded: string[][] = [];
	const watched: KeyMemory = {
		record: async (values) => {
			recorded.push(values);
			return await memory.record(values);
		},
		remove: async (values) => await memory.remove(values),
	};
	const keys = new OnceKeys();
	await keys.claim(onceKey('a'), watched);
	await keys.confirm(onceKey('a'), watched);
	expect(await keys.claim(onceKey('a'), watched)).toBe('sent');
	expect(recorded).toEqual([[begun, begunWith], [sent], [begun, begunWith], [asking], [sent]]);
});

test('leftover entries of sent keys are removed together, and the keys stay sent', async () => {
	const memory = new Memory();
	const keys = new OnceKeys(3);
	const all = ['a', 'b', 'c'].map((key) => onceKey(key));
	for (const key of all) {
		await keys.claim(key, memory);
		await keys.confirm(key, memory);
	}
	for (let turn = 0; turn < 5; turn++) await tick();
	// Begun and sent for each key.
	expect(memory.stored).toHaveLength(6);
	expect(await keys.claim(onceKey('b'), memory)).toBe('sent');
	expect(await keys.claim(onceKey('b', 'other'), memory)).toBe('reused');
	expect(memory.stored).toHaveLength(6);
});

test('a key stays unknown, and is not sent, if n8n writes it and its response is lost', async () => {
	const memory = new Memory();
	const keys = new OnceKeys();
	await keys.claim(onceKey('a'), memory);
	keys.leaveInDoubt(onceKey('a'));
	for (const lost of [1, 2, 3]) {
		let calls = 0;
		const lossy: KeyMemory = {
			record: async (values) => {
				const known = await memory.record(values);
				if (++calls === lost) throw new Error('connection lost');
				return known;
			},
			remove: async (values) => await memory.remove(values),
		};
		const claim = await keys.claim(onceKey('a'), lossy).catch(() => 'failed');
		expect(['doubt', 'failed']).toContain(claim);
		expect(await keys.claim(onceKey('a'), memory)).toBe('doubt');
	}
});

test('many keys share few calls, one call at a time', async () => {
	const memory = new Memory();
	const keys = new OnceKeys();
	const all = Array.from({ length: 100 }, (_, index) => onceKey(`key ${index}`));
	expect(new Set(await Promise.all(all.map(async (key) => await keys.claim(key, memory))))).toEqual(
		new Set(['new']),
	);
	await Promise.all(all.map(async (key) => await keys.confirm(key, memory)));
	expect(memory.calls).toBeLessThanOrEqual(4);
	expect(memory.mostAtOnce).toBe(1);
});

test('a claim waits for the holder of its key in this process', async () => {
	const memory = new Memory();
	const keys = new OnceKeys();
	expect(await keys.claim(onceKey('a'), memory)).toBe('new');
	let second: Claim | undefined;
	const waiting = keys.claim(onceKey('a'), memory).then((claim) => (second = claim));
	for (let turn = 0; turn < 10; turn++) await tick();
	expect(second).toBeUndefined();
	await keys.confirm(onceKey('a'), memory);
	await waiting;
	expect(second).toBe('sent');
});

test('who takes doubt holds the key, also after a reader of the key died', async () => {
	const memory = new Memory();
	const lost = onceKey('a');
	const first = new OnceKeys();
	await first.claim(lost, memory);
	first.leaveInDoubt(lost);
	for (const call of [1, 2, 3, 4]) {
		const dying = new Memory(memory.stored, { call, hasWritten: true });
		void new OnceKeys().claim(lost, dying, true);
		await deadAfter(dying, call, () => false);
		expect(await new OnceKeys().claim(lost, memory)).toBe('doubt');
	}
	const keys = new OnceKeys();
	expect(await keys.claim(lost, memory, true)).toBe('new');
	let isFree = false;
	const next = keys.claim(lost, memory, true).then((claim) => ((isFree = true), claim));
	for (let turn = 0; turn < 20; turn++) await tick();
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
	expect(keys.isIdle).toBe(true);
});

test('what readers that died left of two contents does not say that one was sent', async () => {
	const memory = new Memory();
	const [lost, other] = [onceKey('a', 'lost'), onceKey('a', 'other')];
	const first = new OnceKeys();
	await first.claim(lost, memory);
	first.leaveInDoubt(lost);
	// The first dies before it takes back what it asked for, the second before it asks.
	for (const [once, call] of [[lost, 4] as const, [other, 2] as const]) {
		const dying = new Memory(memory.stored, { call, hasWritten: false });
		void new OnceKeys().claim(once, dying);
		await deadAfter(dying, call, () => false);
	}
	const keys = new OnceKeys();
	expect(await keys.claim(other, memory, true)).toBe('new');
	await keys.free(other, memory);
	expect(await keys.claim(lost, memory, true)).toBe('new');
	await keys.confirm(lost, memory);
	expect(await keys.claim(lost, memory, true)).toBe('sent');
});

test('a claim takes nothing if the memory fails', async () => {
	const keys = new OnceKeys();
	const broken: KeyMemory = {
		record: () => Promise.reject(new Error('no such workflow')),
		remove: () => Promise.reject(new Error('no such workflow')),
	};
	await expect(keys.claim(onceKey('a'), broken)).rejects.toThrow('no such workflow');
	expect(keys.isIdle).toBe(true);
	expect(await keys.claim(onceKey('a'), new Memory())).toBe('new');
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
		{
			nil: undefined,
		},
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
				const memory = new Memory(stored, diesAt);
				const keys = new OnceKeys(mostLeft);
				const claims: Claim[] = [];
				let begun = 0;
				const send = async ({ key, fingerprint, ending }: (typeof messages)[number]) => {
					begun++;
					const once = { key, fingerprint };
					const claim = await keys.claim(once, memory, takesDoubt);
					const before = accepted.get(key) ?? [];
					claims.push(claim);
					// A reader that died can leave other content as sent. It would not be sent in any case.
					if (claim === 'sent' && !sentAgain.has(key)) expect(before).toContain(fingerprint);
					if (claim === 'sent') expect(before).not.toEqual([]);
					if (claim === 'doubt') expect(doubtful).toContain(key);
					if (claim === 'reused') expect(before).not.toContain(fingerprint);
					if (claim !== 'new') return;
					if (takesDoubt && doubtful.has(key)) sentAgain.add(key);
					await tick();
					if (ending === 'refused') return await keys.free(once, memory);
					accepted.set(key, [...(accepted.get(key) ?? []), fingerprint]);
					if (ending === 'accepted') return await keys.confirm(once, memory);
					doubtful.add(key);
					keys.leaveInDoubt(once);
				};
				const whole = (async () => {
					if (isSideBySide) await Promise.all(messages.map(send));
					else for (const each of messages) await send(each);
					return 'ended';
				})();
				let isOver = false;
				void whole.finally(() => (isOver = true)).catch(() => {});
				const end = await Promise.race([whole, deadAfter(memory, diesAt?.call, () => isOver)]);
				if (end !== 'ended') for (const { key } of messages) doubtful.add(key);
				if (end === 'ended') expect(claims).toHaveLength(begun);
				// Leftover entries of sent keys are removed after the claims were settled.
				for (let turn = 0; turn < 5; turn++) await tick();
				if (end === 'ended' && diesAt === undefined) expect(keys.isIdle).toBe(true);
				expect(memory.mostAtOnce).toBeLessThanOrEqual(1);
			}
			for (const [key, contents] of accepted)
				expect(contents.length).toBeLessThanOrEqual(sentAgain.has(key) ? Infinity : 1);
		}),
		{ numRuns: RUNS },
	);
}, 60_000);

/** Resolves once the process has died and everything else in progress has settled. */
async function deadAfter(
	memory: Memory,
	call: number | undefined,
	isOver: () => boolean,
): Promise<string> {
	if (call === undefined) return await new Promise(() => {});
	for (let idle = 0; idle < 20 && !isOver(); idle++) {
		if (memory.calls < call) idle = 0;
		await tick();
	}
	return 'died';
}
