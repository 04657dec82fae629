import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const BUSY_LIMIT_MS = 10_000;

function withDatabase<T>(home: string, use: (database: DatabaseSync) => T): T {
	const database = new DatabaseSync(join(home, '.n8n', 'database.sqlite'), { timeout: BUSY_LIMIT_MS });
	try {
		return use(database);
	} finally {
		database.close();
	}
}

/** What the trigger stored in n8n's database; undefined when there is nothing. `home` is n8n's. */
export function readNodeState(home: string, workflowId: string, nodeName: string): { webhookId: string; secret: string } | undefined {
	return withDatabase(home, (database) => {
		const row = database.prepare('SELECT staticData FROM workflow_entity WHERE id = ?').get(workflowId);
		const staticData = JSON.parse(String(row?.staticData ?? 'null')) as Record<string, { webhookId: string; secret: string }> | null;
		return staticData?.[`node:${nodeName}`];
	});
}

/** Loses what n8n stored for a workflow, as a restored backup or an import would. */
export function wipeStaticData(home: string, workflowId: string): void {
	withDatabase(home, (database) => {
		const { changes } = database.prepare('UPDATE workflow_entity SET staticData = NULL WHERE id = ? AND staticData IS NOT NULL').run(workflowId);
		if (Number(changes) !== 1) throw new Error(`n8n holds no static data of workflow ${workflowId}`);
	});
}

/** How many executions of a workflow succeeded, as n8n recorded them. */
export function countSuccesses(home: string, workflowId: string): number {
	return withDatabase(home, (database) => {
		const row = database.prepare("SELECT count(*) AS count FROM execution_entity WHERE workflowId = ? AND status = 'success'").get(workflowId);
		return Number(row?.count);
	});
}
