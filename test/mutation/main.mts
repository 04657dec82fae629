/**
 * Plants faults in nodes/ and credentials/ and asks whether the unit and core tests notice:
 * Stryker, part by part. Fails if a score is below its bound.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';

import { command, readCommandLine } from '#sandbox/core/commandLine.cjs';
import { ExplainedError, runMain } from '#scripts/bootstrap/explained.cjs';
import { checkout } from '#scripts/checkout.mts';
import { inForeground } from '#scripts/foreground.mts';
import { importFrom, installTool } from '#scripts/pinned.mts';
import { BOUNDS, PARTS } from './parts.mts';

const MUTATION = command({
	name: 'npm run test:mutation --',
	about:
		'Plants faults in the folders of the nodes, and lists those that no unit or core test notices.',
	words: { usage: '[part ...]', name: 'part', among: [...PARTS.keys()] },
	options: {
		file: {
			type: 'string',
			multiple: true,
			value: 'PATH',
			about: 'plants faults in this file alone; can be repeated',
		},
		total: {
			type: 'boolean',
			about: 'plants none: prints the scores of parts that ran before, and the one over all',
		},
	},
	example: 'sending',
	more: 'A part is a folder of nodes/BusinessMessaging/, credentials, or nodes: the files beside those folders.',
});

/** Stryker's own reckoning over several of its reports. */
interface Metrics {
	aggregateResultsByModule(reports: Record<string, object>): object;
	calculateMutationTestMetrics(report: object): { systemUnderTestMetrics: Result };
}
interface Result {
	name: string;
	metrics: { mutationScore: number; killed: number; timeout: number; survived: number };
	childResults: Result[];
}

/** Runs Stryker. @returns whether the score reaches its bound */
async function mutate(stryker: string, part: string, files: string): Promise<boolean> {
	console.log(`\n== ${part}`);
	const program = join(stryker, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-mutation-'));
	const env = {
		MUTATION_FOLDER: folder,
		...{ MUTATION_PART: part, MUTATION_FILES: files, MUTATION_BOUND: String(BOUNDS[part] ?? '') },
		// Long tests that try at random: so often that a run stays short.
		PROPERTY_RUNS: '200',
	};
	try {
		const run = [program, 'run', 'test/mutation/stryker.config.mjs'];
		return (await inForeground(run, { env })) === 0;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function readReport(part: string): object {
	try {
		const file = join(checkout, 'reports', 'mutation', `${part}.json`);
		return JSON.parse(readFileSync(file, 'utf8')) as object;
	} catch (error) {
		throw new ExplainedError(
			`There is no report of the part '${part}': ${String(error)}. Run npm run test:mutation -- ${part} first.`,
		);
	}
}

/** Prints the scores of all parts. @returns whether they reach their bounds */
async function total(stryker: string): Promise<boolean> {
	const metrics = (await importFrom(stryker, 'mutation-testing-metrics')) as Metrics;
	const reports = Object.fromEntries([...PARTS.keys()].map((part) => [part, readReport(part)]));
	const report = metrics.aggregateResultsByModule(reports);
	const { systemUnderTestMetrics: all } = metrics.calculateMutationTestMetrics(report);
	const results = [...all.childResults, { ...all, name: 'over all' }];
	const rows = results.map(({ name, metrics: { mutationScore, killed, timeout, survived } }) => [
		name,
		{ score: mutationScore, bound: BOUNDS[name], killed, timeout, survived },
	]);
	console.table(Object.fromEntries(rows));
	return results.every(
		({ name, metrics: { mutationScore } }) => mutationScore >= (BOUNDS[name] ?? 0),
	);
}

await runMain(async () => {
	const { values, words } = readCommandLine(MUTATION);
	const stryker = await installTool('mutation', {
		...{ what: 'the mutation tester', takes: 'half a minute, 0.1 GB', gigabytes: 0.3 },
	});
	setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
	const isWanted = (part: string) => !values.total && (words.length === 0 || words.includes(part));
	const chosen = values.file
		? [['files', values.file.join(',')] as const]
		: [...PARTS].filter(([part]) => isWanted(part));
	let isGood = true;
	for (const [part, files] of chosen) isGood = (await mutate(stryker, part, files)) && isGood;
	if (values.total || (!values.file && words.length === 0))
		isGood = (await total(stryker)) && isGood;
	if (!isGood) process.exitCode = 1;
});
