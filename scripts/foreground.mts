/** Runs programs of Node.js in this terminal. */
import { spawn } from 'node:child_process';

import { cleanEnvironment } from './bootstrap/npm.cjs';
import { checkout } from './checkout.mts';

/**
 * Runs a program of Node.js and gives its exit code.
 *
 * @param isQuiet whether its standard output is left out
 */
export async function inForeground(parameters: string[], isQuiet = false): Promise<number> {
	return await new Promise((resolve, reject) => {
		const child = spawn(process.execPath, parameters, {
			cwd: checkout,
			env: cleanEnvironment(),
			stdio: ['ignore', isQuiet ? 'ignore' : 'inherit', 'inherit'],
		});
		child.on('error', reject);
		child.on('exit', (code) => resolve(code ?? 1));
	});
}
