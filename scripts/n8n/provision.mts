/**
 * Prepares an n8n for trying the package: a credential for the sandbox, and the example workflows.
 * Running it again changes nothing.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type INodeParameters, isResourceLocatorValue } from 'n8n-workflow';

import { checkout } from '../checkout.mts';
import type { N8nClient } from './client.mts';
import {
	type DataTable,
	type DataTableColumn,
	isAboutTables,
	provideDataTable,
	tableNameOf,
	tablesMadeBy,
} from './dataTables.mts';
import type { Generation } from './host.mts';
import type { RunningN8n } from './server.mts';
import type { CredentialReference, StoredWorkflow, Workflow, WorkflowNode } from './types.mts';

export const CREDENTIAL_TYPE = 'businessMessagingApi';
const TRIGGER_TYPE = 'n8n-nodes-business-messaging.businessMessagingTrigger';
const CREDENTIAL_NAME = 'Business Messaging account';
/** The stand-in takes any key. */
const ANY_KEY = 'not-needed';

/** The credential for the sandbox. */
export const provideCredential = (client: N8nClient, baseUrl: string, secretKey: string) =>
	provide(client, CREDENTIAL_NAME, CREDENTIAL_TYPE, { baseUrl, secretKey });

/** Credentials for the stand-in of a language model: to chat, and to transcribe. */
export const provideModelCredentials = async (client: N8nClient, url: string) => [
	await provide(client, 'Stand-In Model', 'openAiApi', { apiKey: ANY_KEY, url }),
	await provide(client, 'Stand-In Transcription', 'httpBearerAuth', { token: ANY_KEY }),
];

/** Creates a credential, or updates the one of this name and type. */
async function provide(
	client: N8nClient,
	name: string,
	type: string,
	data: Record<string, string>,
): Promise<CredentialReference> {
	const existing = (await client.listCredentials()).find(
		(credential) => credential.name === name && credential.type === type,
	);
	if (!existing) return await client.createCredential(name, type, data);
	await client.updateCredential(existing, data);
	return { id: existing.id, name, type };
}

/** A channel as the editor stores it when it is picked from the list. */
export interface ChosenChannel {
	id: string;
	name: string;
}

/** Other choices that an example asks of the importing user. */
export interface MoreChoices {
	/** Values of the node 'Settings', by name. Unknown names are ignored. */
	settings?: Record<string, string | unknown[]>;
	/** For the Data table nodes, by the name of the table in the example. n8n 1 knows no name. */
	dataTables?: ReadonlyMap<string, DataTable>;
	/** For nodes of other packages, such as a language model's. */
	credentials?: CredentialReference[];
}

/** The examples in workflows/ that this n8n can hold, by file name without its ending. */
export const exampleNames = (generation: Generation = 'current'): string[] =>
	readdirSync(join(checkout, 'workflows'))
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.slice(0, -'.json'.length))
		// n8n 1 has no agents of its own.
		.filter((name) => generation === 'current' || !readExample(name).nodes.some(agentWithin))
		.sort();

export const readExample = (example: string): Workflow =>
	JSON.parse(readFileSync(join(checkout, 'workflows', `${example}.json`), 'utf8')) as Workflow;

/**
 * The data tables that an example's nodes read or write, by name. Its branch *Set Up* makes them,
 * or that of another example.
 */
export function tablesNeededBy({ nodes }: Workflow): Map<string, DataTableColumn[]> {
	const used = new Set(nodes.map(({ parameters }) => tableNameOf(parameters)));
	const made = exampleNames().flatMap((name) => [...tablesMadeBy(readExample(name))]);
	return new Map(made.filter(([table]) => used.has(table)));
}

/**
 * Imports an example unless a workflow with its name exists, so that the user's changes stay.
 * Creates the example's data tables under their names.
 *
 * @param example file name in workflows/, without its ending
 */
export async function provideExample(
	client: N8nClient,
	example: string,
	credential: CredentialReference,
	channel: ChosenChannel,
	more: MoreChoices = {},
): Promise<StoredWorkflow> {
	const workflow = readExample(example);
	const existing = (await client.listWorkflows()).find(
		({ name, isArchived }) => name === workflow.name && !isArchived,
	);
	if (existing) return existing;
	const dataTables = new Map<string, DataTable>();
	for (const [name, columns] of tablesNeededBy(workflow))
		dataTables.set(name, await provideDataTable(client, name, columns));
	return await client.createWorkflow(
		completeExample(workflow, credential, channel, { ...more, dataTables }),
	);
}

