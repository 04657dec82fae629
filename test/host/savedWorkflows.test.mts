/** Workflows saved with the version before open and run: names of parameters and operations, and defaults that were left out, still hold. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { type IDataObject, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../../scripts/n8n/provision.mts';
import type { FinishedExecution, StoredWorkflow, Workflow } from '../../scripts/n8n/types.mts';
import { until } from '../../scripts/until.mts';
import { number } from './harness/conversations.mts';
import { itemsOf } from './harness/examples.mts';
import { Host, hostUnderTest, TRIGGER } from './harness/host.mts';
import { createAccount, type ListedWebhook } from './harness/listener.mts';
import {
	type Customers,
	listWebhooks,
	open,
	reply,
	submit,
	textsTo,
} from './harness/questions.mts';
import { VERSION_BEFORE } from './harness/versionBefore.mts';

const LIMIT_MS = 60_000;
const MANUAL = 'On message, registered by hand';
const customer = number(1);
/** What the workflow was saved with: as who imports it picks their own. */
const SAVED_CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';

const servers = hostUnderTest();
let host: Host;
let customers: Customers;
let tenant: string;
let saved: Workflow;
let workflow: StoredWorkflow;
let descriptions: INodeTypeDescription[];

beforeAll(async () => {
	const shared = new Host();
	const account = await createAccount(shared, ['Saved', 'First', 'Second']);
	const { secretKey, channels } = account;
	tenant = account.tenantId;
	const [channelId = '', ...others] = channels;
	const authorization = `Bearer ${secretKey.replace('_sk_', '_pk_')}`;
	const [first, second] = await Promise.all(
		others.map(
			async (id) =>
				await shared.sandbox.post<IDataObject>(
					'/_sandbox/sdk/connect',
					{ channelId: id, coexistence: true },
					{ authorization },
				),
		),
	);

	const importable = JSON.parse(
		readFileSync(VERSION_BEFORE.workflows, 'utf8').replaceAll(SAVED_CHANNEL, channelId),
	) as Workflow;
	// The service knows only webhooks with URLs of their own: as the editor does on import.
	saved = {
		...importable,
		nodes: importable.nodes.map((node) => ({
			...node,
			...(node.webhookId === undefined ? {} : { webhookId: randomUUID() }),
		})),
	};
	const credential = await shared.client.createCredential('Saved', CREDENTIAL_TYPE, {
		baseUrl: servers.sandboxUrl,
		secretKey,
	});
	host = new Host({ ...servers, credential });
	customers = { host, channelId, secretKey };
	await reply(customers, customer, 'Hello');
	descriptions = await host.client.nodeTypeDescriptions();
	const nodes = saved.nodes.map((node) => ({
		...node,
		...(node.credentials && {
			credentials: { [CREDENTIAL_TYPE]: { id: credential.id, name: credential.name } },
		}),
	}));
	const pinData = {
		Start: [{ json: { name: 'New', customer, first: { ...first }, second: { ...second } } }],
	};
	workflow = host.adopt(await host.client.createWorkflow({ ...saved, nodes, pinData }));
}, 200_000);

afterAll(async () => await host?.cleanUp());

test('each node opens: its version is there, and what the editor would save of it now is what was saved', async () => {
	const opened = await host.client.getWorkflow(workflow.id);
	expect(opened.nodes).toHaveLength(saved.nodes.length);
	for (const node of opened.nodes) {
		const description = descriptions.find(
			({ name, version }) => name === node.type && [version].flat().includes(node.typeVersion),
		);
		if (!description) throw new Error(`n8n has no ${node.type} of version ${node.typeVersion}`);
		const parameters = NodeHelpers.getNodeParameters(
			description.properties,
			node.parameters,
			false,
			false,
			node,
			description,
		);
		expect({ name: node.name, parameters }).toEqual({
			name: node.name,
			parameters: saved.nodes.find(({ name }) => name === node.name)?.parameters,
		});
		const shown =
			NodeHelpers.getNodeParameters(
				description.properties,
				node.parameters,
				true,
				false,
				node,
				description,
			) ?? {};
		expect({
			name: node.name,
			issues: NodeHelpers.getNodeParametersIssues(
				description.properties,
				{ ...node, parameters: shown },
				description,
			),
		}).toEqual({ name: node.name, issues: null });
	}
});

