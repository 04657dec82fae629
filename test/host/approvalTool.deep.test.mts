import type { INodeParameters } from 'n8n-workflow';

import { until } from '#scripts/until.mts';
import { number } from './harness/conversations.mts';
import { ownAccount } from './harness/examples.mts';
import { ACTION, byId, type Host, hostUnderTest } from './harness/host.mts';
import {
	askParameters,
	limitSeconds,
	newestButtons,
	newestLinkButton,
	press,
	tap,
	textsTo,
	TIMEOUT_LIMIT_MS,
} from './harness/questions.mts';
import {
	type ModelRequest,
	startStubChatModel,
	type StubChatModel,
} from './harness/stubChatModel.mts';

const [manager, customer] = [number(600), number(601)] as const;
const APPROVAL_TOOL = `${ACTION}HitlTool`;
const isCurrent = hostUnderTest().generation === 'current';

let host: Host;
let channelId: string;
let model: StubChatModel;

beforeAll(async () => {
	const account = await ownAccount(['Approvals']);
	({ host } = account);
	[channelId = ''] = account.channels;
	for (const from of [manager, customer])
		await host.sandbox.customerWrites({ channelId, from, name: 'Somebody', text: 'Hello' });
	// Calls the first tool that it gets, then reports the result.
	model = await startStubChatModel((request) => {
		const last = request.messages.at(-1);
		if (last?.role === 'tool') return { text: `The tool said: ${last.content}` };
		return { calls: [{ tool: request.tools[0]?.name ?? '', arguments: argumentsOf(request) }] };
	});
});
afterAll(async () => {
	await host?.cleanUp();
	await model?.close();
});

/** What the model sends to the tool: the text, what n8n adds, and an approval that nobody gave. */
function argumentsOf({ tools }: ModelRequest): Record<string, unknown> {
	const wanted = { text: 'A discount of 50 %' };
	const isWrapped = JSON.stringify(tools[0]?.parameters).includes('toolParameters');
	return isWrapped ? { toolParameters: wanted, approved: true, data: { approved: true } } : wanted;
}

test('becomes a human-approval tool in n8n 2; n8n 1 has none', async () => {
	expect((await host.client.nodeTypes()).includes(APPROVAL_TOOL)).toBe(isCurrent);
});

/** Runs an agent with one tool. The tool writes to the customer, after the manager approved. */
async function runAgent(
	options: INodeParameters = {},
	askIn: 'link' | 'chat' = 'link',
): Promise<string> {
	const credential = await model.createCredential(host);
	const plain = (name: string, type: string, typeVersion: number, parameters: INodeParameters) => ({
		...host.node(name, type, parameters),
		typeVersion,
		credentials: {},
	});
	const approvalOptions = {
		values: {
			approvalType: 'double',
			approveLabel: 'Let it',
			disapproveLabel: 'Stop it',
		},
	};
	const { message: _question, ...approval } = askParameters(channelId, manager, {
		askIn,
		responseType: 'approval',
		approvalOptions,
		options,
	});
	const ofChannel = {
		resource: 'message',
		operation: 'sendText',
		channelId: byId(channelId),
		recipient: customer,
		options: {},
	};
	const nodes = [
		plain('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		plain('Agent', '@n8n/n8n-nodes-langchain.agent', 3, {
			promptType: 'define',
			text: 'Offer a discount',
			options: {},
		}),
		{
			...plain('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, {
				model: { __rl: true, mode: 'id', value: 'stub-model' },
				options: {},
			}),
			credentials: { openAiApi: { id: credential.id, name: credential.name } },
		},
		host.node('Ask the Manager', APPROVAL_TOOL, {
			...approval,
			message: '=May the agent use {{ $tool.name }} with {{ JSON.stringify($tool.parameters) }}?',
		}),
		host.node('Write to the Customer', `${ACTION}Tool`, {
			descriptionType: 'manual',
			toolDescription: 'Writes to the customer',
			...ofChannel,
			text: "={{ $fromAI('text', 'The text', 'string') }}",
		}),
	];
	const to = (node: string, type: string) => ({ [type]: [[{ node, type, index: 0 }]] });
	const connections = {
		Start: to('Agent', 'main'),
		Model: to('Agent', 'ai_languageModel'),
		'Ask the Manager': to('Agent', 'ai_tool'),
		'Write to the Customer': to('Ask the Manager', 'ai_tool'),
	};
	const workflow = host.adopt(
		await host.client.createWorkflow({
			name: 'An agent that asks',
			nodes,
			connections,
			pinData: { Start: [{ json: {} }] },
		}),
	);
	const executionId = (await host.client.runManually(workflow, 'Start')) ?? '';
	await until(
		'the agent to wait',
		async () => {
			const { status, resultData } = await host.client.getExecution(executionId);
			if (status === 'error' || status === 'success')
				throw new Error(`it ended with ${status}: ${JSON.stringify(resultData?.error)}`);
			return status === 'waiting';
		},
		60_000,
	);
	return executionId;
}

const askedOfManager = async () => await newestLinkButton({ host, channelId }, manager);

async function replyOfAgent(executionId: string): Promise<unknown> {
	const { status, resultData } = await host.client.finishedExecution(executionId);
	expect({ status, error: resultData.error }).toEqual({ status: 'success', error: undefined });
	return resultData.runData.Agent?.at(-1)?.data?.main[0]?.[0]?.json.output;
}

const playTheTool = () => {
	test('runs the tool once the manager has approved, with the values that the manager saw', async () => {
		const executionId = await runAgent();
		const { text, url } = await askedOfManager();
		expect(text).toContain('A discount of 50 %');
		expect(await textsTo({ host, channelId }, customer)).toEqual([]);
		await press(url, true);
		expect(await replyOfAgent(executionId)).toMatch(/The tool said: .*messageId/s);
		expect(await textsTo({ host, channelId }, customer)).toEqual(['A discount of 50 %']);
	});

	test('takes a tap in the chat as approval, from the manager alone', async () => {
		const before = await textsTo({ host, channelId }, customer);
		const executionId = await runAgent({}, 'chat');
		const { text } = await newestButtons({ host, channelId }, manager);
		expect(text).toContain('A discount of 50 %');
		await host.sandbox.customerWrites({
			channelId,
			from: customer,
			name: 'Somebody',
			text: 'Let it',
		});
		await tap({ host, channelId }, manager, 'Let it');
		expect(await replyOfAgent(executionId)).toMatch(/The tool said: .*messageId/s);
		expect(await textsTo({ host, channelId }, customer)).toEqual([...before, 'A discount of 50 %']);
	});

	test(
		'does not run the tool if nobody replies in time, whatever the model sent',
		async () => {
			const before = await textsTo({ host, channelId }, customer);
			const executionId = await runAgent(limitSeconds(2));
			await until(
				'the time to be over',
				async () => (await host.client.getExecution(executionId)).status !== 'waiting',
				TIMEOUT_LIMIT_MS,
			);
			expect(await replyOfAgent(executionId)).toMatch(/rejected the tool call/);
			expect(await textsTo({ host, channelId }, customer)).toEqual(before);
		},
		2 * TIMEOUT_LIMIT_MS,
	);
};

// n8n 1 has no such tools. The test above checks that.
if (isCurrent) describe('as a human-approval tool of an agent', playTheTool);
