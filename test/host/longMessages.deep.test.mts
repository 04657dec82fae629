/** What a customer with very long messages costs, and leaves to others. */
import type { WorkflowNode } from '../../scripts/n8n/types.mts';
import { until } from '../../scripts/until.mts';
import { number } from './harness/conversations.mts';
import { Example } from './harness/examples.mts';
import { Host } from './harness/host.mts';
import { createAccount } from './harness/listener.mts';
import { type OwnN8n, startOwnN8n } from './harness/ownN8n.mts';
import { textsTo } from './harness/questions.mts';
import { addTemplate } from './harness/stages.mts';
import { startStubChatModel, type StubChatModel } from './harness/stubChatModel.mts';

const LIMIT_MS = 120_000;
const COLLEAGUE = '5500000000010';
/** Of all data tables of this n8n. */
const TABLES_MAX_BYTES = 2_000_000;
const [BURSTS, IN_A_BURST] = [6, 10];

let n8n: OwnN8n;
let host: Host;
let model: StubChatModel;
let channelId: string;
let assistant: Example;
let optOut: Example;

beforeAll(async () => {
	const { secretKey, tenantId, channels } = await createAccount(new Host(), ['Shop']);
	[channelId = ''] = channels;
	[n8n, model] = await Promise.all([
		startOwnN8n(secretKey, {
			N8N_DATA_TABLES_MAX_SIZE_BYTES: String(TABLES_MAX_BYTES),
			N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '0',
		}),
		startStubChatModel(() => ({ text: 'I see.' })),
	]);
	({ host } = n8n);
	await addTemplate({ host, tenantId });
	const quick = (node: WorkflowNode) =>
		node.name === 'When Somebody Writes'
			? { ...node, parameters: { ...node.parameters, quietTime: 1 } }
			: node;
	optOut = await Example.import(host, 'opt-out', channelId);
	assistant = await Example.import(
		host,
		'shop-assistant',
		channelId,
		{ credentials: [await model.createCredential(host)], dataTables: optOut.dataTables },
		(workflow) => ({ ...workflow, nodes: workflow.nodes.map(quick) }),
	);
	await optOut.publish();
	await assistant.publish();
	await host.sandbox.customerWrites({ channelId, from: COLLEAGUE, name: 'Carl', text: 'Hello' });
}, 300_000);
afterAll(async () => {
	await n8n?.remove();
	await model?.close();
});

const statuses = async (): Promise<string[]> =>
	(await host.client.listExecutions(assistant.workflow.id)).map(({ status }) => status);

/** What failed executions say. */
async function errors(): Promise<unknown[]> {
	const failed = (await host.client.listExecutions(assistant.workflow.id)).filter(
		({ status }) => status !== 'success',
	);
	const finished = await Promise.all(
		failed.map(async ({ id }) => await host.client.finishedExecution(id)),
	);
	return finished.map(({ status, resultData }) => ({
		...{ status, node: resultData.lastNodeExecuted, error: resultData.error?.message },
	}));
}

/** Writes it so many times at once, and waits until it is answered. */
async function writes(from: string, text: string, times: number): Promise<void> {
	const before = (await statuses()).length;
	const asked = model.requests.length;
	await Promise.all(
		Array.from(
			{ length: times },
			async () => await host.sandbox.customerWrites({ channelId, from, name: from, text }),
		),
	);
	await until(
		'the messages to be answered',
		async () => {
			const all = await statuses();
			// An execution that ends now can be of the messages before.
			if (model.requests.length === asked) return false;
			return all.length > before && !all.some((status) => ['new', 'running'].includes(status));
		},
		LIMIT_MS,
	);
}

test('sixty long messages cost a bounded turn and a bounded table, and the STOP of another customer is kept', async () => {
	const [flooding, leaving] = [number(820), number(821)];
	for (let burst = 0; burst < BURSTS; burst += 1) {
		await writes(flooding, 'x'.repeat(65_536), IN_A_BURST);
		expect(await errors()).toEqual([]);
		// What the workflow cannot do, it tells a colleague.
		expect(await textsTo({ host, channelId }, COLLEAGUE)).toEqual([]);
	}
	const sizes = model.requests.map((request) => JSON.stringify(request).length);
	expect(sizes.length).toBeGreaterThanOrEqual(BURSTS);
	expect(Math.max(...sizes)).toBeLessThan(50_000);
	const rows = await assistant.rows('Shop Chats');
	expect(JSON.stringify(rows).length).toBeLessThan(100_000);

	await host.sandbox.customerWrites({ channelId, from: leaving, name: 'Bea', text: 'STOP' });
	await until(
		'the STOP to be kept',
		async () => (await optOut.rows()).some(({ customer }) => customer === leaving),
		LIMIT_MS,
	);
	expect(await optOut.rows()).toEqual([
		expect.objectContaining({ customer: leaving, state: 'stopped' }),
	]);
}, 600_000);
