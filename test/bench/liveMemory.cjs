/**
 * Loaded into n8n (`--require`): collects its garbage again and again, and writes into the file that LIVE_MEMORY_FILE names how many bytes are left.
 * What an idle V8 has not collected yet is no memory that anything holds.
 */
const { renameSync, writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const { LIVE_MEMORY_FILE: file } = process.env;
const PAUSE_MS = 500;

// n8n's own process, and not those that it starts.
if (file && process.argv.includes('start')) {
	setFlagsFromString('--expose-gc');
	/** @type {() => void} */
	const collect = runInNewContext('gc');
	setInterval(() => {
		collect();
		const { heapUsed, external } = process.memoryUsage();
		writeFileSync(`${file}.new`, String(heapUsed + external));
		renameSync(`${file}.new`, file);
	}, PAUSE_MS).unref();
}
