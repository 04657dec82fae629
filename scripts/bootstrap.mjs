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
import { COMMANDS } from './bootstrap/commands.cjs';
import { installDependencies } from './bootstrap/dependencies.cjs';
import { ExplainedError, runMain } from './bootstrap/explained.cjs';
import { node24 } from './bootstrap/node24.cjs';
import { cleanEnvironment } from './bootstrap/npm.cjs';
import { whenParentEnds } from './bootstrap/parent.cjs';

const checkout = fileURLToPath(new URL('..', import.meta.url));

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
	readCommandLine(command, given);
	await installDependencies(checkout);
	const node = await node24();
	const tsx = pathToFileURL(join(checkout, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href;
	const program = ['--import', tsx, command.file, ...(command.parts ?? [])];
	process.exitCode = await runInForeground(node, [...program, ...given]);
});

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
