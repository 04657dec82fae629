import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { DeliveryHeaders } from '../delivery/open';
import { respond } from '../delivery/respond';
import { withoutReplies } from '../replies/ignoreReplies';
import { asError } from '../service/errors';
import { log } from '../service/log';
import { steadyClock } from '../shared/tools/clock';
import { receiveInGroup } from './grouping/receiveGrouped';
import { eventsIn } from './ignored';
import { prove } from './prove';
import { admit } from './repeated';

/** Proof, redelivery, events, replies, grouping. Never throws: n8n would store an execution. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await receiveOrThrow(context);
	} catch (error) {
		// Not the sender's fault, so the sender should try again.
		log(context, 'error', `A delivery could not be received: ${asError(error).message}`);
		return respond(context, 503, { message: 'Temporarily unavailable' });
	}
}

async function receiveOrThrow(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const since = steadyClock.now();
	const delivery = await prove(context);
	if ('refusal' in delivery) return delivery.refusal;
	const isRepeated = admit(delivery);
	if (isRepeated) return isRepeated;
	const events = eventsIn(delivery);
	if (!Array.isArray(events)) return events;
	const { repliesOn, includeHeaders } = delivery.settings;
	const judged =
		repliesOn === undefined
			? Promise.resolve(events)
			: withoutReplies(context, repliesOn, events, since);
	const headers = includeHeaders ? { headers: shownHeaders(delivery.headers) } : {};
	return await receiveInGroup(delivery, { events, ...headers }, judged, since);
}

/** The headers that executions may store. Any other can prove who sent the delivery. */
const HARMLESS_HEADERS = [
	...['accept', 'accept-encoding', 'connection', 'content-encoding', 'content-length'],
	...['content-type', 'date', 'host', 'user-agent', 'x-correlation-id', 'x-idempotency-key'],
	'x-request-id',
];

function shownHeaders(headers: DeliveryHeaders): IDataObject {
	const shown = Object.entries(headers).filter(([name]) => HARMLESS_HEADERS.includes(name));
	return Object.fromEntries(
		shown.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
	);
}
