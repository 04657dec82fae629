/**
 * A Redis of the run's own. It writes every job to disk before it responds, so it can be killed and
 * started again.
 */
import { join } from 'node:path';

import { ExplainedError } from '#scripts/bootstrap/explained.cjs';
import { capture } from '#scripts/bootstrap/npm.cjs';
import { checkout } from '#scripts/checkout.mts';
import { freePort, startOwnedProgram, type OwnedProcess } from '#scripts/n8n/processes.mts';
import { findProgram, installDebianPackages, sayWhatToInstall } from '#scripts/system-packages.mts';
import { until } from '#scripts/until.mts';

export interface Redis {
	port: number;
	/** Whether no job waits, and none has a worker that keeps its lock. */
	isIdle(): Promise<boolean>;
	/** Drops the jobs of workers that are gone, as docs/queue-mode.md says. @returns how many */
	dropDeadJobs(): Promise<number>;
	kill(): Promise<void>;
	start(): Promise<void>;
}

const SCRIPT = join(checkout, 'docs', 'queue-mode', 'drop-dead-jobs.lua');
const START_LIMIT_MS = 30_000;

async function program(): Promise<string> {
	const find = (): string | undefined => findProgram('redis-server');
	const found = find() ?? ((await installDebianPackages(['redis-server'])) ? find() : undefined);
	if (found !== undefined) return found;
	throw new ExplainedError(
		`The tests of queue mode need Redis. ${sayWhatToInstall(['redis-server'])}`,
	);
}

/** @param folder where its files go; it must exist */
export async function startRedis(folder: string): Promise<Redis> {
	const redisServer = await program();
	const port = await freePort();
	// `always`: with the usual second between writes, a killed Redis forgets jobs whose events got a
	// 2xx.
	const settings = [
		...['--appendonly', 'yes', '--appendfsync', 'always'],
		...['--save', '', '--maxmemory-policy', 'noeviction'],
	];
	const ask = async (...command: string[]): Promise<string> =>
		(await capture('redis-cli', ['-p', String(port), ...command])).output.trim();
	let owned: OwnedProcess;
	const start = async (): Promise<void> => {
		owned = startOwnedProgram(
			redisServer,
			['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...settings],
			{ logFile: join(folder, 'redis.log'), cwd: folder },
		);
		await until('Redis to be ready', async () => (await ask('ping')) === 'PONG', START_LIMIT_MS);
	};
	const isIdle = async (): Promise<boolean> =>
		(await ask('llen', 'bull:jobs:wait')) === '0' &&
		(await ask('--scan', '--pattern', 'bull:jobs:*:lock')) === '';
	await start();
	return {
		port,
		start,
		isIdle,
		dropDeadJobs: async () => Number(await ask('--eval', SCRIPT, ',', '0')),
		kill: async () => await owned.kill(),
	};
}
