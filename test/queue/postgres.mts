/**
 * A PostgreSQL of the run's own: a new cluster in its own folder, at a free port of this machine,
 * gone at the end.
 */
import { randomBytes } from 'node:crypto';
import { chownSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { ExplainedError } from '#scripts/bootstrap/explained.cjs';
import { capture } from '#scripts/bootstrap/npm.cjs';
import { freePort, startOwnedProgram } from '#scripts/n8n/processes.mts';
import { findProgram, installDebianPackages, sayWhatToInstall } from '#scripts/system-packages.mts';
import { until } from '#scripts/until.mts';

export interface Postgres {
	/** What n8n needs to use it. */
	env: NodeJS.ProcessEnv;
	/** Runs a query. @returns its rows */
	query: <Row>(sql: string) => Promise<Row[]>;
	/** Ends it and removes its data. Call it when it is no longer used. */
	remove(): Promise<void>;
}

const NAME = 'n8n';
const START_LIMIT_MS = 60_000;

/** PostgreSQL refuses to run as root: this is the user that its package makes. */
const UNPRIVILEGED = 'postgres';

/** The folder of its programs, which Debian keeps off the PATH. */
async function programs(): Promise<string> {
	const find = (): string | undefined => {
		const debian = globSync('/usr/lib/postgresql/*/bin')
			.sort((left, right) => left.localeCompare(right, 'en', { numeric: true }))
			.at(-1);
		const inPath = findProgram('initdb');
		return debian ?? (inPath === undefined ? undefined : dirname(inPath));
	};
	const found = find() ?? ((await installDebianPackages(['postgresql'])) ? find() : undefined);
	if (found !== undefined) return found;
	throw new ExplainedError(
		`The tests of queue mode need PostgreSQL. ${sayWhatToInstall(['postgresql'])}`,
	);
}

export async function startPostgres(): Promise<Postgres> {
	const bin = await programs();
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-postgres-'));
	const logs = mkdtempSync(join(tmpdir(), 'business-messaging-postgres-log-'));
	const asUser = await dropRoot(folder);
	const password = randomBytes(16).toString('hex');
	const data = join(folder, 'data');
	const run = async (program: string, ...parameters: string[]): Promise<void> => {
		const [command = '', ...rest] = [...asUser, join(bin, program), ...parameters];
		const { code, output } = await capture(command, rest, { cwd: folder });
		if (code !== 0) throw new ExplainedError(`${program} failed:\n\n${output.trim()}`);
	};
	const passwordFile = join(folder, 'password');
	writeFileSync(passwordFile, password, { mode: 0o644 });
	await run(
		'initdb',
		...['--pgdata', data, '--username', NAME, '--pwfile', passwordFile],
		...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-instructions'],
	);
	rmSync(passwordFile);
	const port = await freePort();
	const [command = '', ...parameters] = [
		...[...asUser, join(bin, 'postgres'), '-D', data, '-p', String(port)],
		...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
	];
	const owned = startOwnedProgram(command, parameters, {
		logFile: join(logs, 'postgres.log'),
		cwd: folder,
	});

	const env = {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(port),
		DB_POSTGRESDB_DATABASE: NAME,
		DB_POSTGRESDB_USER: NAME,
		DB_POSTGRESDB_PASSWORD: password,
	};
	const psql = async (database: string, sql: string) =>
		await capture(
			join(bin, 'psql'),
			[
				...['-h', '127.0.0.1', '-p', String(port), '-U', NAME, '-d', database],
				...['-v', 'ON_ERROR_STOP=1', '-Atqc', sql],
			],
			{ env: { ...process.env, PGPASSWORD: password } },
		);
	await until(
		'PostgreSQL to be ready',
		async () => owned.isRunning() && (await psql('postgres', 'SELECT 1')).code === 0,
		START_LIMIT_MS,
	);
	const { code, output } = await psql('postgres', `CREATE DATABASE ${NAME}`);
	if (code !== 0)
		throw new ExplainedError(`PostgreSQL refused to make a database: ${output.trim()}`);
	return {
		env,
		query: async <Row,>(sql: string) => {
			const result = await psql(
				NAME,
				`SELECT coalesce(json_agg(found), '[]') FROM (${sql}) AS found`,
			);
			if (result.code !== 0) throw new Error(`PostgreSQL refused a query: ${result.output.trim()}`);
			return JSON.parse(result.output) as Row[];
		},
		remove: async () => {
			await owned.stop();
			for (const made of [folder, logs]) rmSync(made, { recursive: true, force: true });
		},
	};
}

/**
 * What starts a program as an unprivileged user, to whom the folder is given. Nothing when this
 * process is one.
 */
async function dropRoot(folder: string): Promise<string[]> {
	if (process.getuid?.() !== 0) return [];
	const idOf = async (option: '-u' | '-g'): Promise<number> => {
		const { code, output } = await capture('id', [option, UNPRIVILEGED]);
		if (code === 0) return Number(output);
		throw new ExplainedError(
			`PostgreSQL does not run as root, and there is no user '${UNPRIVILEGED}' to run it as: run this as another user.`,
		);
	};
	const [user, group] = [await idOf('-u'), await idOf('-g')];
	chownSync(folder, user, group);
	return ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups'];
}
