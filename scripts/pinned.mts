/**
 * Heavy programs that stay out of the checkout's own node_modules. Manifest and lock of each are in the checkout; what those pin is installed in the
 * cache, once for the machine.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { cacheEntry } from './bootstrap/cache.cjs';
import { npm } from './bootstrap/npm.cjs';

export interface Program {
	/** Beginning of the cache entry's name: a hash of what it is installed from follows. */
	name: string;
	/** Names it in messages: "n8n 2.41.1". */
	what: string;
	/** What installing takes, for whoever waits: "three to five minutes, 2.5 GB". */
	takes: string;
	/** Free space that installing needs. */
	gigabytes: number;
	/** What is left to do once its packages are there. */
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
	// Nothing but what the lock names, by its hash.
	return await install(files, 'ci', program);
}

/** The same of a program without a lock: the registry says which versions of its dependencies come, so that two installations can differ. */
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
		// No install scripts: several packages download programs that nobody needs here.
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
