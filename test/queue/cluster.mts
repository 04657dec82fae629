/**
 * n8n in queue mode on this machine: one main, two workers and two webhook processors behind one
 * address, each with a home of its own.
 */
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { N8nHost } from '#scripts/n8n/host.mts';
import { installCommunityPackage } from '#scripts/n8n/package.mts';
import { freePort } from '#scripts/n8n/processes.mts';
import { type N8nRole, type RunningN8n, startN8n } from '#scripts/n8n/server.mts';
import { type Proxy, openProxy } from '../load/proxy.mts';
import { type Postgres, startPostgres } from './postgres.mts';
import { type Redis, startRedis } from './redis.mts';

/** Concurrent jobs of a worker: the lowest number that n8n calls stable. */
export const CONCURRENCY = 5;

/** The settings against losses from docs/queue-mode.md and docs/queue-mode/compose.yaml. */
export const RECOMMENDED = {
	QUEUE_WORKER_STALLED_INTERVAL: '2147483647',
	QUEUE_BULL_REDIS_TIMEOUT_THRESHOLD: '30000',
	N8N_EXECUTIONS_QUEUE_RECOVERY_BATCH: '10000',
};

/** Its settings for speed. */
export const FAST = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/** The settings of queue mode, in which only the webhook processors receive events. */
export const MODE = { EXECUTIONS_MODE: 'queue', N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true' };

const SETTINGS = {
	...MODE,
	...FAST,
	N8N_CONCURRENCY_PRODUCTION_LIMIT: String(CONCURRENCY),
	// By default n8n keeps only the last 10,000 executions. The run counts all.
	EXECUTIONS_DATA_PRUNE: 'false',
};

/** A process of the cluster. It can be ended and replaced. */
export class Member {
	#running: RunningN8n | undefined;
	/** It runs, and is to run. */
	#expected = false;

	constructor(
		readonly name: string,
		private readonly role: N8nRole,
		private readonly parts: { host: N8nHost; home: string; port: number; env: NodeJS.ProcessEnv },
	) {}

	get url(): string {
		return `http://127.0.0.1:${this.parts.port}`;
	}

	get running(): RunningN8n {
		if (!this.#running) throw new Error(`${this.name} was never started`);
		return this.#running;
	}

	async start(): Promise<void> {
		this.#expected = false;
		this.#running = await startN8n({ ...this.parts, role: this.role });
		this.#expected = true;
	}

	/** Ends it at once. */
	async kill(): Promise<void> {
		this.#expected = false;
		await this.#running?.kill();
	}

	/** Ends it like a service manager, so that it can finish its work. */
	async stop(): Promise<void> {
		this.#expected = false;
		await this.running.stop();
	}

	/**
	 * What a service manager does: starts it again when it ended by itself.
	 *
	 * @returns whether it had
	 */
	async keepUp(): Promise<boolean> {
		if (!this.#expected || this.running.isRunning()) return false;
		await this.start();
		return true;
	}
}

export interface Cluster {
	main: Member;
	workers: [Member, Member];
	processors: [Member, Member];
	members: Member[];
	proxy: Proxy;
	redis: Redis;
	postgres: Postgres;
	/** Ends n8n and PostgreSQL, in this order. */
	close(): Promise<void>;
}

/**
 * @param folder where everything but PostgreSQL's data goes
 * @param recovery settings of n8n for the time after a crash
 */
export async function startCluster(
	host: N8nHost,
	folder: string,
	recovery: NodeJS.ProcessEnv,
): Promise<Cluster> {
	const redisFolder = join(folder, 'redis');
	mkdirSync(redisFolder);
	const [postgres, redis, proxy] = [
		await startPostgres(),
		await startRedis(redisFolder),
		await openProxy(),
	];
	const common = {
		...SETTINGS,
		...recovery,
		...postgres.env,
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
		WEBHOOK_URL: `${proxy.url}/`,
	};
	const template = join(folder, 'template');
	await installCommunityPackage(template);
	const member = async (name: string, role: N8nRole): Promise<Member> => {
		const home = join(folder, name);
		cpSync(template, home, { recursive: true });
		return new Member(name, role, { host, home, port: await freePort(), env: common });
	};
	const main = await member('main', 'start');
	const workers: Cluster['workers'] = [
		await member('worker-1', 'worker'),
		await member('worker-2', 'worker'),
	];
	const processors: Cluster['processors'] = [
		await member('processor-1', 'webhook'),
		await member('processor-2', 'webhook'),
	];
	const members = [main, ...workers, ...processors];
	// The main process starts first and alone, because it migrates the database.
	for (const each of members) await each.start();
	proxy.backends.push(...processors.map(({ url }) => new URL(url)));
	return {
		...{ main, workers, processors, members, proxy, redis, postgres },
		close: async () => {
			await Promise.all(members.map(async (each) => await each.kill()));
			await proxy.stop();
			await postgres.remove();
		},
	};
}
