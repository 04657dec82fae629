/** An n8n that runs five executions at a time, and customers who make others wait. */
import type { Workflow } from '#scripts/n8n/types.mts';
import { until } from '#scripts/until.mts';
import { clearFaults, number, sendRequests } from './harness/conversations.mts';
import { Example } from './harness/examples.mts';
import { Host } from './harness/host.mts';
import { createAccount } from './harness/listener.mts';
import { type OwnN8n, startOwnN8n } from './harness/ownN8n.mts';
import { textsTo } from './harness/questions.mts';
import { nodesChanged } from './harness/stages.mts';

const colleague = number(860);
const [ana, other] = [861, 870].map(number) as [string, string];
const LIMIT_MS = 60_000;
/** Within seconds. Before, it took hours. */
const PROMPTLY_MS = 15_000;

let n8n: OwnN8n;
let host: Host;
let channels: string[];
let tenant: string;
/** The workflow whose messages wait. */
let held: string;

beforeAll(async () => {
	const account = await createAccount(new Host(), [
		'Refunds',
		'Queued Refunds',
		'Questions',
		'Held',
	]);
	({ channels, tenantId: tenant } = account);
	n8n = await startOwnN8n(account.secretKey, { N8N_CONCURRENCY_PRODUCTION_LIMIT: '5' });
	({ host } = n8n);
	for (const channelId of channels.slice(2)) {
		const example = await Example.import(host, 'auto-reply', channelId);
		await example.publish();
		held = example.workflow.id;
	}
}, 300_000);
afterAll(async () => await n8n?.remove());

const writes = async (channelId: string, from: string, text: string) =>
	await host.sandbox.customerWrites({ channelId, from, name: 'A Customer', text });

/** Publishes the example on a channel, and lets these customers ask it for refunds, at once. */
async function refunds(
	channelId: string,
	customers: string[],
	change?: (workflow: Workflow) => Workflow,
): Promise<void> {
	const settings = { approver: colleague };
	const name = 'refund-with-approval';
	const example = await Example.import(host, name, channelId, { settings }, change);
	await example.publish();
	await writes(channelId, colleague, 'Good morning');
	for (const customer of customers) await writes(channelId, customer, 'A refund, please');
	await until(
		'the colleague to be asked',
		async () => (await textsTo({ host, channelId }, colleague)).length > 0,
		LIMIT_MS,
	);
}

async function expectPromptAnswer(): Promise<void> {
	const channelId = channels[2] ?? '';
	const before = (await textsTo({ host, channelId }, other)).length;
	await writes(channelId, other, 'Are you open?');
	await until(
		'the answer to another customer',
		async () => (await textsTo({ host, channelId }, other)).length > before,
		PROMPTLY_MS,
	);
}

test('two customers whose messages wait for ten minutes keep nobody else waiting', async () => {
	const channelId = channels[3] ?? '';
	const fault = { on: 'route', operation: 'sendMessage', kind: 'status', status: 429 };
	await host.sandbox.post('/_sandbox/faults', { ...fault, tenant, retryAfter: 600 });
	for (const customer of [871, 872].map(number)) {
		const before = (await sendRequests(host, channelId)).times.length;
		for (const text of ['Hello', 'Are you there?', 'It is urgent', 'Please'])
			await writes(channelId, customer, text);
		await until(
			'the first reply to be refused',
			async () => (await sendRequests(host, channelId)).times.length > before,
			LIMIT_MS,
		);
	}
	await clearFaults(host);
	await expectPromptAnswer();
	// They would take places of the next tests.
	for (const { id, status } of await host.client.listExecutions(held))
		if (status === 'running') await host.client.stopExecution(id);
}, 180_000);

test('nor does one customer who asks the example six times', async () => {
	await refunds(channels[0] ?? '', Array<string>(6).fill(ana));
	await expectPromptAnswer();
}, 180_000);

test('nor do six customers whose questions queue for hours, as a workflow was saved', async () => {
	const customers = [861, 862, 863, 864, 865, 866].map(number);
	const change = nodesChanged((node) => {
		if (node.name !== 'Ask a Colleague') return node;
		const options = { ...(node.parameters.options as object), queueMinutes: 240 };
		return { ...node, parameters: { ...node.parameters, whenAnotherWaits: 'queue', options } };
	});
	await refunds(channels[1] ?? '', customers, change);
	await expectPromptAnswer();
}, 180_000);
