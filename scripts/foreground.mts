/** Runs programs of Node.js in this terminal. */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';

import { cleanEnvironment } from './bootstrap/npm.cjs';
import { checkout } from './checkout.mts';

interface Settings {
	/** Whether its standard output is left out. */
	isQuiet?: boolean;
	env?: NodeJS.ProcessEnv;
}

const running = new Set<ChildProcess>();
// A terminal's Ctrl-C reaches them by itself.
for (const signal of ['SIGTERM', 'SIGHUP'] as const)
	process.once(signal, () => {
		for (const child of running) child.kill(signal);
		process.exit(128 + constants.signals[signal]);
	});

/** Runs a program of Node.js, which ends with this process, and gives its exit code. */
export async function inForeground(
	parameters: string[],
	{ isQuiet = false, env = {} }: Settings = {},
): Promise<number> {
	return await new Promise((resolve, reject) => {
		const child = spawn(process.execPath, parameters, {
			cwd: checkout,
			env: cleanEnvironment(process.execPath, env),
			stdio: ['ignore', isQuiet ? 'ignore' : 'inherit', 'inherit'],
		});
		running.add(child);
		child.on('error', reject);
		child.on('exit', (code) => {
			running.delete(child);
			resolve(code ?? 1);
		});
	});
}
