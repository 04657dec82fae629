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
const COLLEAGUE = '5500000000010';
const ASKED = 'I have asked a colleague about your refund, and tell you here.';
const APPROVED = 'Good news: your refund is approved. The money is on its way.';
const TAKEN_OVER = 'A colleague takes over, and writes to you here.';
const [REFUND, PERSON] = ['I want a refund, it is broken', 'Can I talk to a human?'];
const LIMIT_MS = 120_000;
const UNDER_WAY = ['new', 'running', 'waiting'];
/** Names of nodes that write a row, send or ask. */
const CHANGING = /^Keep |^Send |a Colleague$|^Shop Assistant$/;
/** The step after which the answer is sent. */
const BEFORE_SENDING = 'Choose → Send It';

let n8n: OwnN8n;
let host: Host;
let model: StubChatModel;
let gates: Gates;
let channelId: string;
let tenant: string;
let example: Example;

beforeAll(async () => {
	const { secretKey, tenantId, channels } = await createAccount(new Host(), ['Shop']);
	[channelId = ''] = channels;
	tenant = tenantId;
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
	example = await Example.setUp(host, 'shop-assistant', channelId, { credentials }, (workflow) =>
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
/** The colleague's questions about these customers. */
const questionsAbout = async (customers: string[]) =>
	(await host.sandbox.messages(channelId)).flatMap(({ id, customer, direction, content }) =>
		customer === COLLEAGUE &&
		direction === 'out' &&
		content.type === 'INTERACTIVE_BUTTON' &&
		customers.some((about) => content.text.includes(about))
			? [{ id, buttons: content.buttons }]
			: [],
	);

const tapped = new Set<string>();
/** The colleague approves each question about these customers, as it comes. */
async function approve(customers: string[]): Promise<void> {
	for (const { id, buttons } of await questionsAbout(customers)) {
		if (tapped.has(id)) continue;
		tapped.add(id);
		await host.sandbox.post(`/_sandbox/messages/${id}/tap`, { buttonId: buttons[0]?.id });
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
	);
}

/** What the colleague was told of a customer. */
const toldOf = async (customer: string): Promise<string[]> =>
	(await received(COLLEAGUE)).filter((text) =>
		text.startsWith(`${customer} (${customer}) needs you`),
	);
const untilTold = async (customer: string) =>
	await until(
		`the colleague to be told of ${customer}`,
		async () => (await toldOf(customer)).length > 0,
		LIMIT_MS,
	);

const statuses = async (): Promise<string[]> =>
	(await host.client.listExecutions(example.workflow.id)).map(({ status }) => status);
const untilOver = async () =>
	await until(
		'all executions to be over',
		async () => !(await statuses()).some((status) => UNDER_WAY.includes(status)),
		LIMIT_MS,
	);

test('a message in doubt is not sent again, and the colleague is told', async () => {
	const customer = number(803);
	gates.hold(chatOf(customer), BEFORE_SENDING);
	await writes(customer, 'Are you open?');
	await gates.untilHeld(chatOf(customer));
	await host.sandbox.post('/_sandbox/faults', {
		...{ on: 'route', operation: 'sendMessage', kind: 'dropAfter', times: 1, tenant },
	});
	gates.release(chatOf(customer));
	await untilTold(customer);
	expect(await received(customer)).toHaveLength(1);
	expect(await toldOf(customer)).toEqual([
		expect.stringContaining('Could not tell whether the text was sent'),
	]);
}, 200_000);

test('n8n is killed between each two steps: retries answer every message once, or the colleague is told', async () => {
	// How a refund and a hand-over go.
	const [first, second, handedOver] = [number(800), number(801), number(804)];
	await writes(first, REFUND);
	await untilApproved(first, async () => (await received(first)).length === 2);
	expect(await received(first)).toEqual([ASKED, APPROVED]);
	await writes(second, PERSON);
	await untilTold(second);
	expect(await received(second)).toEqual([TAKEN_OVER]);
	await untilOver();
	const steps = gates.stepsOf(chatOf(first));
	expect(steps).toContain(BEFORE_SENDING);
	const asks = steps.indexOf('Choose → Ask a Colleague');
	const tells = gates.stepsOf(chatOf(second)).indexOf('Choose → Tell a Colleague');
	expect([asks, tells]).not.toContain(-1);

	// A customer for each step before or behind a node that changes something, held there. Between
	// two steps that only read, nothing differs.
	const refunds = steps
		.map((step, index) => ({ step, index, customer: number(900 + index) }))
		.filter(({ step }) => step.split(' → ').some((node) => CHANGING.test(node)));
	for (const { customer, index } of refunds) gates.hold(chatOf(customer), index);
	gates.hold(chatOf(handedOver), tells);
	await writes(handedOver, PERSON);
	for (const { customer, index } of refunds) {
		await writes(customer, REFUND);
		if (index > asks) await untilApproved(customer, () => gates.isHeld(chatOf(customer)));
		else await gates.untilHeld(chatOf(customer));
	}
	await gates.untilHeld(chatOf(handedOver));

	await n8n.kill();
	gates.open();
	await n8n.start();

	const stored = await host.client.listExecutions(example.workflow.id);
	const crashed = stored.filter(({ status }) => status !== 'success');
	expect(new Set(crashed.map(({ status }) => status))).toEqual(new Set(['crashed']));
	expect(crashed.length).toBeGreaterThan(refunds.length);
	// n8n responds to a retry when its execution is over or waits. One after the other, because only
	// three questions to one colleague queue at a time.
	const retries = (async () => {
		for (const { id } of crashed) await host.client.retryExecution(id);
	})();
	const isAnswered = async (customer: string): Promise<boolean> =>
		(await received(customer)).includes(APPROVED) || (await toldOf(customer)).length > 0;
	const customers = refunds.map(({ customer }) => customer);
	await until(
		'each refund to be told',
		async () => {
			await approve(customers);
			return (await Promise.all(customers.map(isAnswered))).every(Boolean);
		},
		2 * LIMIT_MS,
	);
	await retries;
	await untilTold(handedOver);
	await untilOver();

	expect(new Set(await statuses())).toEqual(new Set(['success', 'crashed']));
	const outcomes = await Promise.all(
		refunds.map(async ({ step, customer }) => ({
			step,
			texts: await received(customer),
			told: await toldOf(customer),
			questions: (await questionsAbout([customer])).length,
		})),
	);
	expect(outcomes).toEqual(
		refunds.map(({ step, index }, at) => {
			// The colleague's reply was in no row yet. If n8n had not stored it, the colleague is told.
			const isLost = index === asks + 1 && (outcomes[at]?.told.length ?? 0) > 0;
			return {
				step,
				texts: isLost ? [ASKED] : [ASKED, APPROVED],
				told: isLost ? [expect.stringContaining('Nobody decided on this refund')] : [],
				questions: 1,
			};
		}),
	);
	expect(await received(handedOver)).toEqual([TAKEN_OVER]);
	expect(await toldOf(handedOver)).toEqual([expect.stringContaining(PERSON)]);
}, 900_000);