/** Makes the choices of an importing user where the example leaves them open. */
export function completeExample(
	workflow: Workflow,
	credential: CredentialReference,
	channel: ChosenChannel,
	more: MoreChoices = {},
): Workflow {
	const { settings = {}, dataTables, credentials = [] } = more;
	const complete = (node: WorkflowNode): WorkflowNode => {
		const parameters = { ...node.parameters };
		if (isOpen(parameters.channelId)) parameters.channelId = chosen(channel);
		const dataTable = dataTables?.get(tableNameOf(parameters) ?? '');
		if (dataTable) parameters.dataTableId = chosen(dataTable);
		const agent = agentWithin(node);
		const model = credentials.find(({ type }) => type === 'openAiApi');
		if (agent && model)
			parameters.inlineAgent = { ...agent, config: { ...agent.config, credential: model.id } };
		if (node.name === 'Settings')
			parameters.assignments = withSettings(
				parameters.assignments as unknown as Assignments,
				settings,
			);
		// As the editor does on import: two imports of an example must not share a webhook.
		const webhookId = node.webhookId ?? (node.type === TRIGGER_TYPE && randomUUID());
		return {
			...node,
			parameters,
			// The tables are there, and n8n 1 cannot make or list one.
			...(dataTables?.size && isAboutTables(node) && { disabled: true }),
			...(webhookId && { webhookId }),
			...(node.credentials && {
				credentials: withCredentials(node.credentials, [credential, ...credentials]),
			}),
		};
	};
	return { ...workflow, nodes: workflow.nodes.map(complete) };
}

/** An agent of n8n's own that is stored inside the node. */
const agentWithin = ({ parameters }: WorkflowNode) =>
	parameters.inlineAgent as { config: INodeParameters } | undefined;

const isOpen = (field: unknown): boolean => isResourceLocatorValue(field) && field.value === '';

const chosen = ({ id, name }: { id: string; name: string }): INodeParameters => ({
	__rl: true,
	mode: 'list',
	value: id,
	cachedResultName: name,
});

interface Assignments {
	assignments: Array<{ id: string; name: string; type: string; value: string }>;
}

function withSettings(
	{ assignments }: Assignments,
	settings: Required<MoreChoices>['settings'],
): INodeParameters {
	const filled = assignments.map((assignment) => {
		const value = settings[assignment.name] ?? assignment.value;
		return { ...assignment, value: typeof value === 'string' ? value : JSON.stringify(value) };
	});
	return { assignments: filled };
}

function withCredentials(
	open: Required<WorkflowNode>['credentials'],
	available: CredentialReference[],
): Required<WorkflowNode>['credentials'] {
	const choose = ([type, placeholder]: [string, { id: string; name: string }]) => {
		const found = available.find((credential) => credential.type === type);
		return [type, found ? { id: found.id, name: found.name } : placeholder] as const;
	};
	return Object.fromEntries(Object.entries(open).map(choose));
}

export interface Registration {
	baseUrl: string;
	secretKey: string;
	channelId: string;
}

/** The file in n8n's home with the ID of the workflow that was published there. */
const PUBLISHED = 'published-at-start';

/**
 * Publishes a workflow once. If the user unpublished it since, it stays so. If it is published but
 * not live, this publishes it again. Live means that the service has its webhook at this n8n's
 * address, so it is not if n8n moved to another port or the service was reset. The node leaves a
 * webhook at its former address alone, so it is deleted here.
 *
 * @returns whether it is published now
 */
export async function providePublication(
	{ client, url, home }: Pick<RunningN8n, 'client' | 'url' | 'home'>,
	workflow: StoredWorkflow,
	service: Registration,
): Promise<boolean> {
	const file = join(home, PUBLISHED);
	if (workflow.active) {
		const webhooks = await listWebhooks(service);
		if (webhooks.some((webhook) => isAt(url, webhook) && webhook.status === 'ENABLED')) {
			writeFileSync(file, workflow.id, { mode: 0o600 });
			return true;
		}
		await client.unpublish(workflow.id);
		for (const webhook of webhooks)
			if (webhook.customAttributes?.n8n?.workflowId === workflow.id && !isAt(url, webhook))
				await callService(service, `/${webhook.id}`, 'DELETE');
	} else if (existsSync(file) && readFileSync(file, 'utf8') === workflow.id) return false;
	await client.publish(workflow.id);
	writeFileSync(file, workflow.id, { mode: 0o600 });
	return true;
}

interface ListedWebhook {
	id: string;
	url: string;
	status: string;
	customAttributes?: { n8n?: { workflowId?: string } };
}

const isAt = (n8nUrl: string, { url }: ListedWebhook): boolean => url.startsWith(`${n8nUrl}/`);

const listWebhooks = async (service: Registration): Promise<ListedWebhook[]> =>
	(await (await callService(service, '', 'GET')).json()) as ListedWebhook[];

/** @param path behind that of the channel's webhooks */
async function callService(
	{ baseUrl, secretKey, channelId }: Registration,
	path: string,
	method: string,
): Promise<Response> {
	const response = await fetch(`${baseUrl}/v1/channels/${channelId}/webhooks${path}`, {
		method,
		headers: { authorization: `Bearer ${secretKey}` },
	});
	if (!response.ok)
		throw new Error(`the sandbox answered ${method} of webhooks with ${response.status}`);
	return response;
}
