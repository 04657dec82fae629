/** Makes a new n8n of the tests quick, with a migrated database and frequent checks of waits. */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';

import { cacheEntry, cacheRoot } from '#scripts/bootstrap/cache.cjs';
import { checkout } from '#scripts/checkout.mts';
import { DEPTH_VARIABLE } from '#scripts/depths.mts';
import type { N8nHost } from '#scripts/n8n/host.mts';
import { type N8nOptions, type RunningN8n, startN8n } from '#scripts/n8n/server.mts';

const DATABASE = 'database.sqlite';

/** Environment of an n8n that checks every second, not every minute, whether a wait is over. */
export const QUICK_WAITS = {
	NODE_OPTIONS: `--require ${JSON.stringify(join(checkout, 'test', 'host', 'harness', 'quickWaits.cjs'))}`,
};

/** What docs/limits.md advises for many events: a third less work for an execution. */
const MANY_EVENTS = {
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
};

/** In a deep run, which executes thousands of workflows. The others have n8n's defaults. */
export const forDepth = (): NodeJS.ProcessEnv =>
	process.env[DEPTH_VARIABLE] === 'deep' ? MANY_EVENTS : {};

/**
 * Starts an n8n in a new home, with a migrated database if there is one, because migrating takes
 * half of a first start. n8n adds the instance's own keys when it starts.
 */
export async function startNewN8n(options: N8nOptions): Promise<RunningN8n> {
	const { host, home } = options;
	const kept = join(cacheRoot(), `${installationOf(host)}-database`, DATABASE);
	const settings = join(home, '.n8n');
	mkdirSync(settings, { recursive: true });
	if (existsSync(kept)) copyFileSync(kept, join(settings, DATABASE));
	const n8n = await startN8n(options);
	await keepDatabase(host, join(settings, DATABASE));
	return n8n;
}

/** The name of the cache entry of the n8n installation, which changes with what is installed. */
const installationOf = ({ program }: N8nHost): string =>
	basename(resolve(program, '..', '..', '..', '..'));

/** Keeps the database that the first n8n of an installation migrated, before anybody uses it. */
async function keepDatabase(host: N8nHost, file: string): Promise<void> {
	await cacheEntry(`${installationOf(host)}-database`, {
		gigabytes: 0.1,
		what: `the database of n8n ${host.version}`,
		build: async (folder) => {
			const running = new DatabaseSync(file);
			await backup(running, join(folder, DATABASE));
			running.close();
			const database = new DatabaseSync(join(folder, DATABASE));
			// n8n 2 keeps keys here that only this home's encryption key opens. n8n 1 has no such table.
			if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'deployment_key'").get())
				database.exec('DELETE FROM deployment_key');
			// One file, without the journal beside it.
			database.exec('PRAGMA journal_mode = DELETE');
			database.close();
		},
	});
}
