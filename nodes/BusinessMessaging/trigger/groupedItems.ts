import type { IDataObject } from 'n8n-workflow';

import type { PassedEvent } from '../delivery/message';
import { normalizeIdentifier } from '../shared/phoneNumbers';

/** What a delivery brings into its group. */
export interface GroupedDelivery {
	/** At least one. */
	events: PassedEvent[];
	/** To be added to its items. */
	headers?: IDataObject;
	/** Milliseconds. */
	arrivedAt: number;
}

type MessageEvent = Required<PassedEvent>;

const isMessage = (event: PassedEvent): event is MessageEvent => event.message !== undefined;

/** Who wrote all that a delivery holds; undefined where something else than one customer's messages is in it. */
export function customerOf(events: readonly PassedEvent[]): string | undefined {
	const customers = new Set(
		events.map(({ message }) => {
			const sender = message?.event === 'MESSAGE_RECEIVED' ? message.sender.identifier : null;
			return typeof sender === 'string'
				? JSON.stringify([message?.channelId, normalizeIdentifier(sender)])
				: undefined;
		}),
	);
	const [customer] = customers;
	return customers.size === 1 ? customer : undefined;
}

/** One item for each event. */
export function separateItems(
	deliveries: ReadonlyArray<Omit<GroupedDelivery, 'arrivedAt'>>,
): IDataObject[] {
	return deliveries.flatMap(({ events, headers }) =>
		events.map(({ item }) => (headers ? { ...item, headers } : item)),
	);
}

/**
 * One item for all messages of a customer: the last one's, with the texts and attachments of all, and each message in `messages`: simplified, or as
 * it came where the output is raw. In the order in which they were written; of those that do not tell, in which they came.
 */
export function oneItem(
	deliveries: readonly GroupedDelivery[],
	output: 'simplified' | 'raw',
): IDataObject {
	const written = deliveries
		.flatMap(({ events, headers, arrivedAt }) =>
			events.filter(isMessage).map((event) => ({
				...event,
				headers,
				moment: Date.parse(event.message.timestamp ?? '') || arrivedAt,
			})),
		)
		.sort((left, right) => left.moment - right.moment);
	const { item = {}, headers } = written.at(-1) ?? {};
	const withHeaders = headers ? { headers } : {};
	if (output === 'raw')
		return { ...item, messages: written.map((event) => event.item), ...withHeaders };
	const messages = written.map(({ message }) => message);
	const texts = messages.map(({ text }) => text).filter((text) => text !== null);
	const text = texts.length > 0 ? texts.join('\n') : null;
	return {
		...item,
		text,
		attachments: messages.flatMap(({ attachments }) => attachments),
		messages,
		...('chatInput' in item ? { chatInput: text ?? '' } : {}),
		...withHeaders,
	};
}
