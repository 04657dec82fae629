import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** The sandbox in its own process, as people start it. */
export interface SandboxProcess {
	child: ChildProcess;
	/** Its output so far. */
	output: () => string;
	/** Resolves with its exit code, or the signal that ended it. */
	ended: Promise<number | NodeJS.Signals | null>;
}

export function spawnSandbox(...parameters: string[]): SandboxProcess {
	const main = join(import.meta.dirname, '..', '..', 'sandbox', 'main.mts');
	return spawnProgram(['--import', 'tsx', main, ...parameters]);
}

/**
 * A Node.js program that is, or wants to be, a sandbox. @param env beside this process's own @param
 * node that runs it
 */
export function spawnProgram(
	parameters: string[],
	env: NodeJS.ProcessEnv = {},
	node = process.execPath,
): SandboxProcess {
	const child = spawn(node, parameters, {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: { ...process.env, ...env },
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
	const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
		child.once('close', (code, signal) => resolve(code ?? signal)),
	);
	return { child, output: () => output, ended };
}

/** Its address, as soon as it listens. */
export async function addressOf({ child, output, ended }: SandboxProcess): Promise<string> {
	const address = () => /Sandbox ready at (\S+)/.exec(output())?.[1];
	return await new Promise((resolve, reject) => {
		const look = () => {
			const found = address();
			if (found) resolve(found);
		};
		child.stdout?.on('data', look);
		void ended.then((how) => reject(new Error(`the sandbox ended with ${how}: ${output()}`)));
		look();
	});
}

/** Kills programs, and waits until they have ended. */
export async function endAll(running: SandboxProcess[]): Promise<void> {
	for (const { child, ended } of running) {
		child.kill('SIGKILL');
		await ended;
	}
}
