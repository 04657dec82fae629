/** What n8n itself did to executions and keys, from its logs and its database. */
import { hash } from 'node:crypto';

import { entriesOf } from '#nodes/sending/once/entries.ts';
import { acceptedTexts } from '../host/harness/conversations.mts';
import { eventIn } from '../load/records.mts';
import type { Cluster, Member } from './cluster.mts';
import type { Listening, Run } from './run.mts';

/** By the ID of an execution: the workers that began it, one for each time. */
export function beginningsIn({ workers }: Cluster): Map<string, Member[]> {
	const beginnings = new Map<string, Member[]>();
	for (const worker of workers)
		for (const [, id = ''] of worker.running.log().matchAll(/Worker started execution (\d+) \(/g))
			beginnings.set(id, [...(beginnings.get(id) ?? []), worker]);
	return beginnings;
}

/**
 * Events whose text was accepted, and whose key n8n's list does not hold: another process read the
 * list before, and wrote it after.
 */
export async function forgottenKeys(run: Run, { workflow, ...part }: Listening): Promise<number[]> {
	const [row] = await run.cluster.postgres.query<{ value: string }>(
		`SELECT value::text AS value FROM processed_data WHERE "workflowId" = '${workflow.id}'`,
	);
	const known = new Set((JSON.parse(row!.value) as { data: string[] }).data);
	const texts = await acceptedTexts(run.host, part.channelId);
	const events = new Set(texts.map(({ text }) => eventIn(text)));
	return (await part.traffic.records())
		.filter(({ event, messageId = '' }) => {
			const { begun } = entriesOf({ key: messageId, fingerprint: '' });
			// n8n stores this hash of a value.
			return events.has(event) && !known.has(hash('md5', begun, 'base64'));
		})
		.map(({ event }) => event);
}
