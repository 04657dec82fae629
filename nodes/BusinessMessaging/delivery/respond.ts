import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { hostClock } from '../shared/clock';
import type { DeliveryMemory } from './deduplicate';
import { settleWithResponse } from './deduplicate';
import { endOfResponse } from './endOfResponse';

/** Answers a request without starting an execution. */
export function respondJson(
	context: IWebhookFunctions,
	status: number,
	message: string,
): IWebhookResponseData {
	const response = context.getResponseObject();
	if (!response.headersSent) response.status(status).json({ message });
	return { noWebhookResponse: true };
}

/** Refuses a delivery, and says why in the log only. */
export function refuse(
	context: IWebhookFunctions,
	status: number,
	message: string,
	reason: string,
): IWebhookResponseData {
	log(context, 'warn', `A delivery was refused with ${status}: ${reason}`);
	return respondJson(context, status, message);
}

export function log(context: IWebhookFunctions, level: 'warn' | 'error', message: string): void {
	const { id, name } = context.getWorkflow();
	context.logger[level](message, { workflowId: id, workflow: name, node: context.getNode().name });
}

/** Seconds after which the service may repeat a delivery that is still being processed. */
const RETRY_AFTER = 5;

/** Asks the service to deliver again. */
export function askToRepeat(context: IWebhookFunctions, message: string): IWebhookResponseData {
	context.getResponseObject().setHeader('Retry-After', String(RETRY_AFTER));
	return respondJson(context, 503, message);
}

/**
 * Admits a delivery that is to be processed; otherwise gives the response to it. What it does counts once it is answered 2xx.
 * @param parts what tells the delivery from every other one
 */
export function admitOnce(
	context: IWebhookFunctions,
	memory: DeliveryMemory,
	parts: string[],
	onConfirmed?: () => void,
): IWebhookResponseData | undefined {
	const admission = memory.admit(...parts);
	if (admission.state === 'seen') return { webhookResponse: { message: 'Received before' } };
	if (admission.state === 'inFlight') return askToRepeat(context, 'Being processed');
	const response = context.getResponseObject();
	settleWithResponse(response, admission);
	// Also when its sender has gone meanwhile: n8n goes on all the same, and the delivery does not come again to what it ended.
	if (onConfirmed)
		void endOfResponse(response, hostClock).then((isConfirmed) => isConfirmed && onConfirmed());
	return undefined;
}
