import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { askToRepeat, log } from '../delivery/respond';
import { hostClock } from '../shared/clock';
import type { GroupedDelivery } from './groupedItems';
import { customerOf, oneItem, separateItems } from './groupedItems';
import { Grouping } from './grouping';
import type { GroupingSettings } from './groupingSettings';
import type { Habit } from './senderHabits';
import { SenderHabits } from './senderHabits';

/** One for all nodes of the process: its keys hold the node. */
const grouping = new Grouping<GroupedDelivery>(hostClock);
const habits = new SenderHabits();

const ADVICE: Record<Habit, string> = {
	oneAtATime:
		'The service delivers to this webhook one event after the other: grouping by customer joins nothing then, and only delays. Have the service deliver several at once, or set "Grouping" to "None"',
	givesUp:
		'The service goes away before deliveries that wait for their group are answered, and delivers them again. Lower the options "Quiet Time" and "Longest Wait"',
};

/** Lets a verified and admitted delivery wait for others, and gives the response to it. */
export async function receiveInGroup(
	context: IWebhookFunctions,
	settings: GroupingSettings,
	received: Omit<GroupedDelivery, 'arrivedAt'>,
): Promise<IWebhookResponseData> {
	const delivery = { ...received, arrivedAt: Date.now() };
	const customer = settings.by === 'customer' ? customerOf(delivery.events) : '';
	if (customer === undefined) return executionOf(separateItems([delivery]));
	const node = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
	const key = JSON.stringify([node, settings.by, settings.output, customer]);
	const waits = { content: delivery, events: delivery.events.length };
	const enter = async () =>
		await grouping.enter(key, { ...waits, response: context.getResponseObject() }, settings);
	const turn =
		settings.by === 'arrival' ? await enter() : await watched(context, node, delivery, enter);
	if (turn.role === 'carrier')
		return executionOf(
			settings.by === 'arrival'
				? separateItems(turn.contents)
				: [oneItem(turn.contents, settings.output)],
		);
	if (turn.role === 'passenger' && turn.stored)
		return { webhookResponse: { message: 'Workflow was started' } };
	return askToRepeat(context, 'Not stored');
}

/** What n8n makes an execution of. */
export function executionOf(items: IDataObject[]): IWebhookResponseData {
	return { workflowData: [items.map((json) => ({ json }))] };
}

/** Tells the log when waiting is useless. */
async function watched<Turn extends { role: string }>(
	context: IWebhookFunctions,
	node: string,
	{ events, arrivedAt }: GroupedDelivery,
	enter: () => Promise<Turn>,
): Promise<Turn> {
	const advise = (habit?: Habit) => habit && log(context, 'warn', ADVICE[habit]);
	const written = Date.parse(events.at(-1)?.message?.timestamp ?? '');
	advise(habits.arrive(node, written));
	const turn = await enter();
	advise(habits.leave(node, written, Date.now() - arrivedAt, turn.role === 'gone'));
	return turn;
}
