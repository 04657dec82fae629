/** Programs that run beside a script and end with it: a sandbox, an n8n. */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';

import { isCode } from '../bootstrap/cache.cjs';
import { cleanEnvironment } from '../bootstrap/npm.cjs';
import { ExplainedError } from '../bootstrap/explained.cjs';
import { until } from '../until.mts';

export interface OwnedProcess {
	/** Its whole output, of this run and of earlier ones with the same log file. */
	log(): string;
	/** Ends it and everything that it started, and waits until all are gone. */
	stop(): Promise<void>;
	/** Ends it at once, as a crash or `kill -9` would. */
	kill(): Promise<void>;
	isRunning(): boolean;
	/** Settles when it ends, for any reason. */
	ended: Promise<void>;
}

export interface ProgramOptions {
	/** File for its output. Existing output is kept. */
	logFile: string;
	env?: NodeJS.ProcessEnv;
	cwd?: string;
}

const STOP_LIMIT_MS = 10_000;

const owned = new Set<OwnedProcess>();

/** Ends all programs that this script still runs. */
export async function stopAll(): Promise<void> {
	await Promise.all([...owned].map((program) => program.stop()));
}

/**
 * Starts a program of Node.js as `startOwnedProgram` does, and waits until it is ready. Otherwise
 * it is killed.
 *
 * @param ready gets its output, and returns something when it is ready
 * @throws ExplainedError with the end of its output
 */
export async function startReady<T>(
	what: string,
	parameters: string[],
	options: ProgramOptions,
	ready: (printed: string) => T | Promise<T>,
	limitMs: number,
): Promise<OwnedProcess & { found: Exclude<T, false | undefined | null | '' | 0> }> {
	const owned = startOwnedProgram(process.execPath, parameters, options);
	const before = owned.log().length;
	const printed = () => owned.log().slice(before);
	try {
		const look = async (): Promise<T> => {
			const found = await ready(printed());
			if (!found && !owned.isRunning()) throw new Error('it ended by itself');
			return found;
		};
		return { ...owned, found: await until(`${what} to be ready`, look, limitMs) };
	} catch (error) {
		await owned.kill();
		const reason = error instanceof Error ? error.message : String(error);
		throw new ExplainedError(
			`${what} did not start: ${reason}. Its log ends with:\n\n${endOf(printed())}`,
			error,
		);
	}
}

/** The last lines of a log. */
export const endOf = (log: string): string => log.trim().split('\n').slice(-15).join('\n');

/** Starts a program in its own process group, watched by the supervisor. */
export function startOwnedProgram(
	command: string,
	parameters: string[],
	{ logFile, env = {}, cwd }: ProgramOptions,
): OwnedProcess {
	if (process.platform === 'win32')
		throw new ExplainedError('This needs Linux or macOS. On Windows, run it in WSL.');
	mkdirSync(dirname(logFile), { recursive: true });
	const output = openSync(logFile, 'a', 0o600);
	const supervisor = join(import.meta.dirname, 'supervisor.mjs');
	const child = spawn(process.execPath, [supervisor, command, ...parameters], {
		cwd,
		env: cleanEnvironment(process.execPath, env),
		detached: true,
		stdio: ['pipe', output, output],
	});
	closeSync(output);
	const { pid } = child;
	if (pid === undefined) throw new ExplainedError(`${command} could not be started.`);
	let running = true;
	const ended = new Promise<void>((resolve) => {
		child.on('exit', () => {
			running = false;
			resolve();
		});
	});
	// The pipe ends with the process; nothing is ever written to it.
	child.stdin?.on('error', () => undefined);

	const gone = async (): Promise<void> => {
		await ended;
		await until(`process group ${pid} to be gone`, () => !signalGroup(pid, 0), STOP_LIMIT_MS);
		owned.delete(program);
	};
	const program: OwnedProcess = {
		ended,
		log: () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : ''),
		isRunning: () => running,
		stop: async () => {
			child.stdin?.end();
			await gone();
		},
		kill: async () => {
			signalGroup(pid, 'SIGKILL');
			await gone();
		},
	};
	owned.add(program);
	return program;
}

/** @returns false if the group has no process left */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
	try {
		return process.kill(-leader, signal);
	} catch (error) {
		if (isCode(error, 'ESRCH')) return false;
		throw error;
	}
}

/** Below the ports of outgoing connections: Linux begins at 32768, other systems above. */
const FREE_PORTS = { from: 20_000, to: 32_767 };
const PORT_TRIES = 50;

/**
 * Finds a free port of the loopback interface that no outgoing connection can take before a program
 * listens on it.
 */
export async function freePort(): Promise<number> {
	for (let tries = 1; ; tries++) {
		const port = randomInt(FREE_PORTS.from, FREE_PORTS.to + 1);
		try {
			await listenOnce(port);
			return port;
		} catch (error) {
			if (tries >= PORT_TRIES || !isCode(error, 'EADDRINUSE')) throw error;
		}
	}
}

/** Refuses a port that is in use. `option` chooses another one. */
export async function requirePort(port: number, what: string, option: string): Promise<void> {
	try {
		await listenOnce(port);
	} catch (error) {
		throw new ExplainedError(
			`Port ${port} for ${what} is already in use. Stop the program that uses it, or choose another port with ${option}.`,
			error,
		);
	}
}

async function listenOnce(port: number): Promise<void> {
	const server = createServer().listen(port, '127.0.0.1');
	await once(server, 'listening');
	server.close();
	await once(server, 'close');
}
