/**
 * The n8n that runs the package. Installed once into the cache, one entry for each lock, or for
 * each version without one.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ExplainedError } from '../bootstrap/explained.cjs';
import { headersFolder } from '../bootstrap/node24.cjs';
import { npm } from '../bootstrap/npm.cjs';
import { checkout } from '../checkout.mts';
import { installPinned, installUnpinned, type Program } from '../pinned.mts';
import { missingTools, installDebianPackages, sayWhatToInstall } from '../system-packages.mts';

/**
 * `current` is the newest n8n that the package is made for, `oldest` the oldest supported one.
 * scripts/pins/ pins both.
 */
export const GENERATIONS = ['current', 'oldest'] as const;
export type Generation = (typeof GENERATIONS)[number];

/**
 * Environment variable with the n8n for the host and browser tests: a generation, or a version that
 * replaces its generation.
 */
export const N8N_VARIABLE = 'TEST_N8N';

/** Environment variables for host tests in a running n8n: its address, and its owner's sign-in. */
export const N8N_URL_VARIABLE = 'TEST_N8N_URL';
export const EMAIL_VARIABLE = 'N8N_EMAIL';
export const PASSWORD_VARIABLE = 'N8N_PASSWORD';

export interface N8nHost {
	generation: Generation;
	/** Such as `2.41.1`. */
	version: string;
	/** n8n's start script, for Node.js 24. */
	program: string;
}

/**
 * The programs that compile n8n's SQLite driver if there is no ready-made one, and their Debian
 * packages.
 */
const COMPILER = { python3: 'python3', make: 'make', 'g++': 'g++' };

export function parseGeneration(value: string | undefined): Generation {
	const found = GENERATIONS.find((generation) => generation === (value ?? 'current'));
	if (found) return found;
	throw new ExplainedError(`Unknown n8n generation '${value}'. Use 'current' or 'oldest'.`);
}

const manifestsOf = (generation: Generation): string =>
	join(checkout, 'scripts', 'pins', `n8n-${generation}`);

interface Manifest {
	dependencies: { n8n: string };
	overrides: Record<string, string>;
}

const manifestOf = (generation: Generation): Manifest =>
	JSON.parse(readFileSync(join(manifestsOf(generation), 'package.json'), 'utf8')) as Manifest;

/** The n8n version of a generation. */
export const versionOf = (generation: Generation): string =>
	manifestOf(generation).dependencies.n8n;

export interface N8nChoice {
	/** The generation that it behaves like: `oldest` is n8n 1, `current` everything newer. */
	generation: Generation;
	version: string;
	/** Whether scripts/pins/ has a lock for it. */
	isPinned: boolean;
}

/** The value of the tests' `--n8n`: a generation, or any version in the registry. */
export function chooseN8n(value = 'current'): N8nChoice {
	const pinned = GENERATIONS.find((name) => name === value || versionOf(name) === value);
	if (pinned) return { generation: pinned, version: versionOf(pinned), isPinned: true };
	if (!/^\d+\.\d+\.\d+$/.test(value))
		throw new ExplainedError(
			`Unknown n8n '${value}'. Use 'current', 'oldest', or a version such as ${versionOf('current')}.`,
		);
	const generation = value.startsWith('1.') ? 'oldest' : 'current';
	return { generation, version: value, isPinned: false };
}

/**
 * Installs the generation on first use and returns its place: the pinned version, or the one under
 * test.
 */
export async function installHost(generation: Generation): Promise<N8nHost> {
	const underTest = chooseN8n(process.env[N8N_VARIABLE]);
	const choice = underTest.generation === generation ? underTest : chooseN8n(generation);
	const { version, isPinned } = choice;
	const program: Program = {
		name: `n8n-${version}`,
		what: `n8n ${version}`,
		takes: 'one to three minutes, 1 to 2 GB',
		gigabytes: 3,
		compiled: {
			name: 'sqlite3',
			product: join('build', 'Release', 'node_sqlite3.node'),
			build: async (alone) => await buildSqlite(alone, version),
		},
	};
	const folder = isPinned
		? await installPinned(manifestsOf(generation), program)
		: await installUnpinned(manifestFor(choice), program);
	return { generation, version, program: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

/**
 * With the overrides of the pinned versions, for dependencies that are not in every registry or
 * come from elsewhere. Without stubs, because another version can load other packages.
 */
function manifestFor({ generation, version }: N8nChoice) {
	const all = { ...manifestOf('oldest').overrides, ...manifestOf(generation).overrides };
	const overrides = Object.fromEntries(
		Object.entries(all).filter(([, override]) => !override.startsWith('npm:')),
	);
	return { name: 'host', private: true, overrides, dependencies: { n8n: version } };
}

async function buildSqlite(folder: string, version: string): Promise<void> {
	const headers = headersFolder(process.execPath);
	const install = async (): Promise<void> =>
		await npm(['ci', '--legacy-peer-deps', '--ignore-scripts=false'], {
			cwd: folder,
			what: `build the SQLite driver of n8n ${version}`,
			// Half the time of a release build, and n8n hardly notices.
			env: { CFLAGS: '-O1', CXXFLAGS: '-O1', ...(headers && { npm_config_nodedir: headers }) },
		});
	const missing = missingTools(COMPILER);
	if (missing.length > 0 && (await installDebianPackages(missing))) missing.length = 0;
	try {
		await install();
	} catch (error) {
		// Only now, because a ready-made driver needs no compiler.
		if (missing.length > 0)
			throw new ExplainedError(
				`n8n's SQLite driver has to be compiled here. ${sayWhatToInstall(missing)}`,
				error,
			);
		throw error;
	}
}
