import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { askToRepeat } from '../../delivery/respond';
import { steadyClock } from '../../shared/clock';
import { Groups } from './groups';
import { customerOf, type GroupedDelivery, oneItem, separateItems } from './items';
import type { GroupingSettings } from './settings';

/** One for all nodes of the process: its keys hold the node. */
const groups = new Groups<GroupedDelivery>(steadyClock);

/**
 * Lets a proven and admitted delivery wait for others, and returns the response to it.
 * @param since when its request came, by `steadyClock`
 */
export async function receiveInGroup(
	context: IWebhookFunctions,
	settings: GroupingSettings,
	received: Omit<GroupedDelivery, 'arrivedAt'>,
	since: number,
): Promise<IWebhookResponseData> {
	const delivery = { ...received, arrivedAt: Date.now() };
	const customer = settings.by === 'customer' ? customerOf(delivery.events) : '';
	if (customer === undefined) return executionOf(separateItems([delivery]));
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
				? separateItems(turn.contents)
				: [oneItem(turn.contents, settings.output)],
		);
	if (turn.role === 'follower' && turn.stored)
		return { webhookResponse: { message: 'Workflow was started' } };
	return askToRepeat(context, 'Not stored');
}

/** What n8n makes an execution of. */
export function executionOf(items: IDataObject[]): IWebhookResponseData {
	return { workflowData: [items.map((json) => ({ json }))] };
}
