import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { parse as parseFlatted } from 'flatted';

import type { Host } from './host.mts';

const BUSY_LIMIT_MS = 10_000;

/** The record of a waiting execution, as n8n shows it to a user with read access. */
export interface WaitingRecord {
	/** n8n 2 only. */
	resumeToken?: string;
	executionData: { contextData: Record<string, { question?: string }> };
}

/** Reads an execution as the editor does. */
export async function readRecord(host: Host, executionId: string): Promise<WaitingRecord> {
	const { data } = JSON.parse(await host.client.rawExecution(executionId)) as { data: string };
	return parseFlatted(data) as WaitingRecord;
}

/** The question of the execution's waiting node. */
export async function readQuestion(
	host: Host,
	executionId: string,
	node: string,
): Promise<{ id: string; links?: string[] }> {
	const { executionData } = await readRecord(host, executionId);
	return JSON.parse(executionData.contextData[`node:${node}`]?.question ?? 'null') as {
		id: string;
		links?: string[];
	};
}

/**
 * Changes the stored text of a waiting execution to what an older version of n8n or of the package
 * would have written.
 */
export function rewriteRecord(
	{ underTest }: Host,
	executionId: string,
	change: (text: string) => string,
): void {
	const database = new DatabaseSync(join(underTest.home, '.n8n', 'database.sqlite'), {
		timeout: BUSY_LIMIT_MS,
	});
	try {
		const row = database
			.prepare('SELECT data FROM execution_data WHERE executionId = ?')
			.get(executionId);
		const before = String(row?.data);
		const after = change(before);
		if (after === before)
			throw new Error(`the record of execution ${executionId} does not hold what is to be changed`);
		database
			.prepare('UPDATE execution_data SET data = ? WHERE executionId = ?')
			.run(after, executionId);
	} finally {
		database.close();
	}
}
