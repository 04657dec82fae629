import type { Context } from '../../context.mts';
import { outcomeOf } from './deliveries.mts';

/** What the nodes answer if they leave a message alone. */
const LEFT = ['Filtered out', 'Not the awaited answer'];
/** What n8n answers at a question's address if nobody waits there any more. */
const GONE = [
	/"message":"The execution \\"\w+(?:\\")? (?:does not exist\.|has finished )/,
	/<title>No action required<\/title>/,
];

/** Whether the receiver said that nobody took the message, or that nobody waits for it. */
function saidBy(answer: string): 'left' | 'gone' | null {
	if (LEFT.some((message) => answer === JSON.stringify({ message }))) return 'left';
	return GONE.some((words) => words.test(answer)) ? 'gone' : null;
}

/**
 * What became of each delivery of a message so far, and of its webhook: the status is null once it
 * was deleted.
 */
export const receiptsOf = ({ deliveries, webhooks }: Context, messageId: string) =>
	deliveries.ofMessage(messageId).map((delivery) => ({
		...outcomeOf(delivery, deliveries),
		said: saidBy(deliveries.answerTo(delivery)),
		description: webhooks.descriptionOf(delivery.webhookId),
		webhookStatus: webhooks.get(delivery.webhookId)?.status ?? null,
	}));

export type Receipt = ReturnType<typeof receiptsOf>[number];
