/** The n8n that the package is run in: installed once into the cache, one entry per generation and lock. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ExplainedError } from '../bootstrap/explained.cjs';
import { headersFolder } from '../bootstrap/node24.cjs';
import { npm } from '../bootstrap/npm.cjs';
import { checkout } from '../checkout.mts';
import { installPinned } from '../pinned.mts';
import { missingTools, installDebianPackages, sayWhatToInstall } from '../system-packages.mts';

/** `current` is the newest n8n the package is made for, `oldest` the oldest one it supports. The folders of hosts/ pin both. */
export const GENERATIONS = ['current', 'oldest'] as const;
export type Generation = (typeof GENERATIONS)[number];

/** Environment variable that tells the host and browser tests which generation to run in. */
export const GENERATION_VARIABLE = 'TEST_N8N_GENERATION';

export interface N8nHost {
	generation: Generation;
	/** Such as `2.41.1`. */
	version: string;
	/** n8n's own start script, for Node.js 24. */
	program: string;
}

/** What compiles n8n's SQLite driver where no ready-made one can be had, and the Debian packages that bring it. */
const COMPILER = { python3: 'python3', make: 'make', 'g++': 'g++' };

export function parseGeneration(value: string | undefined): Generation {
	const found = GENERATIONS.find((generation) => generation === (value ?? 'current'));
	if (found) return found;
	throw new ExplainedError(`There is no n8n generation '${value}': it is 'current' or 'oldest'.`);
}

const manifestsOf = (generation: Generation): string => join(checkout, 'hosts', generation);

/** The n8n version that stands for a generation. */
export function versionOf(generation: Generation): string {
	const manifest = JSON.parse(
		readFileSync(join(manifestsOf(generation), 'package.json'), 'utf8'),
	) as { dependencies: { n8n: string } };
	return manifest.dependencies.n8n;
}

/** Installs the generation on first use and gives where it is. */
export async function installHost(generation: Generation): Promise<N8nHost> {
	const version = versionOf(generation);
	const folder = await installPinned({
		manifests: manifestsOf(generation),
		name: `n8n-${version}`,
		what: `n8n ${version}`,
		takes: 'three to five minutes, 2.5 GB',
		gigabytes: 4,
		finish: {
			what: 'building its SQLite driver',
			run: async (temporary) => await buildSqlite(temporary, version),
		},
	});
	return { generation, version, program: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

async function buildSqlite(folder: string, version: string): Promise<void> {
	const headers = headersFolder(process.execPath);
	const rebuild = async (): Promise<void> =>
		await npm(['rebuild', 'sqlite3', '--ignore-scripts=false'], {
			cwd: folder,
			what: `build the SQLite driver of n8n ${version}`,
			env: headers === undefined ? {} : { npm_config_nodedir: headers },
		});
	const missing = missingTools(COMPILER);
	if (missing.length > 0 && (await installDebianPackages(missing))) missing.length = 0;
	try {
		await rebuild();
	} catch (error) {
		// Only now: a ready-made driver needs no compiler.
		if (missing.length > 0)
			throw new ExplainedError(
				`n8n's SQLite driver has to be compiled here. ${sayWhatToInstall(missing)}`,
				error,
			);
		throw error;
	}
}
