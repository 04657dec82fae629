import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { steadyClock, type Clock } from '../shared/tools/clock';
import { log } from '../service/log';
import { BoundedMap, shortKey } from '../shared/tools/boundedMap';

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

/** Refuses a delivery. Only the log says why. */
export function refuse(
	context: IWebhookFunctions,
	status: number,
	message: string,
	reason: string,
): IWebhookResponseData {
	log(context, 'warn', `A delivery was refused with ${status}: ${reason}`);
	return respond(context, status, { message });
}

/** What n8n makes an execution of. */
export const executionOf = (items: IDataObject[]): IWebhookResponseData => ({
	workflowData: [items.map((json) => ({ json }))],
});

/** The items of a delivery: one for each event. */
export const itemsOf = ({ events, headers }: Received): IDataObject[] =>
	events.map(({ item }) => (headers ? { ...item, headers } : item));

interface Received {
	events: ReadonlyArray<{ item: IDataObject }>;
	/** Added to its items. */
	headers?: IDataObject;
}

/** Seconds after which the service should deliver again. */
const RETRY_AFTER = 5;

export function setRetryAfter(context: IWebhookFunctions): void {
	context.getResponseObject().setHeader('Retry-After', String(RETRY_AFTER));
}

/** Asks the service to deliver again. */
export function askToRepeat(context: IWebhookFunctions, message: string): IWebhookResponseData {
	setRetryAfter(context);
	return respond(context, 503, { message });
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

/** The parts of an HTTP response that tell how it ended. */
export interface EndingResponse {
	statusCode: number;
	/** The response was handed over to the network. */
	writableFinished: boolean;
	/** The response was made, even if the sender had disconnected. */
	writableEnded: boolean;
	/** The connection ended. */
	destroyed: boolean;
	once(event: 'finish' | 'close', listener: () => void): unknown;
}

/** Milliseconds between two looks at a response without a sender: no event tells its end. */
const LOOK = 100;

/** Milliseconds to wait for such a response. A later one counts as lost. */
const ABANDONED_LIMIT = 60_000;

/**
 * Waits until n8n has made a response. n8n responds after `webhook()` has returned, and can still
 * respond 500. If the sender disconnected, n8n stores the execution all the same.
 * @returns whether the response was a 2xx
 */
export async function endOfResponse(response: EndingResponse, clock: Clock): Promise<boolean> {
	if (!response.writableFinished && !response.destroyed)
		await new Promise<void>((resolve) => {
			response.once('finish', resolve);
			response.once('close', resolve);
		});
	const until = clock.now() + ABANDONED_LIMIT;
	while (!response.writableEnded && clock.now() < until) await clock.sleep(LOOK);
	return response.writableEnded && response.statusCode >= 200 && response.statusCode <= 299;
}

/** Confirmed deliveries that a process remembers: ten minutes of 33 events a second, n8n's most. */
const CAPACITY = 20_000;

export type Admission =
	/** Process it, then call `end`. Only the first call counts. */
	| { state: 'new'; end: (isConfirmed: boolean) => void }
	/** Its first delivery is still being processed. */
	| { state: 'inFlight' }
	/** Its first delivery got a 2xx. */
	| { state: 'seen' };

/**
 * Remembers which deliveries got a 2xx. Only these count as seen: one that failed is processed when
 * it comes again. Bounded, and in memory: after a restart a redelivery is processed once more.
 */
export class DeliveryMemory {
	private readonly inFlight = new Set<string>();
	private readonly seen: BoundedMap<true>;
	constructor(capacity = CAPACITY) {
		this.seen = new BoundedMap(capacity);
	}

	/** @param parts identify the delivery: the receiving node and the idempotency key */
	admit(...parts: string[]): Admission {
		const key = shortKey(JSON.stringify(parts));
		if (this.inFlight.has(key)) return { state: 'inFlight' };
		if (this.seen.has(key)) {
			this.seen.set(key, true);
			return { state: 'seen' };
		}
		this.inFlight.add(key);
		let ended = false;
		const end = (isConfirmed: boolean) => {
			// A redelivery may have been admitted since the first call.
			if (ended) return;
			ended = true;
			this.inFlight.delete(key);
			if (isConfirmed) this.seen.set(key, true);
		};
		return { state: 'new', end };
	}

	get size(): { seen: number; inFlight: number } {
		return { seen: this.seen.size, inFlight: this.inFlight.size };
	}
}
