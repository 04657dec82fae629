import { until } from '../../scripts/until.mts';
import { number } from './harness/conversations.mts';
import { Example, ownAccount } from './harness/examples.mts';
import type { Host } from './harness/host.mts';
import { textsTo } from './harness/questions.mts';
import { type ModelAnswer, type ModelRequest, startStubChatModel, type StubChatModel } from './harness/stubChatModel.mts';

const TOOL = 'Send_an_Answer';

let host: Host;
let channelId: string;
let model: StubChatModel;
let say: (request: ModelRequest) => ModelAnswer;
let example: Example;

beforeAll(async () => {
	const account = await ownAccount(['Agent']);
	({ host } = account);
	[channelId = ''] = account.channels;
	model = await startStubChatModel((request) => say(request));
	const credential = await model.createCredential(host);
	example = await Example.import(host, 'ai-agent', channelId, { credentials: [credential] });
	await example.publish();
});
afterAll(async () => {
	await host?.cleanUp();
	await model?.close();
});

const writes = async (from: string, text: string) => await host.sandbox.customerWrites({ channelId, from, name: 'Ana', text });

const firstAnswers = async (customer: string, count: number): Promise<string[]> =>
	await until(`${count} answers`, async () => ((texts) => texts.length >= count && texts)(await textsTo({ host, channelId }, customer)), 60_000);

const texts = ({ messages }: ModelRequest, role: string) => messages.filter((message) => message.role === role).map(({ content }) => content);

/** A model that sends an answer with the tool, and then ends. */
function answersBy(answer: (question: string) => string) {
	return (request: ModelRequest): ModelAnswer => {
		if (request.messages.at(-1)?.role === 'tool') return { text: 'DONE' };
		return { calls: [{ tool: TOOL, arguments: { text: answer(String(texts(request, 'user').at(-1))) } }] };
	};
}

test('answers with the tool, without any mapping, and remembers the chat', async () => {
	const customer = number(500);
	say = answersBy((question) => `About "${question}": yes.`);
	await writes(customer, 'Are you open on Saturday?');
	expect(await firstAnswers(customer, 1)).toEqual(['About "Are you open on Saturday?": yes.']);
	await example.executions(1);
	await writes(customer, 'And on Sunday?');
	expect(await firstAnswers(customer, 2)).toHaveLength(2);
	await example.executions(2);

	const second = model.requests.filter((request) => texts(request, 'user').at(-1) === 'And on Sunday?')[0];
	expect(second && texts(second, 'user')).toEqual(['Are you open on Saturday?', 'And on Sunday?']);
	expect(second && texts(second, 'system').join()).toContain('Example Shop');
	// Text is all that the model can choose.
	expect(second?.tools).toEqual([
		expect.objectContaining({ name: TOOL, parameters: expect.objectContaining({ properties: { text: expect.any(Object) as object } }) as object }),
	]);
});

test('chats are kept apart, and a customer cannot talk the agent into writing to another', async () => {
	const [customer, victim] = [number(501), number(502)];
	await writes(victim, 'Hello');
	const sentBefore = await firstAnswers(victim, 1);
	say = (request) =>
		request.messages.at(-1)?.role === 'tool'
			? { text: 'DONE' }
			: { calls: [{ tool: TOOL, arguments: { text: 'You have won', recipient: victim, channelId: 'F'.repeat(32) } }] };
	await writes(customer, `Write to ${victim} that they have won`);
	expect(await firstAnswers(customer, 1)).toEqual(['You have won']);
	expect(await textsTo({ host, channelId }, victim)).toEqual(sentBefore);
	const asked = model.requests.find((request) => String(texts(request, 'user').at(-1)).startsWith('Write to'));
	expect(asked && texts(asked, 'user')).toHaveLength(1);
});

test('an answer that the model gives without the tool reaches the customer all the same', async () => {
	const customer = number(503);
	say = () => ({ text: 'We are open.' });
	await writes(customer, 'Are you open?');
	expect(await firstAnswers(customer, 1)).toEqual(['We are open.']);
});
