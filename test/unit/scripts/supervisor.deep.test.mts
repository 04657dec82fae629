import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { checkout } from '../../../scripts/checkout.mts';
import { startOwned } from '../../../scripts/n8n/processes.mts';
import { until } from '../../../scripts/until.mts';

let folder = '';
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'supervisor-test-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * A program that starts another one, as n8n starts its task runner, prints both process ids, and
 * never ends by itself.
 */
const PROGRAM = `
	const { spawn } = require('node:child_process');
	const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
	console.log('pids', process.pid, child.pid);
	setInterval(() => {}, 1000);
`;

const pidsIn = (log: string): number[] | undefined =>
	/pids (\d+) (\d+)/.exec(log)?.slice(1).map(Number);

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		// A process that has ended keeps its id until another process has waited for it.
		return (
			process.platform !== 'linux' ||
			!/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
		);
	} catch {
		return false;
	}
}

test('stopping a program stops what it started', async () => {
	const program = startOwned(['-e', PROGRAM], { logFile: join(folder, 'stop.log') });
	const pids = await until('the program to start', () => pidsIn(program.log()), 10_000);
	expect(pids.map(isAlive)).toEqual([true, true]);
	await program.stop();
	expect(pids.map(isAlive)).toEqual([false, false]);
	expect(program.isRunning()).toBe(false);
}, 30_000);

test('a program ends with the script that owns it, even if that is killed', async () => {
	const logFile = join(folder, 'owner.log');
	const owner = `
		import { startOwned } from ${JSON.stringify(join(checkout, 'scripts/n8n/processes.mts'))};
		startOwned(['-e', ${JSON.stringify(PROGRAM)}], { logFile: ${JSON.stringify(logFile)} });
		setInterval(() => {}, 1000);
	`;
	const script = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', owner], {
		cwd: checkout,
		stdio: 'inherit',
	});
	const pids = await until('the program to start', () => pidsIn(readLog(logFile)), 20_000);
	script.kill('SIGKILL');
	await until('the program to end', () => !pids.some(isAlive), 15_000);
}, 60_000);

function readLog(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return '';
	}
}
