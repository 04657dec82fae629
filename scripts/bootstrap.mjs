/**
 * The entry of every npm script. Runs on Node.js 20 and up with nothing installed: installs the
 * project's dependencies and Node.js 24, then runs one of the project's programs with it.
 *
 *     node scripts/bootstrap.mjs <program> [options]
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { beginCommand } from './bootstrap/began.cjs';
import { cacheRoot, withLock } from './bootstrap/cache.cjs';
import { ExplainedError, runMain } from './bootstrap/explained.cjs';
import { node24 } from './bootstrap/node24.cjs';
import { cleanEnvironment, npm } from './bootstrap/npm.cjs';
import { whenParentEnds } from './bootstrap/parent.cjs';

const checkout = fileURLToPath(new URL('..', import.meta.url));

beginCommand();
await runMain(async () => {
	const [program = '', ...given] = process.argv.slice(2);
	if (!existsSync(join(checkout, program)) || program === '')
		throw new ExplainedError(
			`There is no program '${program}'. Use a command of package.json, such as npm test.`,
		);
	if (Number(process.versions.node.split('.')[0]) < 20) {
		throw new ExplainedError(
			`The project needs Node.js 20 or newer, and this is ${process.version}. Install a newer Node.js.`,
		);
	}
	const node24Found = node24();
	node24Found.then(
		(node) => fetchN8n(node, [program, ...given]),
		() => {},
	);
	const [node] = await Promise.all([node24Found, installDependencies()]);
	const tsx = pathToFileURL(join(checkout, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href;
	process.exitCode = await runInForeground(node, ['--import', tsx, program, ...given]);
});

/** Installs the checkout's node_modules if they are missing, incomplete or older than the lock. */
async function installDependencies() {
	if (isInstalled()) return;
	mkdirSync(cacheRoot(), { recursive: true });
	const name = createHash('sha256').update(checkout).digest('hex').slice(0, 12);
	await withLock(
		join(cacheRoot(), `checkout-${name}.lock`),
		'another run to finish installing the dependencies',
		async () => {
			if (isInstalled()) return;
			console.log('Installing the dependencies of the project (one to three minutes) ...');
			await npm(['ci', '--ignore-scripts', '--legacy-peer-deps'], {
				cwd: checkout,
				what: 'install the dependencies of the project',
			});
		},
	);
}

/**
 * Compares npm's record of its last install with the lock file, package by package. Dates are not
 * enough: an interrupted install or a changed lock file can have the newer date on the wrong side.
 */
function isInstalled() {
	const installed = join(checkout, 'node_modules', '.package-lock.json');
	if (!existsSync(installed)) return false;
	const present = packagesOf(installed);
	return Object.entries(packagesOf(join(checkout, 'package-lock.json'))).every(
		([path, { version, optional, devOptional }]) =>
			path === '' || optional || devOptional || present[path]?.version === version,
	);
}

/**
 * @param {string} lock
 * @returns {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }>}
 */
function packagesOf(lock) {
	return JSON.parse(readFileSync(lock, 'utf8')).packages;
}

/**
 * Installs the n8n that a program needs while the dependencies are installed and while the tests
 * run that need no n8n. The program waits for it, tries again if it failed, and then says why.
 *
 * @param {string} node
 * @param {string[]} commandLine of the program
 */
function fetchN8n(node, commandLine) {
	const child = spawn(node, ['scripts/n8n/fetch.mts', ...commandLine], {
		cwd: checkout,
		env: cleanEnvironment(node),
		stdio: ['ignore', 'inherit', 'ignore'],
		// A group of its own, so that npm below it ends with this process, too.
		detached: true,
	});
	child.unref();
	process.on('exit', () => {
		try {
			if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
		} catch {
			// It has just ended.
		}
	});
}

/**
 * Runs a program that shares this terminal. Ctrl-C reaches the program by itself; other signals are
 * passed on.
 *
 * @param {string} command
 * @param {string[]} parameters
 * @returns {Promise<number>} its exit code, or 128 and the signal that ended it
 */
function runInForeground(command, parameters) {
	return new Promise((resolve, reject) => {
		const child = spawn(command, parameters, {
			cwd: checkout,
			env: cleanEnvironment(command),
			stdio: 'inherit',
		});
		process.on('SIGINT', () => {});
		for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP']))
			process.on(signal, () => child.kill(signal));
		whenParentEnds(() => child.kill('SIGTERM'));
		child.on('error', reject);
		child.on('exit', (code, signal) =>
			resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)),
		);
	});
}
