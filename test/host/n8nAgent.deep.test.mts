/** Agents of n8n's own: one that is stored in n8n, made by its API, and one inside a workflow. */
import { randomUUID } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';

import { readExample } from '#scripts/n8n/provision.mts';
import type { StoredWorkflow } from '#scripts/n8n/types.mts';
import { until } from '#scripts/until.mts';
import { number } from './harness/conversations.mts';
import { ACTION, byId, Host, hostUnderTest, TRIGGER } from './harness/host.mts';
import { createAccount } from './harness/listener.mts';
import { type OwnN8n, startOwnN8n } from './harness/ownN8n.mts';
import { askParameters, firstTextsTo, newestButtons, tap, textsTo } from './harness/questions.mts';
import { startStubChatModel, type StubChatModel } from './harness/stubChatModel.mts';

const [COLLEAGUE, LIMIT_MS] = [number(900), 60_000] as const;
const [REFUND, QUESTION] = ['I want a refund', 'May the customer have it?'] as const;
const SENDER = "={{ $('Trigger').item.json.sender.identifier }}";

let n8n: OwnN8n;
let host: Host;
let model: StubChatModel;
let [channelId, credential] = ['', ''];
let chat: StoredWorkflow | undefined;
let customers = 901;

type Tool = Record<string, unknown>;

const inN8n = (name: string, type: string, typeVersion: number, parameters: INodeParameters) => ({
	...host.node(name, type, parameters),
	...{ typeVersion, credentials: {} },
});

const send = (recipient: string, text: string): INodeParameters => ({
	...{ resource: 'message', operation: 'sendText', channelId: byId(channelId) },
	...{ recipient, text, options: {} },
});

/** Business Messaging as the tool of an agent that has a word of what the customer writes. */
const tool = (nodeParameters: INodeParameters): Tool => ({
	...{ type: 'node', name: 'Refund', description: 'Tells a colleague of a refund' },
	node: {
		...{ nodeType: `${ACTION}Tool`, nodeTypeVersion: 2, nodeParameters },
		credentials: { businessMessagingApi: host.underTest.credential },
	},
});
const tell = () => tool(send(COLLEAGUE, "={{ $fromAI('text', 'What is wanted', 'string') }}"));

const configOf = (tools: Tool[]) => ({
	...{ name: 'Shop', model: 'openai/stand-in', credential, instructions: 'Be kind.', tools },
});

const within = (tools: Tool[] = []) =>
	({ agentSource: 'inline', inlineAgent: { config: configOf(tools) } }) as INodeParameters;

/** Makes an agent by n8n's API, as its editor does. */
async function stored(tools: Tool[] = [], isPublished = true): Promise<INodeParameters> {
	const { client } = host;
	const { id: project } = await client.request<{ id: string }>('GET', '/projects/personal');
	const all = `/projects/${project}/agents/v2`;
	const { id } = await client.request<{ id: string }>('POST', all, { name: randomUUID() });
	const place = `${all}/${id}/config`;
	const { configHash } = await client.request<{ configHash: string }>('GET', place);
	const config = { ...configOf(tools), memory: { enabled: true, storage: 'n8n' } };
	await client.request('PUT', place, { config, baseConfigHash: configHash });
	if (isPublished) await client.request('POST', `${all}/${id}/publish`, {});
	return { agentSource: 'referenced', agentId: { __rl: true, mode: 'list', value: id } };
}

