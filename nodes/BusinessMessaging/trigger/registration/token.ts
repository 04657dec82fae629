import { createHmac } from 'node:crypto';

import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

const PURPOSE = 'n8n business messaging webhook token v1';

/** The token of the node's webhook. Any process derives it from the secret key, to check it. */
export const deriveToken = (secretKey: string, receiver: string): string =>
	createHmac('sha256', secretKey).update(`${PURPOSE}\n${receiver}`).digest('hex');

/** Names its URL without the endpoint: in `webhook()` n8n gives production's for a test, too. */
export function receiverOf(
	context: IHookFunctions | IWebhookFunctions,
	webhookUrl: string,
): string {
	const { id, name, webhookId } = context.getNode();
	return JSON.stringify([
		new URL(webhookUrl).origin,
		webhookId ?? [context.getWorkflow().id, id, name],
	]);
}
