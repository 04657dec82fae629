import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { joinChatInputs } from '../../delivery/event/chatInput';
import type { PassedEvent } from '../../delivery/event/message';
import { askToRepeat, executionOf, itemsOf } from '../../delivery/respond';
import { steadyClock } from '../../shared/tools/clock';
import { Groups } from './groups';
import type { GroupingSettings } from './groupingSettings';

/** One for all nodes of the process: its keys hold the node. */
const groups = new Groups<GroupedDelivery>(steadyClock);

/** Lets an admitted delivery wait for others. @param since when it came, by `steadyClock` */
export async function receiveInGroup(
	context: IWebhookFunctions,
	settings: GroupingSettings,
	received: Omit<GroupedDelivery, 'arrivedAt'>,
	since: number,
): Promise<IWebhookResponseData> {
	const delivery = { ...received, arrivedAt: Date.now() };
	const customer = settings.by === 'customer' ? customerOf(delivery.events) : '';
	if (customer === undefined) return executionOf(itemsOf(delivery));
	const node = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
	const key = JSON.stringify([node, settings.by, settings.output, customer]);
	const response = context.getResponseObject();
	const turn = await groups.enter(
		key,
		{ content: delivery, events: delivery.events.length, since, response },
		settings,
	);
	if (turn.role === 'leader')
		return executionOf(
			settings.by === 'arrival'
				? turn.contents.flatMap(itemsOf)
				: [oneItem(turn.contents, settings.output)],
		);
	if (turn.role === 'follower' && turn.stored)
		return { webhookResponse: { message: 'Workflow was started' } };
	return askToRepeat(context, 'Not stored');
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
	const customers = new Set(
		events.map(({ message }) => {
			const sender = message?.event === 'MESSAGE_RECEIVED' ? message.sender.key : null;
			return typeof sender === 'string' ? JSON.stringify([message?.channelId, sender]) : undefined;
		}),
	);
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
