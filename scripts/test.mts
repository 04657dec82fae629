import { join } from 'node:path';

import { command, readCommandLine, text } from '../sandbox/core/commandLine.cjs';
import { ExplainedError, runMain } from './bootstrap/explained.cjs';
import { provideChromium } from './chromium.mts';
import { tool } from './checkout.mts';
import { recordRun } from './compatibility.mts';
import { inForeground } from './foreground.mts';
import { DAILY_PARTS, type Depth } from './depths.mts';
import { jest, jestInShards, type Outcome, sum } from './jest.mts';
import {
	chooseN8n,
	EMAIL_VARIABLE,
	installHost,
	N8N_URL_VARIABLE,
	N8N_VARIABLE,
	type N8nChoice,
	PASSWORD_VARIABLE,
	versionOf,
} from './n8n/host.mts';
import { checkTypes } from './typesCheck.mts';

interface Run {
	n8n: N8nChoice;
	/** Address of a running n8n. */
	n8nUrl?: string | undefined;
	record: boolean;
	/** Whether the linter fixes what it can. */
	fix: boolean;
	depth: Depth;
	jestOptions: string[];
}

type Part = (run: Run) => Promise<Outcome>;

/** Run only by name, because it changes files. */
const FORMAT = 'format';
/** The main tests and the examples in the oldest n8n, beside a deep run in the current one. */
const OLDEST = 'oldest';

const PARTS = {
	[FORMAT]: () => format(true),
	types: async ({ depth }) => await outcomeOf(checkTypes(depth)),
	lint: async ({ fix, depth }) => {
		const linted = () => check(...eslint(depth), ...(fix ? ['--fix'] : []));
		// Two programs that write the same files run one after the other.
		return sum(
			fix ? [await linted(), await format(true)] : await Promise.all([linted(), format(false)]),
		);
	},
	scan: () => check('--import', 'tsx', 'scripts/scan.mts'),
	unit: (run) => jest('unit', inOneProcess(run)),
	core: (run) => jest('core', inOneProcess(run)),
	sandbox: (run) => jest('sandbox', inOneProcess(run)),
	host: async (run) => {
		if (run.n8nUrl !== undefined) return await jestByAddress(run);
		await installHost(run.n8n.generation);
		if (run.depth === 'daily') return await jest('host', inOneProcess(run));
		const outcome = await jestInShards('host', 3, run);
		if (run.record) record(run, outcome);
		return outcome;
	},
	[OLDEST]: (run) => {
		const env = { [N8N_VARIABLE]: versionOf(OLDEST) };
		return jest('host', { ...inOneProcess(run), depth: OLDEST, env });
	},
	browser: async (run) => {
		await provideChromium();
		await installHost(run.n8n.generation);
		return await jestInShards('browser', 2, { ...run, depth: 'all' });
	},
} satisfies Record<string, Part>;
type PartName = keyof typeof PARTS;
const PART_NAMES = Object.keys(PARTS) as PartName[];

const TEST = command({
	name: 'npm test --',
	about:
		'Runs what shows that the package works: types, unit, core, sandbox, and the main tests in a real n8n, side by side. A failed part does not stop the others. Other parts run by name, and the tests of npm run test:deep if a file is named after the second --.',
	words: { usage: '[part ...]', name: 'part', among: PART_NAMES },
	rest: 'options for Jest',
	options: {
		deep: {
			type: 'boolean',
			about:
				"runs what npm test leaves out instead: style, n8n's scanner, the types of the tools, properties at full counts, restarts, the editor, and the main tests in the oldest n8n",
		},
		changed: {
			type: 'boolean',
			about: 'runs only the tests that a file with uncommitted changes can reach',
		},
		n8n: text(
			'VERSION',
			'n8n to test in: current, oldest, or a version in the registry (default current)',
		),
		'n8n-url': text(
			'URL',
			'runs the host tests that need only an address, in a running n8n with this package; the variables N8N_EMAIL and N8N_PASSWORD sign in there',
		),
		record: {
			type: 'boolean',
			about: "writes a passed run of the whole host suite into the README's compatibility table",
		},
		fix: { type: 'boolean', about: 'lets the linter fix what it can' },
	},
	example: 'unit core',
});

/** Parts run side by side. Workers of one part would load its packages once more each. */
const inOneProcess = (run: Run): Run => ({
	...run,
	jestOptions: ['--runInBand', ...run.jestOptions],
});

/** The host tests that need only n8n's address and a sign-in. */
const BY_ADDRESS = ['downloadAttachments', 'receiving', 'sending'];

