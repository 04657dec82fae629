/**
 * Everything that must hold, part by part. A part that fails does not keep the others from running.
 *
 *     npm test [-- --n8n oldest|current] [--record] [--fix] [part ...] [-- options for Jest]
 *
 * `--n8n-url` runs those host tests that need no file of n8n's in an n8n that runs on this machine, with this package and the API key in N8N_API_KEY.
 * `--fix` lets the linter mend what it can. `--record` writes a whole host run that passed into the README's compatibility table.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

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
	/** Tests that were left out, in Jest's projects. */
	skipped?: number;
}

interface Run {
	n8n: N8nChoice;
	/** Of an n8n that runs already. */
	n8nUrl?: string | undefined;
	record: boolean;
	/** Whether the linter mends what it can. */
	fix: boolean;
	jestOptions: string[];
}

type Part = (run: Run) => Promise<Outcome>;

/** Run only when it is named: it changes files. */
const FORMAT = 'format';

const PARTS: Record<string, Part> = {
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
		// Two that write into the same files go one after the other.
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
		const outcome = await jestInShards('host', run);
		if (run.record) record(run, outcome);
		return outcome;
	},
	browser: async (run) => {
		await provideChromium();
		await installHost(run.n8n.generation);
		return await jest('browser', run);
	},
};

/** A whole project in halves, side by side: its tests wait more than they work, and each half has an n8n and a sandbox of its own. */
async function jestInShards(project: string, run: Run): Promise<Outcome> {
	if (run.jestOptions.length > 0) return await jest(project, run);
	// Before both ask for it.
	await build();
	return sum(
		await Promise.all(
			['1/2', '2/2'].map(
				async (shard) => await jest(project, { ...run, jestOptions: [`--shard=${shard}`] }),
			),
		),
	);
}

/** For test files that share nothing. Jest would leave one core free. */
const onAllCores = (run: Run): Run => ({
	...run,
	jestOptions: ['--maxWorkers=100%', ...run.jestOptions],
});

/** The host tests that need nothing of n8n but its address and an API key. */
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
			`--n8n-url needs an API key: make one in n8n under Settings → n8n API, and set ${API_KEY_VARIABLE} to it.`,
		);
	process.env[N8N_URL_VARIABLE] = run.n8nUrl;
	const files = BY_ADDRESS.map((name) => join('test', 'host', `${name}.test.mts`));
	return await jest('host', {
		...run,
		jestOptions: ['--runTestsByPath', ...files, ...run.jestOptions],
	});
}

/** The form of the code, by Prettier. */
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

/** Runs a project of Jest, a folder of test/, and reads the counts from Jest's own report. */
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
		// A project whose tests all pass and whose run failed has a failing set-up, or a test that never ended.
		return {
			passed: counts.numPassedTests,
			failed: code !== 0 && failed === 0 ? 1 : failed,
			skipped: counts.numPendingTests + counts.numTodoTests,
		};
	} catch (error) {
		console.error(`The ${project} tests did not run to their end:`, error);
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
		`Nothing was recorded: a run counts when every test of the host project passed (${failed} failed, ${skipped} were left out).`,
	);
}

async function inForeground(parameters: string[]): Promise<number> {
	return await new Promise((resolve, reject) => {
		// Jest's --json also prints the report on standard output: standard error has what a person wants to see.
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

const sum = (outcomes: Outcome[]): Outcome => ({
	passed: outcomes.reduce((total, { passed }) => total + passed, 0),
	failed: outcomes.reduce((total, { failed }) => total + failed, 0),
	skipped: outcomes.reduce((total, { skipped = 0 }) => total + skipped, 0),
});

await runMain(async () => {
	const parameters = process.argv.slice(2);
	const end = parameters.includes('--') ? parameters.indexOf('--') : parameters.length;
	const { values, positionals } = parseArgs({
		args: parameters.slice(0, end),
		options: {
			n8n: { type: 'string' },
			'n8n-url': { type: 'string' },
			record: { type: 'boolean', default: false },
			fix: { type: 'boolean', default: false },
		},
		allowPositionals: true,
	});
	const run: Run = {
		n8n: chooseN8n(values.n8n),
		n8nUrl: values['n8n-url'],
		record: values.record,
		fix: values.fix,
		jestOptions: parameters.slice(end + 1),
	};
	// Also for what the tests start themselves.
	process.env[N8N_VARIABLE] = run.n8n.version;
	const names =
		positionals.length > 0 ? positionals : Object.keys(PARTS).filter((name) => name !== FORMAT);
	if (run.record && (!names.includes('host') || run.jestOptions.length > 0)) {
		throw new ExplainedError(
			'--record is for the whole host suite: run it without naming files, as in npm run test:host -- --n8n oldest --record.',
		);
	}
	const outcomes: Outcome[] = [];
	const lines: string[] = [];
	const parts = names.map((name): [string, Part] => {
		const part = PARTS[name];
		if (part) return [name, part];
		throw new ExplainedError(
			`There is no part '${name}' of the tests: it is one of ${Object.keys(PARTS).join(', ')}.`,
		);
	});
	for (const [name, part] of parts) {
		console.log(`\n== ${name}`);
		const started = Date.now();
		const outcome = await part(run);
		outcomes.push(outcome);
		lines.push(
			`${name.padEnd(8)} ${String(outcome.passed).padStart(5)} passed ${String(outcome.failed).padStart(4)} failed ${seconds(started)}`,
		);
	}
	const { passed, failed } = sum(outcomes);
	console.log(`\n${lines.join('\n')}\n\n${passed} passed, ${failed} failed`);
	if (failed > 0 || passed === 0) process.exitCode = 1;
});

function seconds(since: number): string {
	return `${Math.round((Date.now() - since) / 1000)} s`.padStart(7);
}