test('every operation runs, and the questions take their replies', async () => {
	const executionId = (await host.client.runManually(workflow, 'Start')) ?? '';
	await replied(
		executionId,
		'Ask for approval',
		async ([, no = '']) => await open(no, { method: 'POST' }),
	);
	await replied(
		executionId,
		'Ask for consent',
		async ([yes = '']) => await open(yes, { method: 'POST' }),
	);
	await replied(
		executionId,
		'Ask for a text',
		async ([link = '']) => await submit(link, { 'field-0': 'Fine' }),
	);
	await replied(
		executionId,
		'Ask with a form',
		async ([link = '']) =>
			await submit(link, {
				'field-0': 'Ana',
				'field-2': 'ana@example.com',
				'field-3': '2',
				'field-4': '2026-07-15',
				'field-5': ['Green', 'Blue'],
				'field-6': 'Soup',
				'field-7': ['Crib'],
			}),
	);
	await replied(
		executionId,
		'Ask with a form in JSON',
		async ([link = '']) => await submit(link, { 'field-0': 'None' }),
	);
	await replied(
		executionId,
		'Ask in the chat',
		async () => await reply(customers, customer, 'tuesday'),
	);
	await replied(
		executionId,
		'Ask in the chat for any text',
		async () => await reply(customers, customer, 'Ana'),
	);

	const execution = await host.client.finishedExecution(executionId);
	expect({ status: execution.status, error: execution.resultData.error }).toEqual({
		status: 'success',
		error: undefined,
	});
	const id = expect.stringMatching(/^[0-9A-F-]{32,36}$/i) as unknown;
	const { channelId } = customers;
	const outcome = (data: IDataObject) => ({
		data: { ...data, respondedAt: expect.stringMatching(/^\d{4}-/) as unknown },
	});
	expect(resultsOf(execution)).toMatchObject({
		'Create channel': [{ id, name: 'New', type: 'OFFICIAL_CHATAPP' }],
		'Get many channels': [{ id, name: 'New' }],
		'Get one channel': [{ id }],
		'Connect channel': [{ success: true }],
		'Connect channel with SDK object': [{ success: true }],
		'Send text': [{ messageId: id, channelId, recipient: customer }],
		'Create webhook': [
			{
				id,
				channelId,
				url: 'https://receiver.example/saved',
				events: ['MESSAGE_RECEIVED', 'CONNECTED'],
				description: 'Saved before',
				signing: true,
				auth: { type: 'CUSTOM_HEADER' },
				customAttributes: { team: 'support' },
				secret: expect.any(String),
			},
		],
		'Update webhook': [
			{
				id,
				url: 'https://receiver.example/changed',
				events: ['DISCONNECTED'],
				status: 'DISABLED',
				auth: { type: 'BASIC' },
				customAttributes: { team: 'sales' },
			},
		],
		'Get many webhooks': [
			{ id, url: 'https://receiver.example/changed', payloadFormat: 'DEFAULT' },
		],
		'Get many webhooks simplified': [
			{ id, url: 'https://receiver.example/changed', createdByN8n: false },
		],
		'Delete webhook': [{ deleted: true, id, channelId }],
		'Create template webhook': [
			{ id, url: 'https://receiver.example/templates', signing: false, auth: { type: 'BEARER' } },
		],
		'Update template webhook': [
			{
				id,
				events: ['UPDATE_TEMPLATE_CATEGORY'],
				auth: { type: 'API_KEY' },
				secret: expect.any(String),
			},
		],
		'Get many template webhooks': [{ id, description: 'Changed', createdByN8n: false }],
		'Delete template webhook': [{ deleted: true, id }],
		'Ask for approval': [outcome({ approved: false, outcome: 'answered' })],
		'Ask for consent': [outcome({ approved: true, outcome: 'answered' })],
		'Ask for a text': [outcome({ text: 'Fine', outcome: 'answered' })],
		'Ask with a form': [
			outcome({
				Name: 'Ana',
				Wishes: null,
				'E-mail': 'ana@example.com',
				Visitors: 2,
				Day: '2026-07-15',
				Room: ['Green', 'Blue'],
				Meal: 'Soup',
				Extras: ['Crib'],
			}),
		],
		'Ask with a form in JSON': [outcome({ Remark: 'None' })],
		'Ask in the chat': [
			{ text: 'tuesday', ...outcome({ choice: 'Tuesday', choiceNumber: 2, outcome: 'answered' }) },
		],
		'Ask in the chat for any text': [
			{ text: 'Ana', ...outcome({ choice: null, outcome: 'answered' }) },
		],
	});
	// Three choices or fewer fit on buttons now, but what is saved sends what it sent.
	const sent = await host.sandbox.messages(channelId);
	expect(
		sent.filter(({ direction, content }) => direction === 'out' && content.type !== 'TEXT'),
	).toEqual([]);
	expect((await textsTo(customers, customer)).join('\n')).toContain('\n1. Monday\n2. Tuesday');
	expect((await textsTo(customers, customer)).filter((text) => text.startsWith('Hello'))).toEqual([
		`Hello ${customer}`,
	]);
});

