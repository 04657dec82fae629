import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const BUSY_LIMIT_MS = 10_000;

function withDatabase<T>(home: string, use: (database: DatabaseSync) => T): T {
	const database = new DatabaseSync(join(home, '.n8n', 'database.sqlite'), {
		timeout: BUSY_LIMIT_MS,
	});
	try {
		return use(database);
	} finally {
		database.close();
	}
}

interface NodeState {
	webhookId: string;
	secret: string;
	tokenHash?: string;
}

type StaticData = Record<string, NodeState>;

function readStaticData(database: DatabaseSync, workflowId: string): StaticData {
	const row = database
		.prepare('SELECT staticData FROM workflow_entity WHERE id = ?')
		.get(workflowId);
	return (JSON.parse(String(row?.staticData ?? 'null')) as StaticData | null) ?? {};
}

/** What the trigger stored in n8n's database. Undefined if there is nothing. `home` is n8n's. */
export function readNodeState(
	home: string,
	workflowId: string,
	nodeName: string,
): NodeState | undefined {
	return withDatabase(home, (database) => readStaticData(database, workflowId)[`node:${nodeName}`]);
}

/** Drops the hash, as the trigger does while it is uncertain which token the service has. */
export function dropTokenHash(home: string, workflowId: string, nodeName: string): void {
	withDatabase(home, (database) => {
		const stored = readStaticData(database, workflowId);
		const { tokenHash, ...older } = stored[`node:${nodeName}`] ?? {};
		if (tokenHash === undefined)
			throw new Error(`n8n holds no hash of a token of workflow ${workflowId}`);
		database
			.prepare('UPDATE workflow_entity SET staticData = ? WHERE id = ?')
			.run(JSON.stringify({ ...stored, [`node:${nodeName}`]: older }), workflowId);
	});
}

/** Loses what n8n stored for a workflow, as a restored backup or an import does. */
export function wipeStaticData(home: string, workflowId: string): void {
	withDatabase(home, (database) => {
		const { changes } = database
			.prepare(
				'UPDATE workflow_entity SET staticData = NULL WHERE id = ? AND staticData IS NOT NULL',
			)
			.run(workflowId);
		if (Number(changes) !== 1)
			throw new Error(`n8n holds no static data of workflow ${workflowId}`);
	});
}

/** How many executions of a workflow succeeded, as n8n recorded them. */
export function countSuccesses(home: string, workflowId: string): number {
	return withDatabase(home, (database) => {
		const row = database
			.prepare(
				"SELECT count(*) AS count FROM execution_entity WHERE workflowId = ? AND status = 'success'",
			)
			.get(workflowId);
		return Number(row?.count);
	});
}

/** How many entries n8n's memory of processed values holds for a workflow. `home` is n8n's. */
export function countRemembered(home: string, workflowId: string): number {
	return withDatabase(home, (database) =>
		database
			.prepare('SELECT value FROM processed_data WHERE workflowId = ?')
			.all(workflowId)
			.map(({ value }) => (JSON.parse(String(value)) as { data: unknown[] }).data.length)
			.reduce((sum, entries) => sum + entries, 0),
	);
}
