/** n8n's executions, read from its database, whichever that is. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { until } from '#scripts/until.mts';
import { eventsIn, type ExecutionRecord, FORGED_TEXT } from './records.mts';

/** Runs a query on n8n's database. */
export type Query = <Row>(sql: string) => Row[] | Promise<Row[]>;

interface Row {
	id: number | string;
	status: string;
	createdAt: string;
	retryOf: string | null;
	data: string | null;
}

/** Milliseconds that a query waits for n8n's writing. */
const BUSY_LIMIT_MS = 30_000;

/** Of an n8n with SQLite. @param home its user folder */
export const sqliteQuery =
	(home: string): Query =>
	<Row,>(sql: string) => {
		const database = new DatabaseSync(join(home, '.n8n', 'database.sqlite'), {
			readOnly: true,
			timeout: BUSY_LIMIT_MS,
		});
		try {
			return database.prepare(sql).all() as Row[];
		} finally {
			database.close();
		}
	};

export interface StoredExecutions {
	executions: ExecutionRecord[];
	/** Those that hold a forged event. */
	forged: number;
}

export async function readExecutions(query: Query, workflowId: string): Promise<StoredExecutions> {
	const rows = await query<Row>(
		`SELECT e.id, e.status, e."createdAt", e."retryOf", d.data FROM execution_entity e LEFT JOIN execution_data d ON d."executionId" = e.id WHERE e."workflowId" = '${workflowId}'`,
	);
	return {
		executions: rows.map(({ id, status, createdAt, retryOf, data }) => ({
			id: String(id),
			status,
			createdAt: timeOf(createdAt),
			retryOf,
			events: eventsIn(data ?? ''),
		})),
		forged: rows.filter(({ data }) => data?.includes(FORGED_TEXT)).length,
	};
}

/** Ids of the executions that have not ended. */
export async function unfinished(query: Query): Promise<string[]> {
	const rows = await query<{ id: number | string }>(
		`SELECT id FROM execution_entity WHERE status IN ('new', 'running', 'waiting')`,
	);
	return rows.map(({ id }) => String(id));
}

/**
 * Waits until no execution goes on.
 *
 * @param lookMs between two looks
 * @param except ids of executions that are known never to end
 */
export async function allEnded(
	query: Query,
	limitMs: number,
	{ lookMs, except = [] }: { lookMs?: number; except?: readonly string[] } = {},
): Promise<void> {
	const left = async () => (await unfinished(query)).filter((id) => !except.includes(id));
	try {
		await until('all executions to end', async () => (await left()).length === 0, limitMs, lookMs);
	} catch (error) {
		const ids = (await left()).join(', ');
		const rows = await query<object>(
			`SELECT id, status, "createdAt", "startedAt" FROM execution_entity WHERE id IN (${ids})`,
		);
		throw new Error(`not ended: ${JSON.stringify(rows)}`, { cause: error });
	}
}

/** SQLite keeps UTC without saying so. */
const timeOf = (stored: string): number =>
	Date.parse(/[Z+]/.test(stored) ? stored : `${stored.replace(' ', 'T')}Z`);