test('every kind of trigger is published, receives, and is unpublished', async () => {
	const { webhookId } = saved.nodes.find(({ name }) => name === MANUAL)!;
	const { secret } = await host.callService<{ secret: string }>(
		`/v1/channels/${customers.channelId}/webhooks`,
		customers.secretKey,
		{
			method: 'POST',
			body: {
				url: `${servers.n8nUrl}/webhook/${webhookId}/webhook`,
				events: ['MESSAGE_RECEIVED'],
				signing: true,
			},
		},
	);
	await host.client.updateCredential(host.underTest.credential, {
		baseUrl: servers.sandboxUrl,
		secretKey: customers.secretKey,
		webhookSecret: secret,
	});
	await host.client.publish(workflow.id);
	const triggers = saved.nodes.filter(({ type }) => type === TRIGGER);
	const ofTemplates = async () =>
		await host.callService<ListedWebhook[]>('/v1/webhooks', customers.secretKey);
	expect(await listWebhooks(customers)).toHaveLength(triggers.length - 1);
	expect(await ofTemplates()).toHaveLength(1);

	await reply(customers, customer, 'Good morning');
	await host.sandbox.post('/_sandbox/templates', {
		tenant,
		field: 'status',
		status: 'APPROVED',
		name: 'welcome',
		language: 'en',
		reason: null,
	});
	const received = await until(
		'each trigger to start an execution',
		async () => ((started) => started.size === triggers.length && started)(await started()),
		LIMIT_MS,
	);
	const written = {
		event: 'MESSAGE_RECEIVED',
		channelId: customers.channelId,
		text: 'Good morning',
		sender: { identifier: customer },
	};
	expect(Object.fromEntries(received)).toMatchObject({
		'On message': [written],
		'On message, version 1': [
			{ message: { channel_id: customers.channelId, contents: [{ message: 'Good morning' }] } },
		],
		'On message and status': [
			{
				...written,
				chatInput: 'Good morning',
				sessionId: `${customers.channelId}:${customer}`,
				headers: { 'content-type': expect.stringContaining('json') as unknown },
			},
		],
		'On template': [
			{ event: 'UPDATE_TEMPLATE_STATUS', templateName: 'welcome', status: 'APPROVED' },
		],
		[MANUAL]: [written],
	});

	await host.client.unpublish(workflow.id);
	// What a person registered, a person removes.
	await until(
		'the other webhooks to go',
		async () => (await listWebhooks(customers)).length === 1 && (await ofTemplates()).length === 0,
		LIMIT_MS,
	);
});

/** Waits until the execution waits with this node, and gives its reply. */
async function replied(
	executionId: string,
	node: string,
	reply: (links: string[]) => Promise<unknown>,
): Promise<void> {
	await until(
		`'${node}' to wait`,
		async () => {
			const { status, resultData } = await host.client.getExecution(executionId);
			if (['success', 'error', 'crashed'].includes(status))
				throw new Error(`it ended with ${status}: ${JSON.stringify(resultData?.error)}`);
			return status === 'waiting' && resultData?.lastNodeExecuted === node;
		},
		LIMIT_MS,
	);
	const text = (await textsTo(customers, customer)).at(-1) ?? '';
	await reply(text.match(/https?:\/\/\S+/g) ?? []);
}

function resultsOf(execution: FinishedExecution): Record<string, IDataObject[]> {
	return Object.fromEntries(
		Object.keys(execution.resultData.runData)
			.filter((node) => node !== 'Start')
			.map((node) => [node, itemsOf(execution, node)]),
	);
}

/** What each trigger gave to the execution that it started. */
async function started(): Promise<Map<string, IDataObject[]>> {
	const found = new Map<string, IDataObject[]>();
	for (const { id, mode } of await host.client.listExecutions(workflow.id)) {
		if (mode !== 'webhook') continue;
		const execution = await host.client.finishedExecution(id);
		for (const node of Object.keys(execution.resultData.runData))
			found.set(node, itemsOf(execution, node));
	}
	return found;
}
