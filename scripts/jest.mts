/** Runs the Jest project of a folder of test/. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { build } from './build.mts';
import { checkout, tool } from './checkout.mts';
import { DEEP, type Depth, DEPTH_VARIABLE } from './depths.mts';
import { inForeground } from './foreground.mts';

export interface Outcome {
	passed: number;
	failed: number;
	/** Skipped tests, in Jest's projects. */
	skipped?: number;
}

export interface JestRun {
	depth: Depth | 'oldest';
	jestOptions: string[];
	env?: NodeJS.ProcessEnv;
}

/** Options for Jest. In the oldest n8n: the daily tests, and the examples. */
export const OF_DEPTH: Record<JestRun['depth'], () => string[]> = {
	daily: () => [`--testPathIgnorePatterns=${DEEP}`],
	deep: () => [DEEP, ...properties()],
	all: () => [],
	oldest: () => [`--testPathIgnorePatterns=(?<!/(?:rehearsals|hours))${DEEP}`],
};

/** Files whose properties `npm test` tries less often. */
const properties = (): string[] =>
	globSync('test/{unit,core,sandbox}/**/*.test.mts', { cwd: checkout }).filter((file) =>
		/support\/runs\.mts/.test(readFileSync(join(checkout, file), 'utf8')),
	);

interface JestReport {
	numPassedTests: number;
	numFailedTests: number;
	numPendingTests: number;
	numTodoTests: number;
	numRuntimeErrorTestSuites: number;
}

export const sum = (outcomes: Outcome[]): Outcome => ({
	passed: outcomes.reduce((total, { passed }) => total + passed, 0),
	failed: outcomes.reduce((total, { failed }) => total + failed, 0),
	skipped: outcomes.reduce((total, { skipped = 0 }) => total + skipped, 0),
});

/** Not UTC, in which a time that is read by the machine's zone looks right. */
const zoneOf = (project: string) => (project === 'unit' ? { TZ: 'Asia/Kolkata' } : {});

/** Runs a project and reads the counts from Jest's report. */
export async function jest(
	project: string,
	{ depth, jestOptions, env }: JestRun,
): Promise<Outcome> {
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-jest-'));
	const report = join(folder, 'report.json');
	try {
		const code = await inForeground(
			[
				...['--import', 'tsx', tool('jest/bin/jest.js'), '--selectProjects', project],
				...['--json', `--outputFile=${report}`, '--passWithNoTests'],
				...[...jestOptions, ...OF_DEPTH[depth]()],
			],
			// --json also prints the report to standard output. People want to see standard error.
			{ isQuiet: true, env: { [DEPTH_VARIABLE]: depth, ...zoneOf(project), ...env } },
		);
		const counts = JSON.parse(readFileSync(report, 'utf8')) as JestReport;
		const failed = counts.numFailedTests + counts.numRuntimeErrorTestSuites;
		// If all tests pass and the run fails, the set-up failed or a test never ended.
		return {
			passed: counts.numPassedTests,
			failed: code !== 0 && failed === 0 ? 1 : failed,
			skipped: counts.numPendingTests + counts.numTodoTests,
		};
	} catch (error) {
		console.error(`The ${project} tests did not finish:`, error);
		return { passed: 0, failed: 1 };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Runs a project in parts side by side, because its tests mostly wait. Each has its own n8n. */
export async function jestInShards(project: string, count: number, run: JestRun): Promise<Outcome> {
	if (run.jestOptions.length > 0) return await jest(project, run);
	// Installed before all of them need it.
	await build();
	const shards = Array.from({ length: count }, (_, index) =>
		jest(project, { ...run, jestOptions: [`--shard=${index + 1}/${count}`] }),
	);
	return sum(await Promise.all(shards));
}
