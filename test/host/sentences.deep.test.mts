import type { Workflow, WorkflowNode } from '../../scripts/n8n/types.mts';
import { isOurs, sentences, workflowOf } from '../sentences/index.mts';
import { CHANNEL, type Part, type Sentence } from '../sentences/parts.mts';
import { Assistant } from './harness/assistant.mts';
import { ownAccount } from './harness/examples.mts';
import { ACTION, type Host, hostUnderTest, TRIGGER } from './harness/host.mts';

/** Declares tests of what n8n 1 does not have, only if n8n has it. */
const inN8n2 = (name: string, tests: () => void): void => {
	if (hostUnderTest().generation === 'current') describe(name, tests);
};

let host: Host;
let channelId: string;
let model: WorkflowNode['credentials'];

beforeAll(async () => {
	const account = await ownAccount(['Sentences']);
	({ host } = account);
	[channelId = ''] = account.channels;
	const { id, name } = await host.client.createCredential('A model', 'openAiApi', {
		apiKey: 'none',
		url: 'http://127.0.0.1:9',
	});
	model = { openAiApi: { id, name } };
});
afterAll(async () => await host?.cleanUp());

/** A sentence's workflow, for this file's account. */
function readyWorkflow(sentence: Sentence): Workflow {
	const { id, name, type } = host.underTest.credential;
	const credentialsOf = (part: Part): WorkflowNode['credentials'] => {
		if (isOurs(part)) return { [type]: { id, name } };
		return part.type.endsWith('.lmChatOpenAi') ? model : undefined;
	};
	const workflow = JSON.stringify(workflowOf(sentence, credentialsOf));
	return JSON.parse(workflow.replaceAll(CHANNEL, channelId)) as Workflow;
}

const store = async (sentence: Sentence, settings: object = {}) =>
	host.adopt(
		await host.client.createWorkflow({
			...readyWorkflow(sentence),
			settings: { executionOrder: 'v1', ...settings },
		}),
	);

// A workflow for failures is not published, because n8n starts it unpublished.
const published = sentences
	.filter(({ workflow }) => !workflow[0]!.type.endsWith('.errorTrigger'))
	.map((sentence) => [sentence.wish, sentence] as const);

test.each(published)('n8n publishes the workflow: %s', async (_wish, sentence) => {
	const { id } = await store(sentence);
	await host.client.publish(id);
	await host.client.unpublish(id);
});

inN8n2('n8n 2', () => {
	it('refuses to publish a workflow whose text is missing', async () => {
		const { wish, workflow } = sentences[0]!;
		const [trigger, sent] = workflow;
		const lacking = { ...sent!, parameters: { ...sent!.parameters, text: '' } };
		const { id } = await store({ wish, workflow: [trigger!, lacking] });
		await expect(host.client.publish(id)).rejects.toThrow(/required parameters: text/);
	});
});

inN8n2("n8n's assistants", () => {
	let assistant: Assistant;
	beforeAll(async () => {
		assistant = await Assistant.enter(host);
	});
	afterAll(async () => await assistant?.leave());

	test('find both nodes, with the notes to read before use', async () => {
		const { results } = await assistant.call<{ results: string }>('search_nodes', {
			queries: ['business messaging'],
		});
		expect(results).toContain(ACTION);
		expect(results).toContain(TRIGGER);
		expect(results).toContain('A customer who has not written for 24 hours gets sendTemplate only');
		expect(results).toContain('options.chatFields true, which adds chatInput and sessionId');
	});

	test("read in a node's definition how to fill its fields", async () => {
		const { definitions } = await assistant.call<{ definitions: string }>('get_node_types', {
			nodeIds: [{ nodeId: ACTION, resource: 'message', operation: 'sendTemplate' }],
		});
		expect(definitions).toContain('A phone number has its country code.');
		expect(definitions).toContain('@builderHint Ask the user for an approved template');
	});

	test('accept every one of the workflows', async () => {
		const objections: unknown[] = [];
		for (const sentence of sentences) {
			const { id } = await store(sentence, { availableInMCP: true });
			const { validationWarnings = [] } = await assistant.call<{ validationWarnings?: unknown[] }>(
				'update_workflow',
				{ workflowId: id, operations: [{ type: 'setWorkflowMetadata', description: 'Checked' }] },
			);
			if (validationWarnings.length > 0) objections.push([sentence.wish, validationWarnings]);
		}
		expect(objections).toEqual([]);
	});

	test('object to a workflow whose agent has no model', async () => {
		const agent = sentences.find(({ workflow }) => workflow.some(({ helpers }) => helpers))!;
		const workflow = agent.workflow.map(({ helpers: _none, ...part }) => part);
		const { id } = await store({ ...agent, workflow }, { availableInMCP: true });
		const { validationWarnings } = await assistant.call<{ validationWarnings: unknown[] }>(
			'update_workflow',
			{ workflowId: id, operations: [{ type: 'setWorkflowMetadata', description: 'Checked' }] },
		);
		expect(validationWarnings).toEqual(
			expect.arrayContaining([expect.objectContaining({ code: 'MISSING_REQUIRED_INPUT' })]),
		);
	});
});
