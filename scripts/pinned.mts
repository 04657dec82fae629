/**
 * Heavy programs that stay out of the checkout's own node_modules. Manifest and lock of each are in the checkout; what those pin is installed in the
 * cache, once for the machine.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { cacheEntry } from './bootstrap/cache.cjs';
import { npm } from './bootstrap/npm.cjs';

export interface PinnedProgram {
	/** Folder of its package.json and package-lock.json. */
	manifests: string;
	/** Beginning of the cache entry's name: a hash of manifest and lock follows. */
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

/** Installs the program on first use. @returns the folder that holds its node_modules */
export async function installPinned({
	manifests,
	name,
	what,
	takes,
	gigabytes,
	finish,
}: PinnedProgram): Promise<string> {
	const files = ['package.json', 'package-lock.json'].map((file) => join(manifests, file));
	const hash = createHash('sha256');
	for (const file of files) hash.update(readFileSync(file));
	const build = async (folder: string): Promise<void> => {
		const started = Date.now();
		console.log(`Installing ${what}, once for this machine (${takes}) ...`);
		if (finish) console.log('  1 of 2: getting its packages');
		for (const file of files) copyFileSync(file, join(folder, basename(file)));
		// Nothing but what the lock names, by its hash. No install scripts: several packages download programs that nobody needs here.
		await npm(['ci', '--legacy-peer-deps', '--ignore-scripts'], {
			cwd: folder,
			what: `install ${what}`,
		});
		if (finish) console.log(`  2 of 2: ${finish.what}`);
		await finish?.run(folder);
		console.log(`Installed ${what} in ${Math.round((Date.now() - started) / 1000)} s.`);
	};
	return await cacheEntry(`${name}-${hash.digest('hex').slice(0, 12)}`, { gigabytes, what, build });
}
