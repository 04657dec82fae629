import type { Context } from '../context.mts';

/**
 * Removes the owner of messages and webhooks: cancels their waiting deliveries and aborts those in
 * flight.
 */
export function removeWith(
	{ db, deliveries, messages, webhooks, worker }: Context,
	itsWebhooks: ReadonlyArray<{ id: string }>,
	remove: () => void,
): void {
	db.transaction(() => {
		for (const { id } of itsWebhooks) deliveries.cancelFor(id);
		remove();
	});
	webhooks.forget();
	messages.reload();
	for (const { id } of itsWebhooks) worker.drop(id);
}
