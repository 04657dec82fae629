/** What n8n-core reads from the environment when it is loaded. Import this first. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.env.N8N_ENCRYPTION_KEY ??= 'a key for tests only';
if (process.env.N8N_USER_FOLDER === undefined) {
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-core-'));
	const remove = () => rmSync(folder, { recursive: true, force: true });
	// Jest does not tell tests when their process ends.
	if ('afterAll' in globalThis) afterAll(remove);
	else process.once('exit', remove);
	process.env.N8N_USER_FOLDER = folder;
}
// The engine logs every failing node. These tests fail nodes on purpose.
process.env.N8N_LOG_LEVEL ??= 'silent';
