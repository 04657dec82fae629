/**
 * Runs a program, and ends it with everything that it started when its parent is gone.
 *
 * The parent holds the other end of this process's standard input, which closes when the parent
 * ends in any way. The supervisor leads a process group of the program and all its descendants.
 *
 *     node supervisor.mjs <program> [parameters]
 */
import { spawn } from 'node:child_process';

/** n8n finishes running executions before it ends. This is long enough for a laptop's. */
const GRACE_MS = 10_000;

// This output is for people who start the supervisor directly.
process.umask(0o077);

const [program = '', ...parameters] = process.argv.slice(2);
const child = spawn(program, parameters, { stdio: ['ignore', 'inherit', 'inherit'] });

let ending = false;
const end = () => {
	if (ending) return;
	ending = true;
	// Once, and only to the program: n8n ends its own children, and a second signal would hurry it.
	child.kill('SIGTERM');
	setTimeout(killGroup, GRACE_MS);
};

/** The supervisor is a member of the group and ends with it. */
function killGroup() {
	process.kill(-process.pid, 'SIGKILL');
}

for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']))
	process.on(signal, end);
process.stdin.on('close', end).on('error', end).resume();
child.on('error', (error) => console.error(error.message));
child.on('close', killGroup);
