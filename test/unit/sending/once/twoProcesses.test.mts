/** Keys of a node that two n8n processes send with, which both write n8n's list whole. */
import { setImmediate as tick } from 'node:timers/promises';

import fc from 'fast-check';

import { type KeyMemory, OnceKeys } from '#nodes/sending/once/keys.ts';
import { runs } from '../../../support/runs.mts';
import { Memory, processKeys, untilIdle } from './memory.mts';

/** Turns that a process takes at most between reading and writing. */
const LONGEST = 4;
/** Turns: longer than two processes go on writing over each other. */
const PAUSE = 100;

/** A process's access to the list: it reads, and writes what it read some turns later. */
const overlapping = (list: { stored: string[] }, turns: () => number): KeyMemory => {
	const change = async (alter: (own: Memory) => Promise<unknown>) => {
		const own = new Memory([...list.stored]);
		for (let turn = turns(); turn > 0; turn--) await tick();
		const result = await alter(own);
		list.stored = own.stored;
		return result;
	};
	return {
		record: async (values) => (await change((own) => own.record(values))) as Set<string>,
		remove: async (values) => {
			const there = (own: Memory) => values.filter((value) => own.stored.includes(value));
			await change((own) => own.remove(there(own)));
		},
	};
};

const send = fc.record({
	turns: fc.integer({ min: 0, max: LONGEST }),
	isRefused: fc.boolean(),
});

test('property: a key that one process wrote is found at the end, whatever another wrote at once', async () => {
	const ofProcess = fc.record({
		sends: fc.array(send, { maxLength: 6 }),
		calls: fc.array(fc.integer({ min: 0, max: LONGEST }), { maxLength: 30 }),
	});
	await fc.assert(
		fc.asyncProperty(ofProcess, ofProcess, async (...processes) => {
			const list = { stored: ['of both'] };
			await Promise.all(
				processes.map(async ({ sends, calls }, number) => {
					const keys = new OnceKeys(2, undefined, async () => {
						for (let turn = 0; turn < PAUSE; turn++) await tick();
					});
					const memory = overlapping(list, () => calls.shift() ?? 0);
					for (const [index, { turns, isRefused }] of sends.entries()) {
						const once = { key: `${number} ${index}`, fingerprint: 'content' };
						expect(await keys.claim(once, memory)).toBe('new');
						for (let turn = 0; turn < turns; turn++) await tick();
						await (isRefused ? keys.free(once, memory) : keys.confirm(once, memory));
					}
					await untilIdle(keys, 10 * PAUSE);
				}),
			);
			const later = processKeys();
			for (const [number, { sends }] of processes.entries())
				for (const [index, { isRefused }] of sends.entries()) {
					const once = { key: `${number} ${index}`, fingerprint: 'content' };
					const state = await later.claim(
						once,
						overlapping(list, () => 0),
					);
					expect(isRefused ? ['new', 'doubt'] : ['sent']).toContain(state);
				}
		}),
		{ numRuns: runs(300) },
	);
}, 60_000);