/** The tool is a workflow. It asks a colleague, and after a tap tells the customer. */
async function askingTool(customer: string): Promise<Tool> {
	const inputs = { inputSource: 'workflowInputs', workflowInputs: { values: [{ name: 'words' }] } };
	const ask = askParameters(channelId, COLLEAGUE, {
		...{ message: QUESTION, askIn: 'chat', responseType: 'approval' },
		approvalOptions: { values: { approvalType: 'double' } },
		options: {},
	});
	const workflow = await host.createWorkflow(`Refund ${randomUUID()}`, [
		inN8n('When Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, inputs),
		host.node('Ask', ACTION, ask),
		host.node('Tell', ACTION, send(customer, '=Approved: {{ $json.data.approved }}')),
	]);
	await host.client.publish(workflow.id);
	const [workflowId, description] = [workflow.id, 'Asks a colleague for a refund'];
	return { type: 'workflow', workflowId, workflow: workflow.name, name: 'refund', description };
}

/** Publishes a chat with this agent, in the place of the last one. */
async function publishChat(agent: INodeParameters, sessionKey = ''): Promise<void> {
	if (chat) await host.client.unpublish(chat.id);
	const advanced = { session: { session: { sessionIdType: 'customKey', sessionKey } } };
	chat = await host.createWorkflow('A chat', [
		host.node('Trigger', TRIGGER, {
			...{ source: 'channel', channelId: byId(channelId), channelEvents: ['MESSAGE_RECEIVED'] },
			options: { chatFields: true },
		}),
		inN8n('Agent', 'n8n-nodes-base.messageAnAgent', 3.1, {
			...{ ...agent, message: '={{ $json.chatInput }}', advanced: sessionKey ? advanced : {} },
		}),
		host.node('Send', ACTION, send(SENDER, '={{ $json.text }}')),
	]);
	await host.client.publish(chat.id);
}

const writes = async (from: string, text: string) =>
	await host.sandbox.customerWrites({ channelId, from, name: 'Ana', text });
const received = async (customer: string) => await textsTo({ host, channelId }, customer);

/** Writes, and waits for the end. @returns the error, or what the customer got last */
async function outcome(customer: string, text: string): Promise<string | undefined> {
	const { id = '' } = chat ?? {};
	const before = (await host.client.listExecutions(id)).length;
	await writes(customer, text);
	const next = async () => (await host.client.listExecutions(id)).at(-1 - before);
	const last = await until('an execution', next, LIMIT_MS);
	const { resultData } = await host.client.finishedExecution(last.id);
	return resultData.error?.message ?? (await received(customer)).at(-1);
}

/** What the customer said, as the model was told it last. */
const remembered = () =>
	model.requests
		.findLast(({ tools }) => tools.length > 0)
		?.messages.flatMap(({ role, content }) => (role === 'user' ? [content] : []));

const play = () => {
	beforeAll(async () => {
		const { secretKey, channels } = await createAccount(new Host(), ['Agents']);
		[channelId = ''] = channels;
		[n8n, model] = await Promise.all([startOwnN8n(secretKey), startStubChatModel()]);
		({ host } = n8n);
		({ id: credential } = await model.createCredential(host));
		await writes(COLLEAGUE, 'Good morning');
	}, 300_000);
	afterAll(async () => {
		await n8n?.remove();
		await model?.close();
	});

	test('one that is stored answers once it is published, and remembers the chat when n8n was killed', async () => {
		const customer = number(customers++);
		await publishChat(await stored([], false));
		expect(await outcome(customer, 'Too early')).toMatch(/not published/);
		await publishChat(await stored());
		expect(await outcome(customer, 'One')).toMatch(/You wrote:\n- One$/);
		await n8n.kill();
		await n8n.start();
		await outcome(customer, 'Two');
		expect(remembered()).toEqual(['One', 'Two']);
	}, 300_000);

	test('two messages of a customer are answered at the same time', async () => {
		const customer = number(customers++);
		await publishChat(within());
		await writes(customer, 'First (the model takes 30 s)');
		const { id = '' } = chat ?? {};
		const isAsked = async () => (await host.client.listExecutions(id)).length > 0;
		await until('the first to be asked', isAsked, LIMIT_MS);
		await writes(customer, 'Second');
		expect(await firstTextsTo({ host, channelId }, customer, 2)).toEqual([
			expect.stringMatching(/- Second$/),
			expect.stringMatching(/- First/),
		]);
	}, 120_000);

	test("a longer session is refused, but the example's is short, and the same each time", async () => {
		const customer = number(customers++);
		const long = "$json.sessionId.padEnd(75, '.')";
		await publishChat(within(), `={{ ${long} }}`);
		expect(await outcome(customer, 'One')).toMatch(/at most 74 characters \(got 75\)/);
		const own = JSON.stringify(readExample('n8n-agent'));
		const [, key = ''] = /"sessionKey":"([^"]+)"/.exec(own) ?? [];
		await publishChat(
			within(),
			key.replaceAll("$('When a Customer Writes').first().json.sessionId", long),
		);
		for (const text of ['Two', 'Three']) await outcome(customer, text);
		expect(remembered()).toEqual(['Two', 'Three']);
	});

	test.each([
		['within a workflow', async () => within([tell()])],
		['stored', async () => await stored([tell()])],
	])('Business Messaging is a tool that sends at once: %s', async (_, agent) => {
		const before = (await received(COLLEAGUE)).length;
		await publishChat(await agent());
		expect(await outcome(number(customers++), REFUND)).toMatch(/status\*\*: success/);
		expect((await received(COLLEAGUE)).slice(before)).toEqual([REFUND]);
	});

	test('a workflow that asks is the tool of a stored one: it goes on after a tap in the chat', async () => {
		const customer = number(customers++);
		await publishChat(await stored([await askingTool(customer)]));
		expect(await outcome(customer, REFUND)).toMatch(/status\*\*: waiting/);
		expect((await newestButtons({ host, channelId }, COLLEAGUE)).text).toBe(QUESTION);
		await tap({ host, channelId }, COLLEAGUE, 'Approve');
		const [, last] = await firstTextsTo({ host, channelId }, customer, 2);
		expect(last).toBe('Approved: true');
	});
};

// n8n 1 has no agents of its own.
if (hostUnderTest().generation === 'current') describe("n8n's own agents", play);
else
	test('n8n 1 has none', async () => {
		const types = await new Host().client.nodeTypes();
		expect(types).not.toContain('n8n-nodes-base.messageAnAgent');
	});
