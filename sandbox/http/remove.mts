import type { Context } from '../context.mts';

/** Removes what messages and webhooks belong to: what waits for these webhooks is cancelled, what is under way broken off. */
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
