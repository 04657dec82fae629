/** The trigger with each *Grouping*, as it is dropped on the canvas, beside n8n's Webhook node. */
import { number } from '../host/harness/conversations.mts';
import { messageBody } from '../core/harness/deliveries.mts';
import type { Host } from '../host/harness/host.mts';
import {
	deliveryOf,
	publishTrigger,
	type Receiver,
	RECEIVERS,
} from '../host/harness/receivers.mts';
import type { LoadRequest } from './load.mts';

const CUSTOMERS = 200;
export const SIZE = 1000;

export const KINDS = {
	webhook: {
		what: "n8n's Webhook node, version 2",
		publish: async (host: Host) => await RECEIVERS.webhook.publish(host),
	},
	none: {
		what: 'This trigger, an execution for each event',
		publish: async (host: Host) => await publishTrigger(host),
	},
	arrival: {
		what: 'By arrival',
		publish: async (host: Host) => await publishTrigger(host, { grouping: 'arrival' }),
	},
	customer: {
		what: 'By customer',
		publish: async (host: Host) => await publishTrigger(host, { grouping: 'customer' }),
	},
};
export type Kind = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as Kind[];

/** A first delivery of a customer's message. */
export function requestOf(receiver: Receiver, customer: number, text: string): LoadRequest {
	const body = messageBody({ text });
	body.message.sender = { identifier: number(customer), name: 'Customer' };
	const delivery = deliveryOf(receiver, body);
	return {
		path: new URL(receiver.url).pathname,
		body: String(delivery.body),
		headers: delivery.headers as Record<string, string>,
	};
}

/** Messages of many customers in turn, of a kilobyte each. */
export function requestsOf(receiver: Receiver, events: number): LoadRequest[] {
	const text = 'x'.repeat(SIZE - JSON.stringify(messageBody({ text: '' })).length);
	return Array.from({ length: events }, (_, index) => requestOf(receiver, index % CUSTOMERS, text));
}
