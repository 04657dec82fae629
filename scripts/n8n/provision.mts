/** Sets an n8n up for trying the package out: a credential for the sandbox, the example workflows. Doing it again changes nothing. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type INodeParameters, isResourceLocatorValue } from 'n8n-workflow';

import { checkout } from '../checkout.mts';
import type { N8nClient } from './client.mts';
import { type DataTable, dataTableColumnsOf, provideDataTable } from './dataTables.mts';
import type { RunningN8n } from './server.mts';
import type { CredentialReference, StoredWorkflow, Workflow, WorkflowNode } from './types.mts';

export const CREDENTIAL_TYPE = 'businessMessagingApi';
const TRIGGER_TYPE = 'n8n-nodes-business-messaging.businessMessagingTrigger';
const CREDENTIAL_NAME = 'Business Messaging account';

/** Creates the credential, or points the one that is there to where the sandbox is now. */
export async function provideCredential(
	client: N8nClient,
	baseUrl: string,
	secretKey: string,
): Promise<CredentialReference> {
	const data = { baseUrl, secretKey };
	const existing = (await client.listCredentials()).find(
		({ name, type }) => name === CREDENTIAL_NAME && type === CREDENTIAL_TYPE,
	);
	if (!existing) return await client.createCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, data);
	await client.updateCredential(existing, data);
	return { id: existing.id, name: existing.name, type: existing.type };
}

/** A channel as the editor keeps it when it is picked from the list. */
export interface ChosenChannel {
	id: string;
	name: string;
}

/** What else an example can ask of the importing user. */
export interface MoreChoices {
	/** Values of the node 'Settings', by name. Those that it does not have are left out. */
	settings?: Record<string, string | unknown[]>;
	/** For all Data table nodes. */
	dataTable?: DataTable;
	/** For nodes of other packages, such as a language model's. */
	credentials?: CredentialReference[];
}

/** The examples in workflows/, by file name without its ending. */
export const exampleNames = (): string[] =>
	readdirSync(join(checkout, 'workflows'))
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.slice(0, -'.json'.length))
		.sort();

export const readExample = (example: string): Workflow =>
	JSON.parse(readFileSync(join(checkout, 'workflows', `${example}.json`), 'utf8')) as Workflow;

/**
 * Imports an example unless a workflow of that name is there: what the user changed in it stays. The data table that the example asks for is
 * made, under the example's name.
 *
 * @param example file name in workflows/, without its ending
 */
export async function provideExample(
	client: N8nClient,
	example: string,
	credential: CredentialReference,
	channel: ChosenChannel,
	settings: Required<MoreChoices>['settings'] = {},
): Promise<StoredWorkflow> {
	const workflow = readExample(example);
	const existing = (await client.listWorkflows()).find(
		({ name, isArchived }) => name === workflow.name && !isArchived,
	);
	if (existing) return existing;
	const columns = dataTableColumnsOf(workflow);
	const dataTable = columns.length > 0 && (await provideDataTable(client, workflow.name, columns));
	return await client.createWorkflow(
		completeExample(workflow, credential, channel, { settings, ...(dataTable && { dataTable }) }),
	);
}

/** Makes the choices that an importing user makes, where the example leaves them open. */
export function completeExample(
	workflow: Workflow,
	credential: CredentialReference,
	channel: ChosenChannel,
	more: MoreChoices = {},
): Workflow {
	const { settings = {}, dataTable, credentials = [] } = more;
	const complete = (node: WorkflowNode): WorkflowNode => {
		const parameters = { ...node.parameters };
		if (isOpen(parameters.channelId)) parameters.channelId = chosen(channel);
		if (dataTable && isOpen(parameters.dataTableId)) parameters.dataTableId = chosen(dataTable);
		if (node.name === 'Settings')
			parameters.assignments = withSettings(
				parameters.assignments as unknown as Assignments,
				settings,
			);
		// As the editor does on import: an example imported twice must not have the same webhook twice.
		const webhookId = node.webhookId ?? (node.type === TRIGGER_TYPE && randomUUID());
		return {
			...node,
			parameters,
			...(webhookId && { webhookId }),
			...(node.credentials && {
				credentials: withCredentials(node.credentials, [credential, ...credentials]),
			}),
		};
	};
	return { ...workflow, nodes: workflow.nodes.map(complete) };
}

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

/**
 * Publishes a workflow unless it is live already. Live means that the service knows its webhook at this n8n's address: a published workflow
 * whose n8n moved to another port, or whose service was reset, is published anew.
 */
export async function providePublication(
	{ client, url }: RunningN8n,
	workflow: StoredWorkflow,
	service: Registration,
): Promise<void> {
	if (workflow.active) {
		if (await isRegistered(url, service)) return;
		await client.unpublish(workflow.id);
	}
	await client.publish(workflow.id);
}

async function isRegistered(
	url: string,
	{ baseUrl, secretKey, channelId }: Registration,
): Promise<boolean> {
	const response = await fetch(`${baseUrl}/v1/channels/${channelId}/webhooks`, {
		headers: { authorization: `Bearer ${secretKey}` },
	});
	if (!response.ok)
		throw new Error(`the sandbox answered the list of webhooks with ${response.status}`);
	const webhooks = (await response.json()) as Array<{ url: string; status: string }>;
	return webhooks.some(
		(webhook) => webhook.url.startsWith(`${url}/`) && webhook.status === 'ENABLED',
	);
}
