import type { IHookFunctions } from 'n8n-workflow';

/**
 * Whether a lifecycle method runs for a test in the editor. When n8n removes the webhook of a test,
 * it gives the mode of production, "update". Only its own data of the webhook tells.
 *
 * Can go once n8n removes it in the mode "manual".
 */
export const isOfTest = (
	context: IHookFunctions & { webhookData?: { isTest?: boolean } },
): boolean => context.getActivationMode() === 'manual' || context.webhookData?.isTest === true;
