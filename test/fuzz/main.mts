/**
 * Lets in at every door what nobody foresaw, for as long as it is let. What breaks something is made as small as it can be and kept in test/fuzz/corpus/,
 * from where the unit tests let it in again.
 *
 *     npm run fuzz [-- --minutes 10] [--door name ...] [--seed number]
 */
import { parseArgs } from 'node:util';

import fc from 'fast-check';

import { ExplainedError, runMain } from '../../scripts/bootstrap/explained.cjs';
import { keep } from './corpus.mts';
import type { Door } from './door.mts';
import { closeDoors, DOORS } from './doors/index.mts';

/** How long a door is held open before the next one's turn, in milliseconds. */
const TURN_MS = 10_000;
/** Attempts at making a failure smaller take no longer than this. */
const SHRINK_MS = 30_000;

const { values } = parseArgs({
	options: { minutes: { type: 'string', default: '10' }, door: { type: 'string', multiple: true }, seed: { type: 'string' } },
});

interface Turn {
	inputs: number;
	/** File of the finding. */
	found?: string;
}

/** @param lasts milliseconds */
async function holdOpen({ name, input, check }: Door, seed: number, lasts: number): Promise<Turn> {
	const property = fc.asyncProperty(input, async (given) => await check(given));
	const settings = { seed, numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: lasts, markInterruptAsFailure: false };
	const { failed, numRuns, counterexample, errorInstance, counterexamplePath } = await fc.check(property, settings);
	if (!failed || counterexample === null) return { inputs: numRuns };
	// The search for a smaller one has a time of its own: the turn may have been nearly over.
	const smaller = await fc.check(property, { seed, path: counterexamplePath ?? '', interruptAfterTimeLimit: SHRINK_MS, endOnFailure: false });
	const [given] = smaller.counterexample ?? counterexample;
	const error = smaller.errorInstance ?? errorInstance;
	return { inputs: numRuns, found: keep({ door: name, error: error instanceof Error ? error.message : String(error), input: given }) };
}

await runMain(async () => {
	const minutes = Number(values.minutes);
	if (!(minutes > 0)) throw new ExplainedError('--minutes is how long it may take: a number above 0.');
	const doors = DOORS.filter(({ name }) => values.door === undefined || values.door.includes(name));
	if (doors.length === 0) throw new ExplainedError(`There is no such door: they are ${DOORS.map(({ name }) => name).join(', ')}.`);
	const end = Date.now() + minutes * 60_000;
	let seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
	const inputs = new Map(doors.map(({ name }) => [name, 0]));
	const found = new Set<string>();
	console.log(`Fuzzing ${doors.length} doors for ${minutes} minutes, from seed ${seed}.`);
	// Each round every door is open once; a short run shares its time out.
	const turn = Math.min(TURN_MS, (minutes * 60_000) / doors.length);
	while (Date.now() < end) {
		for (const door of doors) {
			if (Date.now() >= end) break;
			const result = await holdOpen(door, seed, Math.min(turn, end - Date.now()));
			inputs.set(door.name, (inputs.get(door.name) ?? 0) + result.inputs);
			if (result.found === undefined || found.has(result.found)) continue;
			found.add(result.found);
			console.log(`  ${door.name} failed: test/fuzz/corpus/${result.found} (seed ${seed})`);
		}
		seed += 1;
	}
	await closeDoors();
	for (const [name, count] of inputs) console.log(`  ${name.padEnd(14)} ${count.toLocaleString('en').padStart(12)} inputs`);
	if (found.size > 0) throw new ExplainedError(`${found.size} findings, kept in test/fuzz/corpus/. The unit tests let them in again.`);
	console.log('Nothing was found.');
});
