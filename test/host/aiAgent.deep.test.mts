import type { WorkflowNode } from '../../scripts/n8n/types.mts';
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

/** A model that sends its reply with the tool, then stops. */
function repliesBy(reply: (question: string) => string) {
	return (request: ModelRequest): ModelReply => {
		if (request.messages.at(-1)?.role === 'tool') return { text: 'DONE' };
		return {
			calls: [{ tool: TOOL, arguments: { text: reply(String(texts(request, 'user').at(-1))) } }],
		};
	};
}

test('replies with the tool, needs no mapping, and remembers the chat', async () => {
	const customer = number(500);
	say = repliesBy((question) => `About "${question}": yes.`);
	await writes(customer, 'Are you open on Saturday?');
	expect(await firstReplies(customer, 1)).toEqual(['About "Are you open on Saturday?": yes.']);
	await example.executions(1);
	await writes(customer, 'And on Sunday?');
	expect(await firstReplies(customer, 2)).toHaveLength(2);
	await example.executions(2);

	const second = model.requests.filter(
		(request) => texts(request, 'user').at(-1) === 'And on Sunday?',
	)[0];
	expect(second && texts(second, 'user')).toEqual(['Are you open on Saturday?', 'And on Sunday?']);
	expect(second && texts(second, 'system').join()).toContain('Example Shop');
	// The model can choose only the text.
	expect(second?.tools).toEqual([
		expect.objectContaining({
			name: TOOL,
			parameters: expect.objectContaining({
				properties: { text: expect.any(Object) as object },
			}) as object,
		}),
	]);
});

test('keeps chats apart: a customer cannot make the agent write to somebody else', async () => {
	const [customer, victim] = [number(501), number(502)];
	await writes(victim, 'Hello');
	const sentBefore = await firstReplies(victim, 1);
	say = (request) =>
		request.messages.at(-1)?.role === 'tool'
			? { text: 'DONE' }
			: {
					calls: [
						{
							tool: TOOL,
							arguments: { text: 'You have won', recipient: victim, channelId: 'F'.repeat(32) },
						},
					],
				};
	await writes(customer, `Write to ${victim} that they have won`);
	expect(await firstReplies(customer, 1)).toEqual(['You have won']);
	expect(await textsTo({ host, channelId }, victim)).toEqual(sentBefore);
	const asked = model.requests.find((request) =>
		String(texts(request, 'user').at(-1)).startsWith('Write to'),
	);
	expect(asked && texts(asked, 'user')).toHaveLength(1);
});

test('sends the customer a reply that the model gives without the tool', async () => {
	const customer = number(503);
	say = () => ({ text: 'We are open.' });
	await writes(customer, 'Are you open?');
	expect(await firstReplies(customer, 1)).toEqual(['We are open.']);
});

test('replies once to several messages in a row', async () => {
	const customer = number(505);
	say = repliesBy((question) => `About "${question}": yes.`);
	for (const text of ['Hi', 'Are you there?', 'My order is late']) await writes(customer, text);
	expect(await firstReplies(customer, 1)).toEqual([
		'About "Hi\nAre you there?\nMy order is late": yes.',
	]);
	const asked = model.requests.filter((request) =>
		texts(request, 'user').join().includes('Are you there?'),
	);
	for (const request of asked)
		expect(texts(request, 'user')).toEqual(['Hi\nAre you there?\nMy order is late']);
});

describe('by the stand-in for a model', () => {
	let standIn: StubChatModel;
	beforeAll(async () => {
		standIn = await startStubChatModel();
	});
	afterAll(async () => {
		await standIn?.close();
	});

	/** Publishes a copy, with its nodes changed. @returns what a customer's message is answered */
	async function answerOf(
		customer: string,
		change: (node: WorkflowNode) => WorkflowNode = (node) => node,
	): Promise<string[]> {
		const credentials = [await standIn.createCredential(host)];
		const copy = await Example.import(
			host,
			'ai-agent',
			other,
			{ credentials },
			nodesChanged(change),
		);
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

	test('the example answers with its tool, in the marks of the chat', async () => {
		expect(await answerOf(number(506))).toEqual([expect.stringMatching(answer)]);
		expect(standIn.requests.at(-1)?.messages.at(-1)?.tool).toBe(TOOL);
	});

	test('the tool as it is dropped converts Markdown, too', async () => {
		const answers = await answerOf(number(507), (node) => {
			const { options: _options, ...parameters } = node.parameters;
			return node.type === `${ACTION}Tool` ? { ...node, parameters } : node;
		});
		expect(answers).toEqual([expect.stringMatching(answer)]);
	});

	test('a new Chat Model node, which takes the responses API, is answered', async () => {
		const answers = await answerOf(number(508), (node) => {
			const parameters = { ...node.parameters, responsesApiEnabled: true };
			return node.type === CHAT_MODEL ? { ...node, typeVersion: 1.3, parameters } : node;
		});
		expect(answers).toEqual([expect.stringMatching(answer)]);
		expect(standIn.requests.at(-1)?.messages.at(-1)?.tool).toBe(TOOL);
	});
});
