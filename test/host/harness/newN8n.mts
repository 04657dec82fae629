/** Makes a new n8n of the tests quick, with a migrated database and frequent checks of waits. */
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { cacheEntry } from '../../../scripts/bootstrap/cache.cjs';
import { checkout } from '../../../scripts/checkout.mts';
import type { N8nHost } from '../../../scripts/n8n/host.mts';
import { startN8n } from '../../../scripts/n8n/server.mts';

const DATABASE = 'database.sqlite';

/** Environment of an n8n that checks every second, not every minute, whether a wait is over. */
export const QUICK_WAITS = {
	NODE_OPTIONS: `--require ${JSON.stringify(join(checkout, 'test', 'host', 'harness', 'quickWaits.cjs'))}`,
};

/**
 * Puts a migrated database into a new n8n home, because migrating takes half of a first start. n8n
 * adds the instance's own keys when it starts.
 */
export async function provideDatabase(host: N8nHost, home: string): Promise<void> {
	const folder = await cacheEntry(`${installationOf(host)}-database`, {
		gigabytes: 0.1,
		what: `the database of n8n ${host.version}`,
		build: async (building) => await migrate(host, building),
	});
	const settings = join(home, '.n8n');
	mkdirSync(settings, { recursive: true });
	if (!existsSync(join(settings, DATABASE)))
		copyFileSync(join(folder, DATABASE), join(settings, DATABASE));
}

/** The cache entry of the n8n installation. Its name changes with what is installed. */
const installationOf = ({ program }: N8nHost): string =>
	basename(resolve(program, '..', '..', '..', '..'));

/** Starts n8n once in a home of its own, and keeps its database without the instance's own data. */
async function migrate(host: N8nHost, folder: string): Promise<void> {
	const home = join(folder, 'home');
	const n8n = await startN8n({ host, home });
	await n8n.stop();
	const migrated = join(home, '.n8n', DATABASE);
	const database = new DatabaseSync(migrated);
	try {
		// n8n 2 keeps keys here that only this home's encryption key opens. n8n 1 has no such table.
		if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'deployment_key'").get())
			database.exec('DELETE FROM deployment_key');
		database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
	} finally {
		database.close();
	}
	copyFileSync(migrated, join(folder, DATABASE));
	rmSync(home, { recursive: true, force: true });
}
