/**
 * Plants faults in nodes/ and credentials/ and asks whether the unit and core tests notice:
 * Stryker, part by part.
 *
 * Fails when a part's score, or the one over all parts, is below its bound. Stryker prints the
 * survivors, and writes its reports into reports/mutation/.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';

import { readCommandLine } from '../../sandbox/core/commandLine.cjs';
import { MUTATION } from '../../scripts/bootstrap/commands/long.cjs';
import { ExplainedError, runMain } from '../../scripts/bootstrap/explained.cjs';
import { checkout } from '../../scripts/checkout.mts';
import { importFrom, installTool } from '../../scripts/pinned.mts';
import { OVERALL_BOUND, parts, type Part } from './parts.mts';
import { isMissed, type Line, type Report, scoreOf, table } from './scores.mts';

/** The part of Stryker that is used here. */
interface MutationTester {
	Stryker: new (options: object) => { runMutationTest(): Promise<unknown> };
}

/** Long tests that try at random: so often that a run stays short. */
const SHORT_RUNS = { PROPERTY_RUNS: '200' };
/**
 * One more than there are processors: a fault that loops for ever leaves its processor idle until
 * its time is out.
 */
const WORKERS = availableParallelism() + 1;

const REPORTS = join(checkout, 'reports', 'mutation');
const reportOf = (part: string) => join(REPORTS, `${part}.json`);

const options = (part: Part, tempDirName: string): object => ({
	mutate: part.mutate,
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	jest: {
		projectType: 'custom',
		configFile: 'test/mutation/jest.config.mjs',
		enableFindRelatedTests: false,
	},
	coverageAnalysis: 'perTest',
	// What is read once as a module loads: texts and fields of the editor, mostly. Each would take a
	// run of all tests.
	ignoreStatic: true,
	concurrency: WORKERS,
	timeoutMS: 4000,
	timeoutFactor: 1.5,
	tempDirName,
	ignorePatterns: [
		'scripts/pins',
		// Stryker would need the compiler to adapt it, and no test reads it.
		'tsconfig.json',
		'dist',
		'dist-sandbox',
		'reports',
		'test-artifacts',
		'.sandbox',
		'test/host',
		'test/browser',
	],
	reporters: ['progress-append-only', 'clear-text', 'json', 'html'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false, skipFull: false },
	jsonReporter: { fileName: reportOf(part.name) },
	htmlReporter: { fileName: join(REPORTS, `${part.name}.html`) },
	allowConsoleColors: false,
	thresholds: { high: 85, low: 70, break: null },
});

await runMain(async () => {
	const { values, words } = readCommandLine(MUTATION);
	const all = values.file ? [{ name: 'files', mutate: values.file }] : parts();
	const unknown = words.find((name) => !all.some((part) => part.name === name));
	if (unknown)
		throw new ExplainedError(
			`There is no part '${unknown}': it is one of ${all.map(({ name }) => name).join(', ')}.`,
		);
	const named = all.filter(({ name }) => words.length === 0 || words.includes(name));
	mkdirSync(REPORTS, { recursive: true });
	setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
	Object.assign(process.env, SHORT_RUNS);
	if (!values.total) {
		const stryker = await installTool('mutation', {
			what: 'the mutation tester',
			takes: 'half a minute, 0.1 GB',
			gigabytes: 0.3,
		});
		// For the environment of the tests.
		process.env.MUTATION_TESTER = join(stryker, 'package.json');
		const tester = (await importFrom(stryker, '@stryker-mutator/core')) as MutationTester;
		for (const part of named) await test(part, tester);
	}
	const reports = named.map(({ name }) => readReport(name));
	const lines: Line[] = named.map(({ name, bound }, index) => ({
		name,
		bound,
		score: scoreOf(reports.slice(index, index + 1)),
	}));
	if (named.length === all.length && !values.file)
		lines.push({
			name: 'over all',
			bound: OVERALL_BOUND,
			score: scoreOf(reports),
		});
	console.log(`\n${table(lines)}`);
	if (lines.some(isMissed)) process.exitCode = 1;
});

async function test(part: Part, { Stryker }: MutationTester): Promise<void> {
	console.log(`\n== ${part.name}`);
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-mutation-'));
	process.env.MUTATION_REACH = join(folder, 'reach.jsonl');
	rmSync(reportOf(part.name), { force: true });
	try {
		await new Stryker(options(part, join(folder, 'stryker'))).runMutationTest();
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function readReport(part: string): Report {
	try {
		return JSON.parse(readFileSync(reportOf(part), 'utf8')) as Report;
	} catch (error) {
		throw new ExplainedError(
			`There is no report of the part '${part}': ${String(error)}. Run npm run test:mutation -- ${part} first.`,
		);
	}
}
