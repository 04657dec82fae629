/** Sets an n8n up for trying the package out: the owner, a credential for the sandbox, an example workflow. Doing it again changes nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { isResourceLocatorValue } from 'n8n-workflow';

import { checkout } from '../checkout.mts';
import type { N8nClient } from './client.mts';
import type { RunningN8n } from './server.mts';
import type { CredentialReference, Owner, StoredWorkflow, Workflow, WorkflowNode } from './types.mts';

/** Who signs in to the n8n of `npm start`. It listens on this machine only and holds nothing but the sandbox's made-up data. */
export const OWNER: Owner = { email: 'owner@example.com', firstName: 'Sam', lastName: 'Owner', password: 'Sandbox-4-You' };

export const CREDENTIAL_TYPE = 'businessMessagingApi';
const CREDENTIAL_NAME = 'Business Messaging account';

/** Creates the credential, or points the one that is there to where the sandbox is now. */
export async function provideCredential(client: N8nClient, baseUrl: string, secretKey: string): Promise<CredentialReference> {
	const data = { baseUrl, secretKey };
	const existing = (await client.listCredentials()).find(({ name, type }) => name === CREDENTIAL_NAME && type === CREDENTIAL_TYPE);
	if (!existing) return await client.createCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, data);
	await client.updateCredential(existing, data);
	return { id: existing.id, name: existing.name, type: existing.type };
}

/** A channel as the editor keeps it when it is picked from the list. */
export interface ChosenChannel {
	id: string;
	name: string;
}

/**
 * Imports an example unless a workflow of that name is there: what the user changed in it stays.
 *
 * @param example file name in workflows/, without its ending
 */
export async function provideExample(
	client: N8nClient,
	example: string,
	credential: CredentialReference,
	channel: ChosenChannel,
): Promise<StoredWorkflow> {
	const workflow = readExample(example);
	const existing = (await client.listWorkflows()).find(({ name, isArchived }) => name === workflow.name && !isArchived);
	return existing ?? (await client.createWorkflow(completeExample(workflow, credential, channel)));
}

export const readExample = (example: string): Workflow =>
	JSON.parse(readFileSync(join(checkout, 'workflows', `${example}.json`), 'utf8')) as Workflow;

/** Makes the choices that an importing user makes: the credential, and the channel where the example leaves it open. */
export function completeExample(workflow: Workflow, credential: CredentialReference, channel: ChosenChannel): Workflow {
	return { ...workflow, nodes: workflow.nodes.map((node) => completeNode(node, credential, channel)) };
}

function completeNode(node: WorkflowNode, credential: CredentialReference, channel: ChosenChannel): WorkflowNode {
	if (!node.credentials?.[CREDENTIAL_TYPE]) return node;
	const completed: WorkflowNode = { ...node, credentials: { [CREDENTIAL_TYPE]: { id: credential.id, name: credential.name } } };
	const locator = node.parameters.channelId;
	if (isResourceLocatorValue(locator) && locator.value === '') {
		completed.parameters = { ...node.parameters, channelId: { ...locator, value: channel.id, cachedResultName: channel.name } };
	}
	return completed;
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
export async function providePublication({ client, url }: RunningN8n, workflow: StoredWorkflow, service: Registration): Promise<void> {
	if (workflow.active) {
		if (await isRegistered(url, service)) return;
		await client.unpublish(workflow.id);
	}
	await client.publish(workflow.id);
}

async function isRegistered(url: string, { baseUrl, secretKey, channelId }: Registration): Promise<boolean> {
	const response = await fetch(`${baseUrl}/v1/channels/${channelId}/webhooks`, { headers: { authorization: `Bearer ${secretKey}` } });
	if (!response.ok) throw new Error(`the sandbox answered the list of webhooks with ${response.status}`);
	const webhooks = (await response.json()) as Array<{ url: string; status: string }>;
	return webhooks.some((webhook) => webhook.url.startsWith(`${url}/`) && webhook.status === 'ENABLED');
}
