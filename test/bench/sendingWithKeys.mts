/**
 * What a Send Once Key costs: the same texts without one, with one, and with a memory that is full,
 * by turns. n8n's database is SQLite.
 */
import type { IDataObject } from 'n8n-workflow';

import type { StoredWorkflow } from '../../scripts/n8n/types.mts';
import {
	clearFaults,
	number,
	openConversations,
	sendTextParameters,
} from '../host/harness/conversations.mts';
import { ACTION, type Host, startNode } from '../host/harness/host.mts';
import { countedItems } from '../queue/workflows.mts';
import { delaySends } from './n8n.mts';
import { atMost, type Bound } from './report.mts';
import { byTurns, medianOf } from './statistics.mts';

const RUNS = 5;
const COUNT = 1000;
const LATENCY_MS = 100;
const MEMORY = 10_000;
const TEXT = '={{ $execution.id }}-{{ $json.item }}';
const KEY = { sendOnceKey: TEXT, sendOnceMemory: MEMORY };

const recipients = Array.from({ length: 200 }, (_, index) => number(index));

/** Sends texts that were never sent before. @returns seconds as n8n recorded them */
async function send(host: Host, workflow: StoredWorkflow): Promise<number> {
	const { resultData } = await host.client.execute(workflow, 'Start');
	const [run] = resultData.runData.Action ?? [];
	const sent = (run?.data?.main[0] ?? []).filter(({ json }) => json.messageId);
	if (sent.length !== COUNT) throw new Error(`${sent.length} of ${COUNT} texts were sent`);
	return (run?.executionTime ?? 0) / 1000;
}

export async function benchSendingWithKeys(host: Host): Promise<Bound[]> {
	const { channelId, credentialFor } = await openConversations(host, recipients);
	const credential = await credentialFor(host.underTest.sandboxUrl);
	const sends = async (options: IDataObject): Promise<StoredWorkflow> => {
		const parameters = {
			...sendTextParameters(channelId),
			recipient: `={{ String(${recipients[0]} + $json.item % ${recipients.length}) }}`,
			text: TEXT,
			options: { maxConcurrency: 20, ...options },
		};
		return await host.createWorkflow('Keys', [
			startNode(),
			...countedItems(COUNT),
			host.node('Action', ACTION, parameters, credential),
		]);
	};
	const full = await sends(KEY);
	for (let filled = 0; filled < MEMORY; filled += COUNT) await send(host, full);
	await delaySends(host, LATENCY_MS);
	const seconds = await byTurns(
		['without', 'with', 'full'],
		RUNS,
		async (way) => await send(host, way === 'full' ? full : await sends(way === 'with' ? KEY : {})),
		0,
	);
	await clearFaults(host);
	const without = medianOf(seconds.without);
	return [
		atMost('Time with keys / without', medianOf(seconds.with) / without, 1.3),
		atMost('Time with a full memory of keys / without', medianOf(seconds.full) / without, 1.6),
	];
}
