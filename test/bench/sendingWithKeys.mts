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
import { plainNode } from '../queue/workflows.mts';
import { atMost, type Measured } from './report.mts';
import { medianOf, showSpread, spreadOf, table } from './statistics.mts';

const RUNS = 5;
const COUNT = 1000;
const LATENCY_MS = 100;
const MEMORY = 10_000;
const OPTIONS = { maxConcurrency: 20 };
const TEXT = '={{ $execution.id }}-{{ $json.item }}';
const KEY = { sendOnceKey: TEXT, sendOnceMemory: MEMORY };
const WAYS = ['without keys', 'with keys', 'with keys, the memory full'] as const;

const recipients = Array.from({ length: 200 }, (_, index) => number(index));

/** Sends texts that were never sent before. @returns seconds as n8n recorded them */
async function send(host: Host, workflow: StoredWorkflow): Promise<number> {
	const { resultData } = await host.client.execute(workflow, 'Start');
	const [run] = resultData.runData.Action ?? [];
	const sent = (run?.data?.main[0] ?? []).filter(({ json }) => json.messageId);
	if (sent.length !== COUNT) throw new Error(`${sent.length} of ${COUNT} texts were sent`);
	return (run?.executionTime ?? 0) / 1000;
}

export async function benchSendingWithKeys(host: Host): Promise<Measured> {
	const { channelId, credentialFor } = await openConversations(host, recipients);
	const credential = await credentialFor(host.underTest.sandboxUrl);
	const sends = async (options: IDataObject): Promise<StoredWorkflow> => {
		const parameters = {
			...sendTextParameters(channelId),
			recipient: `={{ String(${recipients[0]} + $json.item % ${recipients.length}) }}`,
			text: TEXT,
			options: { ...OPTIONS, ...options },
		};
		const items = plainNode('Items', 'set', 3.4, {
			mode: 'raw',
			jsonOutput: `={{ { item: [...Array(${COUNT}).keys()] } }}`,
			options: {},
		});
		return await host.createWorkflow('Keys', [
			startNode(),
			items,
			plainNode('Split', 'splitOut', 1, { fieldToSplitOut: 'item', options: {} }),
			host.node('Action', ACTION, parameters, credential),
		]);
	};
	const full = await sends(KEY);
	for (let filled = 0; filled < MEMORY; filled += COUNT) await send(host, full);
	await host.sandbox.post('/_sandbox/faults', {
		on: 'route',
		operation: 'sendMessage',
		kind: 'latency',
		ms: LATENCY_MS,
	});
	const seconds: number[][] = WAYS.map(() => []);
	for (let run = 0; run < RUNS; run++)
		for (const [way, workflow] of [await sends({}), await sends(KEY), full].entries())
			seconds[way]?.push(await send(host, workflow));
	await clearFaults(host);
	const [without = 0, keyed = 0, filled = 0] = seconds.map(medianOf);
	return {
		blocks: [
			`${COUNT.toLocaleString('en')} texts to ${recipients.length} recipients, ${LATENCY_MS} ms latency, Max Concurrency ${OPTIONS.maxConcurrency}, ${RUNS} runs by turns, with n8n's database on SQLite. A full memory holds ${MEMORY.toLocaleString('en')} keys.`,
			table(
				['What', 'Seconds', 'In those without keys'],
				WAYS.map((way, index) => [
					way,
					showSpread(spreadOf(seconds[index] ?? [])),
					(medianOf(seconds[index] ?? []) / without).toFixed(2),
				]),
			),
		],
		bounds: [
			atMost('Time with keys / without', keyed / without, 1.3),
			atMost('Time with a full memory of keys / without', filled / without, 1.6),
		],
	};
}
