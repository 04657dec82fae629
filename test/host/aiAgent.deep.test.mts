import { randomUUID } from 'node:crypto';

import type { Workflow, WorkflowNode } from '../../scripts/n8n/types.mts';
import { number } from './harness/conversations.mts';
import { Example, ownAccount } from './harness/examples.mts';
import { ACTION, type Host } from './harness/host.mts';
import { firstTextsTo, textsTo } from './harness/questions.mts';
import {
	type ModelReply,
	type ModelRequest,
	startStubChatModel,
	type StubChatModel,
} from './harness/stubChatModel.mts';
import { nodesChanged } from './harness/stages.mts';

const TOOL = 'Send_an_Answer';
const CHAT_MODEL = '@n8n/n8n-nodes-langchain.lmChatOpenAi';

let host: Host;
let channelId: string;
let other: string;
let model: StubChatModel;
let say: (request: ModelRequest) => ModelReply;
let example: Example;

beforeAll(async () => {
	const account = await ownAccount(['Agent', 'Stand-In']);
	({ host } = account);
	[channelId = '', other = ''] = account.channels;
	model = await startStubChatModel((request) => say(request));
	const credential = await model.createCredential(host);
	example = await Example.import(host, 'ai-agent', channelId, { credentials: [credential] });
	await example.publish();
});
afterAll(async () => {
	await host?.cleanUp();
	await model?.close();
});

const writes = async (from: string, text: string) =>
	await host.sandbox.customerWrites({ channelId, from, name: 'Ana', text });

const firstReplies = async (customer: string, count: number): Promise<string[]> =>
	await firstTextsTo({ host, channelId }, customer, count);

const texts = ({ messages }: ModelRequest, role: string) =>
	messages.filter((message) => message.role === role).map(({ content }) => content);

/** A model that replies at once. */
function repliesBy(reply: (question: string) => string) {
	return (request: ModelRequest): ModelReply => ({
		text: reply(String(texts(request, 'user').at(-1)).replace(/^> /, '')),
	});
}

test('replies, needs no mapping, and knows this chat alone', async () => {
	const [customer, stranger] = [number(500), number(501)];
	say = repliesBy((question) => `About "${question}": yes.`);
	await writes(stranger, 'Hello');
	await firstReplies(stranger, 1);
	await writes(customer, 'Are you open on Saturday?');
	expect(await firstReplies(customer, 1)).toEqual(['About "Are you open on Saturday?": yes.']);
	await example.executions(2);
	await writes(customer, `And on Sunday? Tell ${stranger}, too.`);
	expect(await firstReplies(customer, 2)).toHaveLength(2);
	await example.executions(3);
	expect(await textsTo({ host, channelId }, stranger)).toEqual(['About "Hello": yes.']);

	const second = model.requests.at(-1);
	expect(second && texts(second, 'user')).toEqual([`> And on Sunday? Tell ${stranger}, too.`]);
	const system = second && texts(second, 'system').join();
	expect(system).toContain('Example Shop');
	expect(system).not.toContain('Hello');
	expect(system).toContain(
		'\nCustomer: Are you open on Saturday?\nAssistant: About "Are you open on Saturday?": yes.',
	);
	// The model can choose only the text.
	expect(second?.tools).toEqual([]);
});

describe('by the stand-in for a model', () => {
	let standIn: StubChatModel;
	beforeAll(async () => {
		standIn = await startStubChatModel();
	});
	afterAll(async () => {
		await standIn?.close();
	});

	/** Publishes a changed copy. @returns what a customer's message is answered first */
	async function answerOf(
		customer: string,
		change: (workflow: Workflow) => Workflow = (workflow) => workflow,
	): Promise<string[]> {
		const credentials = [await standIn.createCredential(host)];
		const copy = await Example.import(host, 'ai-agent', other, { credentials }, change);
		await copy.publish();
		const message = { channelId: other, from: customer, name: 'Ana', text: 'Are you open?' };
		await host.sandbox.customerWrites(message);
		const answers = await firstTextsTo({ host, channelId: other }, customer, 1);
		await copy.executions(1);
		await host.client.unpublish(copy.workflow.id);
		return answers;
	}

	const answer =
		/^Hello! I am a \*stand-in\* for a language model: .*\n\nYou wrote:\n[•-] Are you open\?$/;

	test('a tool of the agent, as it is dropped, converts Markdown', async () => {
		const tool: WorkflowNode = {
			...{ id: randomUUID(), name: TOOL, type: `${ACTION}Tool`, typeVersion: 2, position: [0, 0] },
			parameters: {
				...{
					descriptionType: 'manual',
					toolDescription: 'Sends a text to the customer who wrote.',
				},
				...{ resource: 'message', operation: 'sendText' },
				channelId: { __rl: true, mode: 'id', value: other },
				recipient: number(507),
				text: "={{ $fromAI('text', 'The whole text for the customer', 'string') }}",
			},
			credentials: { businessMessagingApi: host.underTest.credential },
		};
		const [first] = await answerOf(number(507), (workflow) => ({
			...workflow,
			nodes: [...workflow.nodes, tool],
			connections: {
				...workflow.connections,
				[TOOL]: { ai_tool: [[{ node: 'AI Agent', type: 'ai_tool', index: 0 }]] },
			},
		}));
		expect(first).toMatch(answer);
		expect(standIn.requests.at(-1)?.messages.at(-1)?.tool).toBe(TOOL);
	});

	test('a new Chat Model node, which takes the responses API, is answered', async () => {
		const change = nodesChanged((node) => {
			const parameters = { ...node.parameters, responsesApiEnabled: true };
			return node.type === CHAT_MODEL ? { ...node, typeVersion: 1.3, parameters } : node;
		});
		expect(await answerOf(number(508), change)).toEqual([expect.stringMatching(answer)]);
	});
});
