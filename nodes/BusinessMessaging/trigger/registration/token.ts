import { createHmac } from 'node:crypto';

import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

const PURPOSE = 'n8n business messaging webhook token v1';

/**
 * The token that a webhook registered by the node sends. It is derived, so that any process can check it without stored state (webhook processors, a
 * lost state). Changing the secret key changes it.
 */
export function deriveToken(secretKey: string, receiver: string): string {
	return createHmac('sha256', secretKey).update(`${PURPOSE}\n${receiver}`).digest('hex');
}

/**
 * What tells this node's webhook URL from every other: the URL without its endpoint, `webhook` or `webhook-test`. Inside `webhook()` n8n gives the
 * production URL for a test too.
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
