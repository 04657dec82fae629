/** Runs programs of Node.js in this terminal. */
import { spawn } from 'node:child_process';

import { cleanEnvironment } from './bootstrap/npm.cjs';
import { checkout } from './checkout.mts';

interface Settings {
	/** Whether its standard output is left out. */
	isQuiet?: boolean;
	env?: NodeJS.ProcessEnv;
}

/** Runs a program of Node.js and gives its exit code. */
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
		child.on('error', reject);
		child.on('exit', (code) => resolve(code ?? 1));
	});
}
