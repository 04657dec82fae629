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
