/**
 * Large programs outside the checkout's node_modules. The checkout has the manifest and lock of
 * each. The cache has the installed program, once for the machine.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { cacheEntry } from './bootstrap/cache.cjs';
import { npm } from './bootstrap/npm.cjs';
import { checkout } from './checkout.mts';

export interface Program {
	/** Beginning of the cache entry's name, before the hash of its manifest and lock. */
	name: string;
	/** Its name in messages: "n8n 2.41.1". */
	what: string;
	/** Duration and size of the installation for messages: "three to five minutes, 2.5 GB". */
	takes: string;
	/** Free space in GB that installing needs. */
	gigabytes: number;
	/** The step after its packages are installed. */
	finish?: { what: string; run(folder: string): Promise<void> };
}

/**
 * Installs a program on first use.
 *
 * @param manifests folder of its package.json and package-lock.json
 * @returns the folder that holds its node_modules
 */
export async function installPinned(manifests: string, program: Program): Promise<string> {
	const files = ['package.json', 'package-lock.json'].map(
		(file) => [file, readFileSync(join(manifests, file), 'utf8')] as const,
	);
	// Only what the lock names, by its hash.
	return await install(files, 'ci', program);
}

/** The same for a tool in scripts/pins/. */
export const installTool = (
	name: string,
	program: Pick<Program, 'what' | 'takes' | 'gigabytes'>,
): Promise<string> => installPinned(join(checkout, 'scripts', 'pins', name), { name, ...program });

/** Imports a package of an installed tool. Its types are not in the checkout. */
export async function importFrom(folder: string, name: string): Promise<unknown> {
	const file = createRequire(join(folder, 'package.json')).resolve(name);
	return await import(pathToFileURL(file).href);
}

/**
 * The same for a program without a lock. The registry chooses the dependencies, so two
 * installations can differ.
 */
export async function installUnpinned(manifest: object, program: Program): Promise<string> {
	return await install([['package.json', JSON.stringify(manifest)]], 'install', program);
}

async function install(
	files: ReadonlyArray<readonly [name: string, content: string]>,
	command: 'ci' | 'install',
	{ name, what, takes, gigabytes, finish }: Program,
): Promise<string> {
	const hash = createHash('sha256');
	for (const [, content] of files) hash.update(content);
	const build = async (folder: string): Promise<void> => {
		const started = Date.now();
		console.log(`Installing ${what}, once for this machine (${takes}) ...`);
		if (finish) console.log('  1 of 2: getting its packages');
		for (const [file, content] of files) writeFileSync(join(folder, file), content);
		// No install scripts, because several packages download programs that are not needed here.
		await npm([command, '--legacy-peer-deps', '--ignore-scripts'], {
			cwd: folder,
			what: `install ${what}`,
		});
		if (finish) console.log(`  2 of 2: ${finish.what}`);
		await finish?.run(folder);
		console.log(`Installed ${what} in ${Math.round((Date.now() - started) / 1000)} s.`);
	};
	return await cacheEntry(`${name}-${hash.digest('hex').slice(0, 12)}`, { gigabytes, what, build });
}
