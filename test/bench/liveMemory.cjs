/**
 * Loaded into n8n (`--require`): collects its garbage again and again, and writes into a file of
 * the folder LIVE_MEMORY_FOLDER how many bytes are left. What an idle V8 has not collected yet is
 * no memory that anything holds.
 */
const { renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { isMainThread } = require('node:worker_threads');

const { LIVE_MEMORY_FOLDER: folder } = process.env;
const PAUSE_MS = 500;

if (folder && isMainThread) {
	// A process each: those around n8n are small.
	const file = join(folder, String(process.pid));
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
