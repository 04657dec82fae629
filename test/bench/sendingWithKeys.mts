/**
 * What a Send Once Key costs: the same texts without one, with one, and with a memory that is full,
 * by turns, at a service that answers late, and at one that answers at once. n8n's database is
 * SQLite.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '#scripts/n8n/provision.mts';
import type { StoredWorkflow } from '#scripts/n8n/types.mts';
import {
	clearFaults,
	number,
	openConversations,
	sendTextParameters,
} from '../host/harness/conversations.mts';
import { ACTION, type Host, startNode } from '../host/harness/host.mts';
import { countedItems } from '../queue/workflows.mts';
import { batchOf, delaySends, executionOf, sentIn, startInstantService } from './n8n.mts';
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
	const { id } = await host.client.execute(workflow, 'Start');
	return await sentIn(host, id, COUNT);
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
		...(await benchAtOnce(host, channelId)),
	];
}

/** The same at a service that answers at once, so that nothing hides what the node does itself. */
async function benchAtOnce(host: Host, channelId: string): Promise<Bound[]> {
	const service = await startInstantService();
	const data = { baseUrl: service.url, secretKey: 'a-made-up-key' };
	const credential = await host.client.createCredential('At once', CREDENTIAL_TYPE, data);
	const sends = async (count: number, changes: INodeParameters = {}, people?: number) => {
		const parameters = { ...sendTextParameters(channelId), ...changes };
		const node = host.node('Action', ACTION, parameters, credential);
		// A new workflow has an empty memory.
		const workflow = await batchOf(host, count, node, people);
		return await sentIn(host, await executionOf(host, workflow), count);
	};
	const withKeys = { options: { sendOnceKey: '={{ $json.text }}' } };
	const [most, fewer] = [3000, 1000];
	const ways = {
		without: async () => await sends(most),
		with: async () => await sends(most, withKeys),
		fewer: async () => await sends(fewer, withKeys),
		same: async () => await sends(fewer, { text: 'the same' }, 1),
		sameKey: async () =>
			await sends(fewer, { text: 'the same', options: { sendOnceKey: 'one' } }, 1),
	};
	try {
		const names = Object.keys(ways) as Array<keyof typeof ways>;
		const seconds = await byTurns(names, RUNS, async (name) => await ways[name]());
		const of = (name: keyof typeof ways) => medianOf(seconds[name]);
		return [
			atMost('Time of 3,000 at once with keys / without', of('with') / of('without'), 1.6),
			atMost('Time of one with keys, 3,000 / 1,000', of('with') / of('fewer') / 3, 1.2),
			atMost('Time of 1,000 with one key / without', of('sameKey') / of('same'), 1.3),
		];
	} finally {
		service.close();
	}
}
