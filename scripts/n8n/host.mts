/** The n8n that the package is run in: installed once into the cache, one entry per generation and lock. */
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { cacheEntry } from '../bootstrap/cache.cjs';
import { ExplainedError } from '../bootstrap/explained.cjs';
import { headersFolder } from '../bootstrap/node24.cjs';
import { npm } from '../bootstrap/npm.cjs';
import { checkout } from '../checkout.mts';
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
	const manifest = JSON.parse(readFileSync(join(manifestsOf(generation), 'package.json'), 'utf8')) as { dependencies: { n8n: string } };
	return manifest.dependencies.n8n;
}

/** Installs the generation on first use (three to five minutes, about 2.5 GB) and gives where it is. */
export async function installHost(generation: Generation): Promise<N8nHost> {
	const manifests = manifestsOf(generation);
	const manifest = readFileSync(join(manifests, 'package.json'));
	const lock = readFileSync(join(manifests, 'package-lock.json'));
	const version = versionOf(generation);
	const fingerprint = createHash('sha256').update(manifest).update(lock).digest('hex').slice(0, 12);
	const folder = await cacheEntry(`n8n-${version}-${fingerprint}`, {
		gigabytes: 4,
		what: `n8n ${version}`,
		build: async (temporary) => {
			for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(manifests, file), join(temporary, file));
			await install(temporary, version);
		},
	});
	return { generation, version, program: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

async function install(folder: string, version: string): Promise<void> {
	const started = Date.now();
	console.log(`Installing n8n ${version}, once for this machine (three to five minutes, 2.5 GB) ...`);
	console.log('  1 of 2: getting its packages');
	// Not `npm ci`: the locks leave out what other platforms need. No install scripts: several packages download programs that n8n can do without.
	await npm(['install', '--legacy-peer-deps', '--ignore-scripts'], { cwd: folder, what: `install n8n ${version}` });
	console.log('  2 of 2: building its SQLite driver');
	await buildSqlite(folder, version);
	console.log(`Installed n8n ${version} in ${Math.round((Date.now() - started) / 1000)} s.`);
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
		if (missing.length > 0) throw new ExplainedError(`n8n's SQLite driver has to be compiled here. ${sayWhatToInstall(missing)}`, error);
		throw error;
	}
}
