/** Shop Assistant in an n8n that is killed, and with a customer who writes very much. */
import { replyByRules } from '#sandbox/model/rules.mts';
import { deleteDataTable, provideDataTable } from '#scripts/n8n/dataTables.mts';
import { CREDENTIAL_TYPE } from '#scripts/n8n/provision.mts';
import { until } from '#scripts/until.mts';
import { number } from './harness/conversations.mts';
import { Example } from './harness/examples.mts';
import { startFront } from './harness/frontedService.mts';
import { Host } from './harness/host.mts';
import { createAccount } from './harness/listener.mts';
import { type OwnN8n, startOwnN8n } from './harness/ownN8n.mts';
import { textsTo } from './harness/questions.mts';
import { addHandOver, addTemplate, nodesChanged } from './harness/stages.mts';
import { startStubChatModel, type StubChatModel } from './harness/stubChatModel.mts';

const COLLEAGUE = '5500000000010';
const ASKED = 'I have asked a colleague about your refund, and tell you here.';
const LIMIT_MS = 120_000;
/** Of all data tables of this n8n. */
const TABLES_MAX_BYTES = 2_000_000;
const [BURSTS, IN_A_BURST] = [6, 10];

let n8n: OwnN8n;
let host: Host;
let model: StubChatModel;
let front: Awaited<ReturnType<typeof startFront>>;
/** Whether the next message is accepted, but its response held. */
let isHolding = false;
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
		startStubChatModel((request) => {
			const isLong = request.messages.some(({ content }) => String(content).includes('xxxxx'));
			return isLong ? { text: 'I see.' } : replyByRules(request);
		}),
	]);
	const { underTest } = n8n.host;
	front = await startFront(underTest.sandboxUrl, async (body, pass) => {
		if (!isHolding || !body.includes(ASKED)) return undefined;
		await pass();
		isHolding = false;
		return await new Promise<never>(() => {});
	});
	const data = { baseUrl: front.url, secretKey };
	const credential = await n8n.host.client.createCredential('Front', CREDENTIAL_TYPE, data);
	host = new Host({ ...underTest, credential });
	await addTemplate({ host, tenantId });
	await addHandOver({ host, tenantId });
	const quick = nodesChanged((node) =>
		node.name === 'When Somebody Writes'
			? { ...node, parameters: { ...node.parameters, quietTime: 1 } }
			: node,
	);
	const credentials = [await model.createCredential(host)];
	assistant = await Example.setUp(host, 'shop-assistant', channelId, { credentials }, quick);
	optOut = await Example.setUp(host, 'opt-out', channelId);
	await assistant.publish();
	await optOut.publish();
	await writes(COLLEAGUE, 'Good morning');
}, 300_000);
afterAll(async () => {
	await n8n?.remove();
	await front?.close();
	await model?.close();
});

const writes = async (from: string, text: string) =>
	await host.sandbox.customerWrites({ channelId, from, name: from, text });
const received = async (customer: string) => await textsTo({ host, channelId }, customer);
/** What the colleague was told of a customer. */
const toldOf = async (customer: string): Promise<string[]> =>
	(await received(COLLEAGUE)).filter((text) =>
		text.startsWith(`${customer} ("${customer}") needs`),
	);
const executions = async () => await host.client.listExecutions(assistant.workflow.id);
const failures = async () =>
	(await executions()).filter(({ status }) => ['error', 'crashed'].includes(status));

/** Kills n8n, starts it again, and retries what it had cut off. */
async function killAndRetry(): Promise<void> {
	const before = (await failures()).map(({ id }) => id);
	await n8n.kill();
	await n8n.start();
	const crashed = (await failures()).filter(({ id }) => !before.includes(id));
	expect(new Set(crashed.map(({ status }) => status))).toEqual(new Set(['crashed']));
	// n8n responds to a retry when its execution is over or waits.
	for (const { id } of crashed) await host.client.retryExecution(id);
}

test.each(['Business Messaging Opt-Out 2025', 'OPT-OUT'])(
	'Set Up names a table %s, which n8n could take for its own',
	async (name) => {
		const table = await provideDataTable(host.client, name, [{ name: 'other', type: 'string' }]);
		const { resultData } = await host.client.execute(optOut.workflow, 'Set Up');
		await deleteDataTable(host.client, table);
		expect(resultData.error?.message).toContain(`Rename the data table "${name}"`);
	},
	LIMIT_MS,
);

test('sixty long messages cost a bounded turn and a bounded table, and the STOP of another customer is kept', async () => {
	const [flooding, leaving] = [number(820), number(821)];
	for (let burst = 1; burst <= BURSTS; burst += 1) {
		const asked = model.requests.length;
		const all = Array.from({ length: IN_A_BURST }, () => writes(flooding, 'x'.repeat(65_536)));
		await Promise.all(all);
		await until(
			'the messages to be answered',
			async () =>
				model.requests.length > asked &&
				!(await executions()).some(({ status }) => ['new', 'running'].includes(status)),
			LIMIT_MS,
		);
		expect(await failures()).toEqual([]);
		// What the workflow cannot do, it tells a colleague.
		expect(await received(COLLEAGUE)).toEqual([]);
	}
	const sizes = model.requests.map((request) => JSON.stringify(request).length);
	expect(sizes.length).toBeGreaterThanOrEqual(BURSTS);
	expect(Math.max(...sizes)).toBeLessThan(50_000);
	expect(JSON.stringify(await assistant.rows('Business Messaging Shop Chats')).length).toBeLessThan(
		100_000,
	);
	await writes(leaving, 'STOP');
	await until('the STOP', async () => (await optOut.rows()).length > 0, LIMIT_MS);
	expect(await optOut.rows()).toMatchObject([{ customer: leaving, state: 'stopped' }]);
}, 600_000);

test('n8n is killed while the model thinks: the retry answers once', async () => {
	const customer = number(800);
	// Longer than a busy machine takes from here to the kill.
	const text = 'Are you open? (the model takes 40 s)';
	await writes(customer, text);
	const isAsked = () =>
		model.requests.some(({ messages }) =>
			messages.some(({ content }) => String(content).includes(text)),
		);
	await until('the model to be asked', isAsked, LIMIT_MS);
	await killAndRetry();
	await until('the answer', async () => (await received(customer)).length > 0, LIMIT_MS);
	expect(await received(customer)).toHaveLength(1);
	expect(await toldOf(customer)).toEqual([]);
}, 400_000);

test('n8n is killed while it sends: the message in doubt is not sent again, and the colleague is told', async () => {
	const customer = number(801);
	isHolding = true;
	await writes(customer, 'I want a refund, it is broken');
	await until('the message to be sent', () => !isHolding, LIMIT_MS);
	await killAndRetry();
	await until(
		'the colleague to be told',
		async () => (await toldOf(customer)).length > 0,
		LIMIT_MS,
	);
	expect(await received(customer)).toEqual([ASKED]);
	expect(await toldOf(customer)).toEqual([
		expect.stringContaining('Could not tell whether the text was sent'),
	]);
}, 400_000);
