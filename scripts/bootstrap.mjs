/**
 * The way into every npm script, on any Node.js from 20 up and with nothing installed: provides the project's dependencies and Node.js 24,
 * then runs the wanted script on it.
 *
 *     node scripts/bootstrap.mjs <command> [options]
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { installDependencies } from './bootstrap/dependencies.cjs';
import { ExplainedError, runMain } from './bootstrap/explained.cjs';
import { node24 } from './bootstrap/node24.cjs';
import { cleanEnvironment } from './bootstrap/npm.cjs';
import { whenParentEnds } from './bootstrap/parent.cjs';

const checkout = fileURLToPath(new URL('..', import.meta.url));

/** @type {Record<string, string>} */
const COMMANDS = {
	start: 'scripts/start.mts',
	dev: 'scripts/dev.mts',
	test: 'scripts/test.mts',
	build: 'scripts/build.mts',
	'build:sandbox': 'scripts/buildSandbox.mts',
	scan: 'scripts/scan.mts',
	release: 'scripts/release.mts',
	sandbox: 'sandbox/main.mts',
	rehearse: 'sandbox/rehearse.mts',
	bench: 'test/bench/main.mts',
	queue: 'test/queue/main.mts',
	chaos: 'test/chaos/main.mts',
	containers: 'test/containers/main.mts',
	fuzz: 'test/fuzz/main.mts',
	mutation: 'test/mutation/main.mts',
};

await runMain(async () => {
	const [command = '', ...options] = process.argv.slice(2);
	const target = COMMANDS[command];
	if (!target)
		throw new ExplainedError(
			`There is no command '${command}': it is one of ${Object.keys(COMMANDS).join(', ')}.`,
		);
	if (Number(process.versions.node.split('.')[0]) < 20) {
		throw new ExplainedError(
			`This is Node.js ${process.version}, and the project needs 20 or newer to start: install a newer Node.js.`,
		);
	}
	await installDependencies(checkout);
	const node = await node24();
	const tsx = pathToFileURL(join(checkout, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href;
	process.exitCode = await runInForeground(node, ['--import', tsx, target, ...options]);
});

/**
 * Runs a program that shares this terminal. Signals are the program's to handle: Ctrl-C reaches it by itself, others are handed on.
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
