/**
 * Runs a program and ends it, with everything that it started, when whoever wanted it is gone.
 *
 * The parent holds the other end of this process's standard input. When the parent ends, however abruptly, that pipe closes. The parent starts
 * the supervisor as the leader of a process group, so the group is the program and all its descendants.
 *
 *     node supervisor.mjs <program> [parameters]
 */
import { spawn } from 'node:child_process';

/** n8n finishes running executions before it ends; this is long enough for the ones that a laptop has. */
const GRACE_MS = 10_000;

// What is written is for whoever started this alone.
process.umask(0o077);

const [program = '', ...parameters] = process.argv.slice(2);
const child = spawn(program, parameters, { stdio: ['ignore', 'inherit', 'inherit'] });

let ending = false;
const end = () => {
	if (ending) return;
	ending = true;
	// Once, and to the program alone: n8n ends its own children, and takes a second signal for impatience.
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
