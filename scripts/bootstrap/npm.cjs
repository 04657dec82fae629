/**
 * Calls npm from a script, independent of the user's npm settings, and explains its usual failures.
 */
const { spawn } = require('node:child_process');
const { dirname, delimiter } = require('node:path');

const { ExplainedError } = require('./explained.cjs');

/** Variables that npm sets for its scripts and would read as its own settings in a nested call. */
const INHERITED =
	/^npm_(lifecycle_|package_|command$|config_(local_prefix|loglevel|ignore_scripts|legacy_peer_deps|global_prefix|prefix|noproxy)$)/i;

/**
 * The environment for programs that a script starts: without npm's settings, with the given Node.js
 * first on the PATH.
 *
 * @param {string} [node] path of a Node.js binary, this process's own by default
 * @param {NodeJS.ProcessEnv} [extra]
 * @returns {NodeJS.ProcessEnv}
 */
function cleanEnvironment(node = process.execPath, extra = {}) {
	const kept = Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !INHERITED.test(name)),
	);
	return { ...kept, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`, ...extra };
}

/**
 * Runs npm in a folder. All relevant settings are given, so that the user's configuration has no
 * effect.
 *
 * @param {string[]} parameters
 * @param {{ cwd: string, what: string, env?: NodeJS.ProcessEnv }} options `what` names the work in
 *   messages ("install n8n 2.41.1")
 */
async function npm(parameters, { cwd, what, env = {} }) {
	const npmScript = process.env.npm_execpath;
	const settings = ['--yes', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
	const [command, ...first] = npmScript?.endsWith('.js') ? [process.execPath, npmScript] : ['npm'];
	const started = Date.now();
	const ticker = setInterval(
		() => console.log(`  ... ${what}: ${Math.round((Date.now() - started) / 1000)} s`),
		15_000,
	);
	try {
		const all = [...first, ...parameters, ...settings];
		const environment = cleanEnvironment(process.execPath, env);
		const { code, output } = await capture(command ?? 'npm', all, { cwd, env: environment });
		if (code !== 0) throw explainNpm(what, output);
	} finally {
		clearInterval(ticker);
	}
}

/**
 * Runs a program to its end and returns its output.
 *
 * @param {string} command
 * @param {string[]} parameters
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, signal?: AbortSignal }} [options]
 * @returns {Promise<{ code: number, output: string }>} code 127 if the program does not exist
 */
function capture(command, parameters, options = {}) {
	return new Promise((resolve) => {
		const child = spawn(command, parameters, {
			...options,
			stdio: ['ignore', 'pipe', 'pipe'],
			shell: process.platform === 'win32' && !command.endsWith('.exe'),
		});
		let output = '';
		const collect = (/** @type {Buffer} */ chunk) => (output += chunk.toString());
		child.stdout.on('data', collect);
		child.stderr.on('data', collect);
		child.on('error', (error) => resolve({ code: 127, output: error.message }));
		child.on('close', (code) => resolve({ code: code ?? 1, output }));
	});
}

/** @param {string} what @param {string} output */
function explainNpm(what, output) {
	// npm prints the error first and its help last.
	const excerpt = output.trim().split('\n').slice(0, 12).join('\n');
	if (/ENOSPC|no space left on device/i.test(output)) {
		return new ExplainedError(
			`The disk is full: npm could not ${what}. Free some space and run the command again.`,
		);
	}
	if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET/i.test(output)) {
		return new ExplainedError(
			`npm could not reach its package registry to ${what}. Check the connection or the proxy, and run the command again.\n\n${excerpt}`,
		);
	}
	return new ExplainedError(`npm could not ${what}. Its output:\n\n${excerpt}`);
}

module.exports = { cleanEnvironment, npm, capture };
