/**
 * Finds Node.js 24 for n8n and the tools: the running one, or npm's copy in the cache, which also
 * has other versions.
 */
const { writeFileSync, existsSync } = require('node:fs');
const { join } = require('node:path');

const { cacheEntry } = require('./cache.cjs');
const { ExplainedError } = require('./explained.cjs');
const { capture, npm } = require('./npm.cjs');

/**
 * The current n8n needs at least 24, the oldest supported one at most 24. The scripts need
 * `import.meta.main` from 24.2.
 */
const MAJOR = 24;
const FIRST_MINOR = 2;
const VERSION = '24.21.0';

/** npm's binary packages name Windows `win`. */
const platform = process.platform === 'win32' ? 'win' : process.platform;

/** @returns {Promise<string>} path of a Node.js 24 binary */
async function node24() {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	if (major === MAJOR && minor >= FIRST_MINOR) return process.execPath;
	return await nodeOf(VERSION, 'n8n needs');
}

/**
 * @param {string} version
 * @param {string} need completes "which …" in the message about the download
 * @returns {Promise<string>} path of its binary in the cache
 */
async function nodeOf(version, need) {
	const name = `node-${platform}-${process.arch}`;
	const program = process.platform === 'win32' ? 'node.exe' : 'node';
	const binary = join('node_modules', name, 'bin', program);
	const folder = await cacheEntry(`${name}-${version}`, {
		gigabytes: 0.5,
		what: `Node.js ${version}`,
		build: async (temporary) => {
			console.log(`Getting Node.js ${version}, which ${need} (this one is ${process.version}) ...`);
			writeFileSync(join(temporary, 'package.json'), JSON.stringify({ private: true }));
			await npm(
				['install', '--ignore-scripts', '--no-save', '--no-package-lock', `${name}@${version}`],
				{ cwd: temporary, what: `get Node.js ${version} for ${platform} ${process.arch}` },
			);
			const { code, output } = await capture(join(temporary, binary), ['--version']);
			if (code === 0 && output.trim() === `v${version}`) return;
			throw new ExplainedError(
				`Node.js ${version} does not run on this system (${output.trim()}). Install Node.js ${version} yourself and run the command with it.`,
			);
		},
	});
	return join(folder, binary);
}

/**
 * The headers that node-gyp needs to compile native modules for a Node.js binary, as its `nodedir`.
 *
 * @param {string} node path of the binary
 * @returns {string | undefined} undefined if they are not beside it; node-gyp then downloads them
 */
function headersFolder(node) {
	const folder = join(node, '..', '..');
	return existsSync(join(folder, 'include', 'node', 'node_api.h')) ? folder : undefined;
}

module.exports = { node24, nodeOf, headersFolder };