async function jestByAddress(run: Run): Promise<Outcome> {
	if (!process.env[EMAIL_VARIABLE] || !process.env[PASSWORD_VARIABLE])
		throw new ExplainedError(
			`--n8n-url needs a sign-in. Set ${EMAIL_VARIABLE} and ${PASSWORD_VARIABLE} to those of a user of that n8n.`,
		);
	process.env[N8N_URL_VARIABLE] = run.n8nUrl;
	const files = BY_ADDRESS.map((name) => join('test', 'host', `${name}.test.mts`));
	const jestOptions = ['--runTestsByPath', ...files, ...run.jestOptions];
	return await jest('host', { ...run, jestOptions });
}

const CACHED = ['--cache', '--cache-strategy', 'content'];

/**
 * A file that passed is checked again if it changed. Rules that know types depend on other files
 * too, so a deep run checks all of them.
 */
const eslint = (depth: Depth): string[] => [
	...[tool('eslint/bin/eslint.js'), '.', '--max-warnings', '0'],
	...(depth === 'deep' ? [] : [...CACHED, '--cache-location', 'node_modules/.cache/eslint/']),
];

/** Checks the formatting with Prettier, or writes it. */
const format = (write: boolean): Promise<Outcome> =>
	check(
		...[tool('prettier/bin/prettier.cjs'), '.', ...CACHED],
		...(write ? ['--write', '--log-level', 'warn'] : ['--check']),
	);

const check = (...parameters: string[]): Promise<Outcome> =>
	outcomeOf(inForeground(parameters).then((code) => code === 0));

const outcomeOf = async (isGood: Promise<boolean>): Promise<Outcome> =>
	(await isGood) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };

function record({ n8n }: Run, { passed, failed, skipped }: Outcome): void {
	if (failed === 0 && passed > 0 && skipped === 0) return recordRun(n8n, passed);
	console.error(
		`Nothing was recorded. A run counts only if every host test passed (${failed} failed, ${skipped} were skipped).`,
	);
}

/** What runs side by side, each lane part by part. The host tests mostly wait for n8n. */
const LANES: PartName[][] = [
	['host', OLDEST],
	[FORMAT, 'types', 'lint', 'scan', 'core'],
	['unit', 'sandbox'],
];
/** Runs when all else has ended, because Chromium needs the processor. */
const LAST: PartName[] = ['browser'];

/** Which of the tests: a file that is named runs, however long it takes. */
function depthOf(values: { deep?: boolean; record?: boolean }, jestOptions: string[]): Depth {
	const isNamed = jestOptions.some((option) => !option.startsWith('-'));
	if (isNamed || values.record) return 'all';
	return values.deep ? 'deep' : 'daily';
}

/** The parts of a run that names none. */
function partsOf({ depth, n8n }: Run): PartName[] {
	if (depth === 'daily') return [...DAILY_PARTS];
	return PART_NAMES.filter(
		(name) => name !== FORMAT && (name !== OLDEST || n8n.generation === 'current'),
	);
}

await runMain(async () => {
	const { values, words, rest } = readCommandLine(TEST);
	const run: Run = {
		n8n: chooseN8n(values.n8n),
		n8nUrl: values['n8n-url'],
		record: values.record ?? false,
		fix: values.fix ?? false,
		depth: depthOf(values, rest),
		jestOptions: [...(values.changed ? ['--onlyChanged'] : []), ...rest],
	};
	// Also for programs that the tests start.
	process.env[N8N_VARIABLE] = run.n8n.version;
	const names = words.length > 0 ? words : partsOf(run);
	if (run.record && (!names.includes('host') || run.jestOptions.length > 0)) {
		throw new ExplainedError(
			'--record needs the whole host suite. Do not name files, as in npm test -- host --n8n oldest --record.',
		);
	}
	const lines: string[] = [];
	const outcomes: Outcome[] = [];
	const runAll = async (lane: readonly PartName[]): Promise<void> => {
		for (const name of lane.filter((one) => names.includes(one))) {
			console.log(`\n== ${name}`);
			const started = Date.now();
			const outcome = await PARTS[name](run);
			outcomes.push(outcome);
			const wall = Date.now() - started;
			lines.push(
				`${name.padEnd(8)} ${String(outcome.passed).padStart(5)} passed ${String(outcome.failed).padStart(4)} failed ${`${Math.round(wall / 1000)} s`.padStart(7)}`,
			);
		}
	};
	// A first run installs it meanwhile. The browser tests say what went wrong.
	if (names.includes('browser')) void provideChromium().catch(() => undefined);
	await Promise.all(LANES.map(runAll));
	await runAll(LAST);
	const { passed, failed } = sum(outcomes);
	console.log(`\n${lines.join('\n')}\n\n${passed} passed, ${failed} failed`);
	if (failed > 0 || (passed === 0 && !values.changed)) process.exitCode = 1;
});
