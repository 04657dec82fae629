/** Runs programs of Node.js in this terminal, and measures what they take. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cleanEnvironment } from './bootstrap/npm.cjs';
import { checkout } from './checkout.mts';

/** What the programs of a piece of work took, in milliseconds of processor time. */
const meter = new AsyncLocalStorage<{ processor: number }>();

/** Does a piece of work, and measures the programs that it runs, with all that they start. */
export async function measured<Result>(
	work: () => Promise<Result>,
): Promise<{ result: Result; processor: number }> {
	const store = { processor: 0 };
	return { result: await meter.run(store, work), processor: store.processor };
}

/**
 * Runs a program of Node.js and gives its exit code.
 *
 * @param isQuiet whether its standard output is left out
 */
export async function inForeground(parameters: string[], isQuiet = false): Promise<number> {
	const total = meter.getStore();
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-times-'));
	const times = join(folder, 'times');
	// Node.js does not tell what a child took, and the shell does.
	const [command = '', ...given] = total
		? ['sh', '-c', 'times=$0; "$@"; code=$?; times >"$times"; exit $code', times, process.execPath]
		: [process.execPath];
	try {
		return await new Promise((resolve, reject) => {
			const child = spawn(command, [...given, ...parameters], {
				cwd: checkout,
				env: cleanEnvironment(),
				stdio: ['ignore', isQuiet ? 'ignore' : 'inherit', 'inherit'],
			});
			child.on('error', reject);
			child.on('exit', (code) => {
				if (total) total.processor += ofChildren(readFileSync(times, 'utf8'));
				resolve(code ?? 1);
			});
		});
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** The second line of the shell's `times`: user and system time of its children, as 1m2.34s. */
function ofChildren(times: string): number {
	const [, line = ''] = times.split('\n');
	return [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
		(total, [, minutes, seconds]) => total + Number(minutes) * 60_000 + Number(seconds) * 1000,
		0,
	);
}
