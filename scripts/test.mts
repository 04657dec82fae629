/**
 * Runs all checks, part by part. A failed part does not stop the others.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readCommandLine, type WordOf } from '../sandbox/core/commandLine.cjs';
import { TEST } from './bootstrap/commands/tests.cjs';
import { cleanEnvironment } from './bootstrap/npm.cjs';
import { ExplainedError, runMain } from './bootstrap/explained.cjs';
import { build } from './build.mts';
import { provideChromium } from './chromium.mts';
import { checkout, tool } from './checkout.mts';
import { recordRun } from './compatibility.mts';
import {
	API_KEY_VARIABLE,
	chooseN8n,
	installHost,
	N8N_URL_VARIABLE,
	N8N_VARIABLE,
	type N8nChoice,
} from './n8n/host.mts';

interface Outcome {
	passed: number;
	failed: number;
	/** Skipped tests, in Jest's projects. */
	skipped?: number;
}

interface Run {
	n8n: N8nChoice;
	/** Address of a running n8n. */
	n8nUrl?: string | undefined;
	record: boolean;
	/** Whether the linter fixes what it can. */
	fix: boolean;
	/** Whether the host tests run at the same time and need a processor. */
	isBesideHost?: boolean;
	jestOptions: string[];
}

type Part = (run: Run) => Promise<Outcome>;

/** Run only by name, because it changes files. */
const FORMAT = 'format';

type PartName = WordOf<typeof TEST>;

const PARTS: Record<PartName, Part> = {
	[FORMAT]: () => format(true),
	types: async () =>
		sum(
			await Promise.all([
				check(tool('typescript/bin/tsc'), '--noEmit'),
				check(tool('typescript/bin/tsc'), '-p', 'tsconfig.tools.json'),
				check(tool('typescript/bin/tsc'), '-p', 'tsconfig.page.json'),
			]),
		),
	lint: async ({ fix }) => {
		const linted = check(
			tool('eslint/bin/eslint.js'),
			'.',
			'--max-warnings',
			'0',
			...(fix ? ['--fix'] : []),
		);
		// Two parts that write the same files run one after the other.
		if (fix) await linted;
		return sum(await Promise.all([linted, format(fix)]));
	},
	scan: () => check('--import', 'tsx', 'scripts/scan.mts'),
	unit: (run) => jest('unit', onAllCores(run)),
	core: (run) => jest('core', onAllCores(run)),
	sandbox: (run) => jest('sandbox', onAllCores(run)),
	host: async (run) => {
		if (run.n8nUrl !== undefined) return await jestByAddress(run);
		await installHost(run.n8n.generation);
		const outcome = await jestInShards('host', 3, run);
		if (run.record) record(run, outcome);
		return outcome;
	},
	browser: async (run) => {
		await provideChromium();
		await installHost(run.n8n.generation);
		return await jestInShards('browser', 2, run);
	},
};

/** Runs a project in parts side by side, because its tests mostly wait. Each has its own n8n. */
async function jestInShards(project: string, count: number, run: Run): Promise<Outcome> {
	if (run.jestOptions.length > 0) return await jest(project, run);
	// Installed before all of them need it.
	await build();
	const shards = Array.from({ length: count }, (_, index) => `--shard=${index + 1}/${count}`);
	return sum(
		await Promise.all(
			shards.map(async (shard) => await jest(project, { ...run, jestOptions: [shard] })),
		),
	);
}

/** For test files that share nothing. By default, Jest leaves one core idle. */
const onAllCores = (run: Run): Run => ({
	...run,
	jestOptions: [`--maxWorkers=${run.isBesideHost ? '50%' : '100%'}`, ...run.jestOptions],
});

/** The host tests that need only n8n's address and an API key. */
const BY_ADDRESS = [
	'downloadAttachments',
	'receiving',
	'recipientMark',
	'sendAFile',
	'sendKinds',
	'sending',
];

async function jestByAddress(run: Run): Promise<Outcome> {
	if (!process.env[API_KEY_VARIABLE])
		throw new ExplainedError(
			`--n8n-url needs an API key. Create one in n8n under Settings → n8n API, and set ${API_KEY_VARIABLE} to it.`,
		);
	process.env[N8N_URL_VARIABLE] = run.n8nUrl;
	const files = BY_ADDRESS.map((name) => join('test', 'host', `${name}.test.mts`));
	return await jest('host', {
		...run,
		jestOptions: ['--runTestsByPath', ...files, ...run.jestOptions],
	});
}

