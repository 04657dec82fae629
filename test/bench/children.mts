/** Processes that a measurement starts beside itself. */
import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';

import { checkout } from '../../scripts/checkout.mts';

const started = new Set<ChildProcess>();

/**
 * Starts a script of the checkout; what it prints can be read, and its complaints appear on the
 * terminal.
 */
export function startScript(
	script: string,
	parameters: string[] = [],
	{ flags = [] }: { flags?: string[] } = {},
): ChildProcess {
	return startProgram([...flags, '--import', 'tsx', join(checkout, script), ...parameters]);
}

/** Starts Node.js with these parameters. */
export function startProgram(parameters: string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
	const child = spawn(process.execPath, parameters, {
		cwd: checkout,
		env: { ...process.env, ...env },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	started.add(child);
	child.once('exit', () => started.delete(child));
	return child;
}

/** Runs a program to its end, and reads the JSON that it prints. */
export async function resultOf<T>(child: ChildProcess): Promise<T> {
	const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
	if (!child.stdout) throw new Error('the program has no output to read');
	const [printed, code] = await Promise.all([text(child.stdout), ended]);
	if (code !== 0) throw new Error(`${child.spawnargs.slice(1).join(' ')} ended with ${code}`);
	return JSON.parse(printed) as T;
}

/** Ends everything that is still running. */
export function endChildren(): void {
	for (const child of started) child.kill('SIGKILL');
}

process.once('exit', endChildren);
