/**
 * Installs n8n for scripts/bootstrap.mjs: `fetch.mts <version>`. It runs before the dependencies
 * are there, so Node.js itself strips the types, and only files without packages are imported.
 */
import { chooseN8n, installHost, N8N_VARIABLE } from './host.mts';

const { version, generation } = chooseN8n(process.argv[2]);
process.env[N8N_VARIABLE] = version;
await installHost(generation);
