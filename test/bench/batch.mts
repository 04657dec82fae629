/**
 * A batch of texts beside what people would take instead: n8n's HTTP Request node with a header
 * credential, one request an item, both as they come. Each has an n8n of its own. A webhook starts
 * the executions: when a person does, HTTP Request also shows each request in the editor.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '#scripts/n8n/provision.mts';
import type { StoredWorkflow, WorkflowNode } from '#scripts/n8n/types.mts';
import { sendTextParameters } from '../host/harness/conversations.mts';
import { ACTION, type Host } from '../host/harness/host.mts';
import { plainNode } from '../queue/workflows.mts';
import { CHANNEL } from '../support/constants.mts';
import { batchOf, executionOf, inOwnN8n, sentIn, startInstantService } from './n8n.mts';
import { atMost, type Bound } from './report.mts';
import { byTurns, medianOf } from './statistics.mts';

const SIZES = [200, 1000, 3000];
const RUNS = 5;
const LOOK_MS = 50;
const METRICS = { N8N_METRICS: 'true' };
/** As the editor makes it, when fields are dragged into a JSON body. */
const BODY =
	'={"recipient": {"identifier": "{{ $json.to }}"}, "content": {"type": "TEXT", "body": {"message": "{{ $json.text }}"}}}';

/** One of n8n's own figures of its process. */
async function metric({ underTest }: Host, name: string): Promise<number> {
	const metrics = await (await fetch(`${underTest.n8nUrl}/metrics`)).text();
	const value = Number(new RegExp(`^n8n_${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
	if (!(value > 0)) throw new Error(`n8n does not say its ${name}`);
	return value;
}

interface Cost {
	/** As n8n recorded them of the node. */
	seconds: number;
	/** Processor seconds of n8n, for the whole execution. */
	processor: number;
	/** The most memory of n8n meanwhile, in megabytes. */
	memory: number;
}

async function costOf(host: Host, workflow: StoredWorkflow, count: number): Promise<Cost> {
	const before = await metric(host, 'process_cpu_seconds_total');
	let isOver = false;
	let memory = 0;
	const executing = executionOf(host, workflow).finally(() => (isOver = true));
	executing.catch(() => {});
	while (!isOver) {
		memory = Math.max(memory, (await metric(host, 'process_resident_memory_bytes')) / 1e6);
		await sleep(LOOK_MS);
	}
	const id = await executing;
	const processor = (await metric(host, 'process_cpu_seconds_total')) - before;
	return { seconds: await sentIn(host, id, count), processor, memory };
}

/** The node of this package. */
export async function ours(
	host: Host,
	url: string,
	more: INodeParameters = {},
): Promise<WorkflowNode> {
	const data = { baseUrl: url, secretKey: 'a-made-up-key' };
	const credential = await host.client.createCredential('Batch', CREDENTIAL_TYPE, data);
	return host.node('Action', ACTION, { ...sendTextParameters(CHANNEL), ...more }, credential);
}

/** What people would take instead. */
export async function httpRequest(host: Host, url: string): Promise<WorkflowNode> {
	const data = { name: 'Authorization', value: 'Bearer a-made-up-key' };
	const credential = await host.client.createCredential('Batch', 'httpHeaderAuth', data);
	return {
		...plainNode('Action', 'httpRequest', 4.2, {
			...{ method: 'POST', url: `${url}/v1/channels/${CHANNEL}/messages` },
			...{ authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' },
			...{ sendBody: true, specifyBody: 'json', jsonBody: BODY, options: {} },
		}),
		credentials: { httpHeaderAuth: { id: credential.id, name: credential.name } },
	};
}

type Way = 'ours' | 'HTTP Request';

export async function benchBatch(): Promise<Bound[]> {
	const service = await startInstantService();
	try {
		return await inOwnN8n(METRICS, async ({ host: one }) =>
			inOwnN8n(METRICS, async ({ host: other }) => {
				const hosts: Record<Way, Host> = { ours: one, 'HTTP Request': other };
				const nodes: Record<Way, WorkflowNode> = {
					ours: await ours(one, service.url),
					'HTTP Request': await httpRequest(other, service.url),
				};
				const ratios: Cost[] = [];
				for (const size of SIZES) ratios.push(await beside(hosts, nodes, size));
				const worst = (figure: keyof Cost) => Math.max(...ratios.map((each) => each[figure]));
				return [
					atMost('Time / HTTP Request node', worst('seconds'), 1.1),
					atMost('Processor time / HTTP Request node', worst('processor'), 1.1),
					atMost('Memory / HTTP Request node', worst('memory'), 1.2),
				];
			}),
		);
	} finally {
		service.close();
	}
}

/** What ours costs, in what HTTP Request costs. */
async function beside(
	hosts: Record<Way, Host>,
	nodes: Record<Way, WorkflowNode>,
	size: number,
): Promise<Cost> {
	const workflows: Record<Way, StoredWorkflow> = {
		ours: await batchOf(hosts.ours, size, nodes.ours),
		'HTTP Request': await batchOf(hosts['HTTP Request'], size, nodes['HTTP Request']),
	};
	const costs = await byTurns(
		['ours', 'HTTP Request'],
		RUNS,
		async (way: Way) => await costOf(hosts[way], workflows[way], size),
	);
	const ratio = (figure: keyof Cost): number =>
		medianOf(costs.ours.map((cost) => cost[figure])) /
		medianOf(costs['HTTP Request'].map((cost) => cost[figure]));
	return { seconds: ratio('seconds'), processor: ratio('processor'), memory: ratio('memory') };
}
