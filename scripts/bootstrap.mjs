/**
 * The entry of every npm script. Runs on Node.js 20 and up with nothing installed: installs the
 * project's dependencies and Node.js 24, then runs the script with it. It answers `--help` and
 * refuses a wrong option first.
 *
 *     node scripts/bootstrap.mjs <command> [options]
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { readCommandLine } from '../sandbox/core/commandLine.cjs';
import { beginCommand } from './bootstrap/began.cjs';
import { COMMANDS } from './bootstrap/commands.cjs';
import { installDependencies } from './bootstrap/dependencies.cjs';
import { ExplainedError, runMain } from './bootstrap/explained.cjs';
import { node24 } from './bootstrap/node24.cjs';
import { cleanEnvironment } from './bootstrap/npm.cjs';
import { whenParentEnds } from './bootstrap/parent.cjs';

const checkout = fileURLToPath(new URL('..', import.meta.url));

beginCommand();
await runMain(async () => {
	const [name = '', ...given] = process.argv.slice(2);
	const command = COMMANDS[name];
	if (!command)
		throw new ExplainedError(
			`Unknown command '${name}'. Use one of ${Object.keys(COMMANDS).join(', ')}.`,
		);
	if (Number(process.versions.node.split('.')[0]) < 20) {
		throw new ExplainedError(
			`The project needs Node.js 20 or newer, and this is ${process.version}. Install a newer Node.js.`,
		);
	}
	const { values, words } = readCommandLine(command, given);
	const node24Found = node24();
	const version = command.n8nOf?.(values, words);
	if (version !== undefined)
		node24Found.then(
			(node) => fetchN8n(node, version),
			() => {},
		);
	const [node] = await Promise.all([node24Found, installDependencies(checkout)]);
	const tsx = pathToFileURL(join(checkout, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href;
	const program = ['--import', tsx, command.file, ...(command.parts ?? [])];
	process.exitCode = await runInForeground(node, [...program, ...given]);
});

/**
 * Installs n8n while the dependencies are installed and while the tests run that need no n8n. The
 * command waits for it, tries again if it failed, and then says why.
 *
 * @param {string} node
 * @param {string} version as the option --n8n takes it
 */
function fetchN8n(node, version) {
	const child = spawn(node, ['scripts/n8n/fetch.mts', version], {
		cwd: checkout,
		env: cleanEnvironment(node),
		stdio: ['ignore', 'inherit', 'ignore'],
		// A group of its own, so that npm below it ends with this process, too.
		detached: true,
	});
	child.unref();
	process.on('exit', () => {
		if (child.exitCode === null && child.pid !== undefined) kill(-child.pid);
	});
}

/** @param {number} group */
function kill(group) {
	try {
		process.kill(group, 'SIGTERM');
	} catch {
		// It has just ended.
	}
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
