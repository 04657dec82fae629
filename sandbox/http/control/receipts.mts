import type { Context } from '../../context.mts';
import { outcomeOf } from './deliveries.mts';

/**
 * What became of each delivery of a message so far, and of its webhook: the status is null once it
 * was deleted.
 */
export const receiptsOf = ({ deliveries, webhooks }: Context, messageId: string) =>
	deliveries.ofMessage(messageId).map((delivery) => ({
		...outcomeOf(delivery, deliveries),
		description: webhooks.descriptionOf(delivery.webhookId),
		webhookStatus: webhooks.get(delivery.webhookId)?.status ?? null,
	}));

export type Receipt = ReturnType<typeof receiptsOf>[number];
