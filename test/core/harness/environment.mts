/** What n8n-core reads from the environment when it is loaded: import this first. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.env.N8N_ENCRYPTION_KEY ??= 'a key for tests only';
process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'business-messaging-core-'));
// The engine logs every failing node; here failing is what is tested.
process.env.N8N_LOG_LEVEL ??= 'silent';
