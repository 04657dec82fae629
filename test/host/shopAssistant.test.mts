import type { WorkflowNode } from '../../scripts/n8n/types.mts';
import { until } from '../../scripts/until.mts';
import { clearFaults, number } from './harness/conversations.mts';
import { Example } from './harness/examples.mts';
import { Gates } from './harness/gates.mts';
import { Host } from './harness/host.mts';
import { createAccount } from './harness/listener.mts';
import { type OwnN8n, startOwnN8n } from './harness/ownN8n.mts';
import { textsTo } from './harness/questions.mts';
import { addTemplate } from './harness/stages.mts';
import { startStubChatModel, type StubChatModel } from './harness/stubChatModel.mts';

const TRIGGER = 'When Somebody Writes';
const COLLEAGUE = '5500000000001';
const ASKED = 'I have asked a colleague about your refund, and tell you here.';
const APPROVED = 'Good news: your refund is approved. The money is on its way.';
const TAKEN_OVER = 'A colleague takes over, and writes to you here.';
const [REFUND, PERSON] = ['I want a refund, it is broken', 'Can I talk to a human?'];
const LIMIT_MS = 120_000;

let n8n: OwnN8n;
let host: Host;
let model: StubChatModel;
let gates: Gates;
let channelId: string;
let example: Example;

beforeAll(async () => {
	const { secretKey, tenantId, channels } = await createAccount(new Host(), ['Shop']);
	[channelId = ''] = channels;
	[n8n, model, gates] = await Promise.all([
		startOwnN8n(secretKey),
		startStubChatModel(),
		Gates.start(),
	]);
	({ host } = n8n);
	await addTemplate({ host, tenantId });
	const credentials = [await model.createCredential(host)];
	const quick = (node: WorkflowNode) =>
		node.name === TRIGGER ? { ...node, parameters: { ...node.parameters, quietTime: 1 } } : node;
	example = await Example.import(host, 'shop-assistant', channelId, { credentials }, (workflow) =>
		gates.between(
			{ ...workflow, nodes: workflow.nodes.map(quick) },
			TRIGGER,
			`$('${TRIGGER}').first().json.fromMe ? '' : $('${TRIGGER}').first().json.sessionId`,
		),
	);
	await example.publish();
	await writes(COLLEAGUE, 'Good morning');
}, 300_000);
afterAll(async () => {
	await clearFaults(new Host());
	await n8n?.remove();
	await gates?.close();
	await model?.close();
});

const writes = async (from: string, text: string) =>
	await host.sandbox.customerWrites({ channelId, from, name: from, text });
const chatOf = (customer: string) => `${channelId}:${customer}`;
const received = async (customer: string) => await textsTo({ host, channelId }, customer);
const receives = async (customer: string, texts: string[]) =>
	await until(
		`${customer} to receive '${texts.at(-1)}'`,
		async () => (await received(customer)).length >= texts.length,
		LIMIT_MS,
	);

const tapped = new Set<string>();
/** The colleague approves each question about these customers, as it comes. */
async function approve(customers: string[]): Promise<void> {
	const questions = (await host.sandbox.messages(channelId)).filter(
		({ customer, direction, content }) =>
			customer === COLLEAGUE && direction === 'out' && content.type === 'INTERACTIVE_BUTTON',
	);
	for (const { id, content } of questions) {
		if (content.type !== 'INTERACTIVE_BUTTON' || tapped.has(id)) continue;
		if (!customers.some((customer) => content.text.includes(customer))) continue;
		const [button] = content.buttons;
		tapped.add(id);
		await host.sandbox.post(`/_sandbox/messages/${id}/tap`, { buttonId: button?.id });
	}
}

async function untilApproved(customer: string, isOver: () => Promise<boolean> | boolean) {
	await until(
		`the refund of ${customer} to be decided`,
		async () => {
			await approve([customer]);
			return await isOver();
		},
		LIMIT_MS,
	).catch(async (error: unknown) => {
		console.log(
			gates.stepsOf(chatOf(customer)),
			await received(COLLEAGUE),
			await received(customer),
		);
		for (const { id, status } of await executions()) {
			const { resultData } = await host.client.getExecution(id);
			console.log(id, status, resultData?.lastNodeExecuted, resultData?.error?.message);
		}
		throw error;
	});
}

/** The executions of the workflow, newest first. */
const executions = async () => await host.client.listExecutions(example.workflow.id);
const toldOf = async (customer: string): Promise<string[]> =>
	(await received(COLLEAGUE)).filter((text) =>
		text.startsWith(`${customer} (${customer}) needs you`),
	);

test('n8n is killed between each two steps: retries answer every message once, or the colleague is told', async () => {
	// How a refund and a hand-over go.
	const [first, second] = [number(800), number(801)];
	await writes(first, REFUND);
	await untilApproved(first, async () => (await received(first)).length === 2);
	expect(await received(first)).toEqual([ASKED, APPROVED]);
	await writes(second, PERSON);
	await until(
		'the colleague to be told',
		async () => (await toldOf(second)).length === 1,
		LIMIT_MS,
	);
	const steps = gates.stepsOf(chatOf(first));
	const [asks, tells] = [
		steps.indexOf('Choose → Ask a Colleague'),
		gates.stepsOf(chatOf(second)).indexOf('Choose → Tell a Colleague'),
	];
	console.log(steps, gates.stepsOf(chatOf(second)));

	// A customer for each step, held there.
	const refunds = steps.map((step, index) => ({ step, index, customer: number(900 + index) }));
	const handedOver = number(990);
	for (const { customer, index } of refunds) gates.hold(chatOf(customer), index);
	gates.hold(chatOf(handedOver), tells);
	await writes(handedOver, PERSON);
	for (const { customer, index } of refunds) {
		await writes(customer, REFUND);
		if (index > asks) await untilApproved(customer, () => gates.isHeld(chatOf(customer)));
	}
	for (const { customer } of refunds) await gates.untilHeld(chatOf(customer));
	await gates.untilHeld(chatOf(handedOver));

	await n8n.kill();
	gates.open();
	await n8n.start();

	const crashed = (await executions()).filter(({ status }) => status !== 'success');
	console.log(crashed.map(({ id, status }) => [id, status]));
	for (const { id } of crashed) await host.client.retryExecution(id);
	const waiting = refunds.map(({ customer }) => customer);
	const isOver = async (customer: string): Promise<boolean> =>
		(await received(customer)).includes(APPROVED) || (await toldOf(customer)).length > 0;
	await until(
		'each refund to be over',
		async () => {
			await approve(waiting);
			const over = await Promise.all(waiting.map(isOver));
			return over.every(Boolean);
		},
		LIMIT_MS,
	).catch(async (error: unknown) => console.log(String(error)));
	for (const { step, index, customer } of refunds)
		console.log(index, step, await received(customer), await toldOf(customer));
	console.log(await received(handedOver), await toldOf(handedOver));
	for (const { id, status } of await executions()) {
		if (status === 'success') continue;
		const { resultData, ...more } = await host.client.getExecution(id);
		console.log(id, status, more.retryOf, resultData?.lastNodeExecuted, resultData?.error?.message);
	}
}, 900_000);
