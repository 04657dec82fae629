/** Starts, watches and stops a real n8n with the package. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { N8nClient } from './client.mts';
import type { N8nHost } from './host.mts';
import { keepPrivate } from './private.mts';
import { freePort, startReady, type OwnedProcess } from './processes.mts';

/**
 * The role of an n8n process: all in one, or in queue mode the main, a worker or a webhook
 * processor.
 */
export type N8nRole = 'start' | 'worker' | 'webhook';

export interface N8nOptions {
	host: N8nHost;
	/** The N8N_USER_FOLDER, with its database, settings and community packages. */
	home: string;
	/** A free one by default. */
	port?: number;
	env?: NodeJS.ProcessEnv;
	/** 'start' by default. */
	role?: N8nRole;
}

export interface RunningN8n extends OwnedProcess {
	url: string;
	home: string;
	logFile: string;
	client: N8nClient;
}

/** The first start migrates the database: 25 s on two idle cores. */
const START_LIMIT_MS = 180_000;

/**
 * Variables that would change this n8n: the user's settings for another n8n, and what Jest sets.
 */
const FOREIGN_SETTINGS =
	/^(N8N_|DB_|EXECUTIONS_|QUEUE_|WEBHOOK_URL$|GENERIC_|NODES_|OFFLOAD_|NODE_ENV$|JEST_WORKER_ID$)/;

/** Where an n8n on this machine listens. */
export const urlAt = (port: number): string => `http://127.0.0.1:${port}`;

export async function startN8n({
	host,
	home,
	port,
	env,
	role = 'start',
}: N8nOptions): Promise<RunningN8n> {
	const chosenPort = port ?? (await freePort());
	const url = urlAt(chosenPort);
	keepPrivate(home);
	// By this file n8n sees that it was killed, and then waits for 10 s. Here it is killed on
	// purpose.
	rmSync(join(home, '.n8n', 'crash.journal'), { force: true });
	const logFile = join(home, 'n8n.log');
	const owned = await startReady(
		`n8n ${host.version}`,
		[host.program, role],
		{
			logFile,
			cwd: home,
			env: {
				...withoutForeignSettings(),
				...(await settings(home, chosenPort)),
				...(role === 'worker' ? readinessOfWorker(chosenPort) : {}),
				...env,
			},
		},
		async (printed) =>
			(await isOk(`${url}/healthz/readiness`)) && (role !== 'start' || printed.includes(STARTED)),
		START_LIMIT_MS,
	);
	return { ...owned, url, home, logFile, client: new N8nClient(url) };
}

/**
 * n8n says that it is ready before it has handled the executions that it was killed in (n8n 1
 * would reset a running one) and before it has activated its workflows (a workflow unpublished
 * meanwhile keeps webhooks). It logs the editor's address after both.
 */
const STARTED = 'Editor is now accessible';

async function isOk(address: string): Promise<boolean> {
	try {
		return (await fetch(address, { signal: AbortSignal.timeout(5_000) })).ok;
	} catch {
		return false;
	}
}

async function settings(home: string, port: number): Promise<NodeJS.ProcessEnv> {
	return {
		// Without it, any site's page can call n8n with the owner's session, and stack traces are
		// shown.
		NODE_ENV: 'production',
		N8N_USER_FOLDER: home,
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		WEBHOOK_URL: `http://127.0.0.1:${port}/`,
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${port}/`,
		N8N_SECURE_COOKIE: 'false',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		// n8n 1 asks for this at its start. Without it, all transactions share one connection, and
		// parallel ones of data tables fail.
		DB_SQLITE_POOL_SIZE: '3',
	};
}

/** A worker serves nothing, unless told to report that it is ready. */
const readinessOfWorker = (port: number): NodeJS.ProcessEnv => ({
	QUEUE_HEALTH_CHECK_ACTIVE: 'true',
	QUEUE_HEALTH_CHECK_PORT: String(port),
	N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
});

/** Set to undefined, so that they are not inherited with the rest of the environment. */
function withoutForeignSettings(): NodeJS.ProcessEnv {
	return Object.fromEntries(
		Object.keys(process.env)
			.filter((name) => FOREIGN_SETTINGS.test(name))
			.map((name) => [name, undefined]),
	);
}