/** Checks the formatting with Prettier. */
function format(write: boolean): Promise<Outcome> {
	return check(
		tool('prettier/bin/prettier.cjs'),
		write ? '--write' : '--check',
		'--log-level',
		write ? 'warn' : 'log',
		'.',
	);
}

async function check(...parameters: string[]): Promise<Outcome> {
	const code = await inForeground(parameters);
	return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Runs a Jest project, a folder of test/, and reads the counts from Jest's report. */
async function jest(project: string, { jestOptions }: Run): Promise<Outcome> {
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-jest-'));
	const report = join(folder, 'report.json');
	try {
		const code = await inForeground([
			'--import',
			'tsx',
			tool('jest/bin/jest.js'),
			'--selectProjects',
			project,
			'--json',
			`--outputFile=${report}`,
			...jestOptions,
		]);
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

interface JestReport {
	numPassedTests: number;
	numFailedTests: number;
	numPendingTests: number;
	numTodoTests: number;
	numRuntimeErrorTestSuites: number;
}

function record({ n8n }: Run, { passed, failed, skipped }: Outcome): void {
	if (failed === 0 && passed > 0 && skipped === 0) return recordRun(n8n, passed);
	console.error(
		`Nothing was recorded. A run counts only if every host test passed (${failed} failed, ${skipped} were skipped).`,
	);
}

async function inForeground(parameters: string[]): Promise<number> {
	return await new Promise((resolve, reject) => {
		// Jest's --json also prints the report on standard output. Standard error has what people want
		// to see.
		const output = parameters.includes('--json') ? 'ignore' : 'inherit';
		const child = spawn(process.execPath, parameters, {
			cwd: checkout,
			env: cleanEnvironment(),
			stdio: ['ignore', output, 'inherit'],
		});
		child.on('error', reject);
		child.on('exit', (code) => resolve(code ?? 1));
	});
}

interface Named {
	name: string;
	part: Part;
}

/** What runs side by side, each lane part by part. The host tests mostly wait for n8n. */
const LANES = [['host'], [FORMAT, 'types', 'lint', 'scan'], ['unit', 'core', 'sandbox']];
/** Runs when all else has ended, because Chromium needs the processor. */
const LAST = ['browser'];

const among = (parts: readonly Named[], names: readonly string[]): Named[] =>
	parts.filter(({ name }) => names.includes(name));

const sum = (outcomes: Outcome[]): Outcome => ({
	passed: outcomes.reduce((total, { passed }) => total + passed, 0),
	failed: outcomes.reduce((total, { failed }) => total + failed, 0),
	skipped: outcomes.reduce((total, { skipped = 0 }) => total + skipped, 0),
});

await runMain(async () => {
	const { values, words, rest } = readCommandLine(TEST);
	const run: Run = {
		n8n: chooseN8n(values.n8n),
		n8nUrl: values['n8n-url'],
		record: values.record ?? false,
		fix: values.fix ?? false,
		jestOptions: rest,
	};
	// Also for programs that the tests start.
	process.env[N8N_VARIABLE] = run.n8n.version;
	const names =
		words.length > 0 ? words : (Object.keys(PARTS) as PartName[]).filter((name) => name !== FORMAT);
	if (run.record && (!names.includes('host') || run.jestOptions.length > 0)) {
		throw new ExplainedError(
			'--record needs the whole host suite. Do not name files, as in npm run test:host -- --n8n oldest --record.',
		);
	}
	const parts = names.map((name): Named => ({ name, part: PARTS[name] }));
	const lines: string[] = [];
	const outcomes: Outcome[] = [];
	const runAll = async (some: readonly Named[], theRun: Run): Promise<void> => {
		for (const { name, part } of some) {
			console.log(`\n== ${name}`);
			const started = Date.now();
			const outcome = await part(theRun);
			outcomes.push(outcome);
			lines.push(
				`${name.padEnd(8)} ${String(outcome.passed).padStart(5)} passed ${String(outcome.failed).padStart(4)} failed ${seconds(started)}`,
			);
		}
	};
	const isBesideHost = among(parts, ['host']).length > 0;
	await Promise.all(
		LANES.map(async (lane) => await runAll(among(parts, lane), { ...run, isBesideHost })),
	);
	await runAll(among(parts, LAST), run);
	const { passed, failed } = sum(outcomes);
	console.log(`\n${lines.join('\n')}\n\n${passed} passed, ${failed} failed`);
	if (failed > 0 || passed === 0) process.exitCode = 1;
});

function seconds(since: number): string {
	return `${Math.round((Date.now() - since) / 1000)} s`.padStart(7);
}
