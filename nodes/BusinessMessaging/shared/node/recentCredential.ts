import type { ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';

import { createServiceClient, CREDENTIAL_TYPE, type ServiceClient } from '../../service/client';
import { asError } from '../../service/errors';
import { Remembered } from '../tools/remembered';

/** Milliseconds for which a credential, or the failure to read it, is kept. */
const KEPT = 2000;
/** Nodes whose credentials a process keeps. */
const NODES_MAX = 500;

const credentials = new Remembered<ICredentialDataDecryptedObject>(KEPT, NODES_MAX, KEPT);

/**
 * The credential of two seconds ago at most: each reading costs n8n 2.41 an isolate. An execution
 * that waits has the node as it was when it began, maybe with another credential.
 */
export const recentCredential = async (
	context: IWebhookFunctions,
	node: string,
): Promise<ICredentialDataDecryptedObject> =>
	await credentials.get(
		JSON.stringify([context.getWorkflow().id, node, context.getNode().credentials]),
		async () => await context.getCredentials(CREDENTIAL_TYPE),
	);

/** The client of a node that waits for a reply. All its executions share the credential. */
export const clientOfWaiting = async (context: IWebhookFunctions): Promise<ServiceClient> =>
	await createServiceClient(context, await recentCredential(context, context.getNode().id));

/**
 * The client of a node whose credential was deleted, as only n8n's words tell: without an account,
 * and every request fails.
 * @throws the error, if it says something else
 */
export function withoutCredential(error: unknown): ServiceClient {
	if (!asError(error).message.startsWith('Credential with ID ')) throw asError(error);
	const request = async () => await Promise.reject(asError(error));
	return { baseUrl: '', account: '', templatesPath: () => [], request };
}
