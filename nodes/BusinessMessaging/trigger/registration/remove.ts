import { isSameId, type Webhook } from '../../service/contract';
import { asError } from '../../service/errors';
import { isGone, type WebhookApi } from '../../service/webhooks';
import type { StoreWebhook } from './apply';
import { holdsId, isHidden, isOwn, movedAway, type RunMemory, type WantedWebhook } from './plan';

/** How to tell the node's own webhooks from others when it removes them. */
export interface OwnToRemove extends Pick<WantedWebhook, 'url' | 'node'> {
	/** Leave others with its URL alone: a person registered them, and removes them. */
	onlyStored?: boolean;
}

/** Deletes the node's own webhooks, listed or stored. Tries all before it reports a failure. */
export async function removeOwn(
	api: WebhookApi,
	own: OwnToRemove,
	start: Pick<RunMemory, 'stored' | 'listShowsDisabled'>,
	store: StoreWebhook,
): Promise<void> {
	const { stored } = start;
	const failures: Error[] = [];
	/** Undefined if it failed. @param gone what it gives for a webhook or channel that is gone */
	const tried = async <Found>(request: Promise<Found>, gone: Found): Promise<Found | undefined> =>
		await request.catch((error: unknown) => {
			if (isGone(error)) return gone;
			failures.push(asError(error));
			return undefined;
		});
	const listed = await tried<readonly Webhook[]>(api.list(), []);
	// The stored one is read by its ID if the list failed or may hide it.
	const isUnseen = stored && (!listed || isHidden(stored, listed, own.url, start));
	const alone = isUnseen
		? await tried(
				api.get(stored.id).then((webhook) => [webhook]),
				[],
			)
		: [];
	const webhooks = [...(listed ?? []), ...(alone ?? [])];
	const ids = new Set(
		webhooks
			.filter((webhook) => isOwn(webhook, own))
			.map(({ id }) => id)
			.filter((id) => !own.onlyStored || isSameId(id, stored?.id)),
	);
	for (const id of ids) {
		const deleted = api.delete(id).then(() => true);
		if (await tried(deleted, true)) ids.delete(id);
	}
	const isKept = stored && (!alone || holdsId(ids, stored.id));
	store(isKept ? stored : 'nothing', movedAway(stored, webhooks, own));
	const [failure] = failures;
	if (failure) throw failure;
}
