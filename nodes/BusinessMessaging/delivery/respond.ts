import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { steadyClock } from '../shared/tools/clock';
import { log } from '../service/log';
import type { Admission, DeliveryMemory } from './deduplicate';
import { endOfResponse } from './endOfResponse';

/** Responds to a request without starting an execution. */
export function respond(
	context: IWebhookFunctions,
	status: number,
	body: IDataObject,
): IWebhookResponseData {
	const response = context.getResponseObject();
	if (!response.headersSent) response.status(status).json(body);
	return { noWebhookResponse: true };
}

export const respondJson = (
	context: IWebhookFunctions,
	status: number,
	message: string,
): IWebhookResponseData => respond(context, status, { message });

/** Refuses a delivery. Only the log says why. */
export function refuse(
	context: IWebhookFunctions,
	status: number,
	message: string,
	reason: string,
): IWebhookResponseData {
	log(context, 'warn', `A delivery was refused with ${status}: ${reason}`);
	return respondJson(context, status, message);
}

/** Seconds after which the service should deliver again. */
const RETRY_AFTER = 5;

export function setRetryAfter(context: IWebhookFunctions): void {
	context.getResponseObject().setHeader('Retry-After', String(RETRY_AFTER));
}

/** Asks the service to deliver again. */
export function askToRepeat(context: IWebhookFunctions, message: string): IWebhookResponseData {
	setRetryAfter(context);
	return respondJson(context, 503, message);
}

/** Admits a delivery, or gives the response to one that is known. @param parts identify it */
export function admitOnce(
	context: IWebhookFunctions,
	memory: DeliveryMemory,
	parts: string[],
	onConfirmed?: () => void,
): IWebhookResponseData | undefined {
	const admission = memory.admit(...parts);
	if (admission.state === 'seen') return { webhookResponse: { message: 'Received before' } };
	if (admission.state === 'inFlight') return askToRepeat(context, 'Being processed');
	settle(context, admission, onConfirmed);
	return undefined;
}

/** Ends an admission with its response. @param onConfirmed after a 2xx: n8n 2 has stored it */
export function settle(
	context: IWebhookFunctions,
	admission: Extract<Admission, { state: 'new' }>,
	onConfirmed?: () => void,
): void {
	void endOfResponse(context.getResponseObject(), steadyClock).then((isConfirmed) => {
		admission.end(isConfirmed);
		if (isConfirmed) onConfirmed?.();
	});
}
