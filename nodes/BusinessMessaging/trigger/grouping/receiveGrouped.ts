import type { IDataObject, IWebhookResponseData } from 'n8n-workflow';

import { joinChatInputs } from '../../delivery/event/chatInput';
import { authorOf, type PassedEvent } from '../../delivery/event/message';
import { askToRepeat, executionOf, itemsOf } from '../../delivery/respond';
import { steadyClock } from '../../shared/tools/clock';
import { Groups } from './groups';
import { countStart, TOO_MANY } from '../ignored';
import type { Proven } from '../prove';

/** One for all nodes of the process: its keys hold the node. */
const groups = new Groups<GroupedDelivery>(steadyClock);

/**
 * Starts the workflow for an admitted delivery, or lets it wait for others.
 * @param received with all of its events
 * @param judged those that no question took
 * @param since when it came, by `steadyClock`
 */
export async function receiveInGroup(
	at: Proven,
	received: Omit<GroupedDelivery, 'arrivedAt'>,
	judged: Promise<PassedEvent[] | 'later'>,
	since: number,
): Promise<IWebhookResponseData> {
	const { context, node } = at;
	const { grouping: settings, personLimit: limit } = at.settings;
	const arrivedAt = Date.now();
	const content = judged.then(
		(events) =>
			(Array.isArray(events) && events[0] && { ...received, events, arrivedAt }) || undefined,
		() => undefined,
	);
	const customer = settings?.by === 'customer' ? customerOf(received.events) : undefined;
	// A customer's message enters its group when it comes. By arrival, all would wait for one that a
	// question may take.
	const known = customer === undefined ? await content : undefined;
	const start = async (deliveries: GroupedDelivery[]): Promise<IWebhookResponseData> => {
		const left = limit ? await countStart(at, limit, deliveries) : deliveries;
		if (left.length === 0) return TOO_MANY;
		const isOne = settings && customer !== undefined;
		return executionOf(isOne ? [oneItem(left, settings.output)] : left.flatMap(itemsOf));
	};
	if (known && settings?.by !== 'arrival') return await start([known]);
	if (settings && (known || customer !== undefined)) {
		const key = JSON.stringify([...node, settings.by, settings.output, customer ?? '']);
		const response = context.getResponseObject();
		const delivery = { content, events: received.events.length, since, response };
		const turn = await groups.enter(key, delivery, settings);
		if (turn.role === 'leader') return await start(turn.contents);
		if (turn.role === 'follower' && turn.stored)
			return { webhookResponse: { message: 'Workflow was started' } };
	}
	const events = await judged;
	if (events === 'later') return askToRepeat(context, 'A question may take it');
	return events.length === 0
		? { webhookResponse: { message: 'Filtered out' } }
		: askToRepeat(context, 'Not stored');
}

/** What a delivery brings to its group. */
interface GroupedDelivery {
	/** At least one. */
	events: PassedEvent[];
	/** Added to its items. */
	headers?: IDataObject;
	/** Milliseconds by the date, because it is sorted among the times of messages. */
	arrivedAt: number;
}

type MessageEvent = Required<PassedEvent>;

const isMessage = (event: PassedEvent): event is MessageEvent => event.message !== undefined;

/** The customer who wrote all of a delivery. Undefined if it holds anything else. */
export function customerOf(events: readonly PassedEvent[]): string | undefined {
	const customers = new Set(events.map(authorOf));
	const [customer] = customers;
	return customers.size === 1 ? customer : undefined;
}

/**
 * One item for all messages of a customer: the item of the last one, with the texts and attachments
 * of all, the button tapped last, and each message in `messages`. In the order in which they were
 * written. A message without a time counts from its arrival.
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
	const lastTap = messages.filter(({ reply }) => reply !== undefined).at(-1);
	return {
		...item,
		text,
		attachments: messages.flatMap(({ attachments }) => attachments),
		messages,
		...(lastTap ? { reply: lastTap.reply } : {}),
		...('chatInput' in item
			? { chatInput: joinChatInputs(written.map((event) => String(event.item.chatInput))) }
			: {}),
		...withHeaders,
	};
}
