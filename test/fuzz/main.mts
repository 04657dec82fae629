/**
 * Gives every entry point random inputs, for the minutes given. What breaks something is made as
 * small as it can be and kept in test/fuzz/corpus/; the unit tests try it again from there.
 */
import fc from 'fast-check';

import { readCommandLine } from '../../sandbox/core/commandLine.cjs';
import { FUZZ } from '../../scripts/bootstrap/commands/long.cjs';
import { ExplainedError, runMain } from '../../scripts/bootstrap/explained.cjs';
import { keep } from './corpus.mts';
import type { EntryPoint } from './entryPoint.mts';
import { closeEntryPoints, ENTRY_POINTS } from './entryPoints/index.mts';

/** How long an entry point is tried before the next one, in milliseconds. */
const TRY_MS = 10_000;
/** Attempts at making a failure smaller take no longer than this. */
const SHRINK_MS = 30_000;

const { values } = readCommandLine(FUZZ);

interface Result {
	inputs: number;
	/** File of the finding. */
	found?: string;
	/** When it was found, in milliseconds. */
	at: number;
}

/** @param lasts milliseconds */
async function tryFor(
	{ name, input, check }: EntryPoint,
	seed: number,
	lasts: number,
): Promise<Result> {
	const property = fc.asyncProperty(input, async (given) => await check(given));
	const settings = {
		seed,
		numRuns: Number.MAX_SAFE_INTEGER,
		interruptAfterTimeLimit: lasts,
		markInterruptAsFailure: false,
	};
	const { failed, numRuns, counterexample, errorInstance, counterexamplePath } = await fc.check(
		property,
		settings,
	);
	const at = Date.now();
	if (!failed || counterexample === null) return { inputs: numRuns, at };
	// The search for a smaller one has a time of its own: the first may have used up nearly all of
	// it.
	const smaller = await fc.check(property, {
		seed,
		path: counterexamplePath ?? '',
		interruptAfterTimeLimit: SHRINK_MS,
		endOnFailure: false,
	});
	const [given] = smaller.counterexample ?? counterexample;
	const error = smaller.errorInstance ?? errorInstance;
	return {
		inputs: numRuns,
		at,
		found: keep({
			entryPoint: name,
			error: error instanceof Error ? error.message : String(error),
			input: given,
		}),
	};
}

await runMain(async () => {
	const minutes = Number(values.minutes);
	if (!(minutes > 0))
		throw new ExplainedError('--minutes is how long it may take: a number above 0.');
	const wanted = values['entry-point'];
	const entryPoints = ENTRY_POINTS.filter(({ name }) => wanted?.includes(name) ?? true);
	if (entryPoints.length === 0)
		throw new ExplainedError(
			`There is no such entry point: they are ${ENTRY_POINTS.map(({ name }) => name).join(', ')}.`,
		);
	const start = Date.now();
	let end = start + minutes * 60_000;
	let seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
	const inputs = new Map(entryPoints.map(({ name }) => [name, 0]));
	const found = new Set<string>();
	console.log(
		`Fuzzing ${entryPoints.length} entry points for ${minutes} minutes, from seed ${seed}.`,
	);
	// Each round tries every entry point once; a short run divides its time among them.
	const lasts = Math.min(
		TRY_MS,
		(minutes * 60_000) / entryPoints.reduce((shares, { share = 1 }) => shares + share, 0),
	);
	while (Date.now() < end) {
		for (const entryPoint of entryPoints) {
			if (Date.now() >= end) break;
			const result = await tryFor(
				entryPoint,
				seed,
				Math.min(lasts * (entryPoint.share ?? 1), end - Date.now()),
			);
			inputs.set(entryPoint.name, (inputs.get(entryPoint.name) ?? 0) + result.inputs);
			// The search for a smaller input takes no time from the other entry points.
			end += Date.now() - result.at;
			if (result.found === undefined || found.has(result.found)) continue;
			found.add(result.found);
			console.log(
				`  ${entryPoint.name} failed after ${Math.round((result.at - start) / 1000)} s: test/fuzz/corpus/${result.found} (seed ${seed})`,
			);
		}
		seed += 1;
	}
	await closeEntryPoints();
	for (const [name, count] of inputs)
		console.log(`  ${name.padEnd(14)} ${count.toLocaleString('en').padStart(12)} inputs`);
	if (found.size > 0)
		throw new ExplainedError(
			`${found.size} findings, kept in test/fuzz/corpus/. The unit tests try them again.`,
		);
	console.log('Nothing was found.');
});
