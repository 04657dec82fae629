import { createHmac } from 'node:crypto';

import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

const PURPOSE = 'n8n business messaging webhook token v1';

/**
 * The token that the service sends to the node's webhook. It is derived from the secret key, so
 * that any process can check it without stored state.
 */
export const deriveToken = (secretKey: string, receiver: string): string =>
	createHmac('sha256', secretKey).update(`${PURPOSE}\n${receiver}`).digest('hex');

/**
 * Identifies the node's webhook URL without its endpoint, `webhook` or `webhook-test`, because
 * inside `webhook()` n8n gives the production URL for a test, too.
 */
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
