import { isSameId, type Webhook } from '../../service/contract';
import { asError } from '../../service/errors';
import { deleteIfThere, isGone, type WebhookApi } from '../../service/webhooks';
import type { StoreWebhook } from './apply';
import { holdsId, isHidden, isOwn, movedAway, type RunMemory, type WantedWebhook } from './plan';

/** How to tell the node's own webhooks from others when it removes them. */
export interface OwnToRemove extends Pick<WantedWebhook, 'url' | 'node'> {
	/** Leave others with its URL alone: a person registered them, and removes them. */
	onlyStored?: boolean;
}

/** What the service shows of its webhooks. */
interface Seen {
	webhooks: readonly Webhook[];
	/** Whether the stored webhook may exist, unseen. */
	isStoredUnseen: boolean;
	failures: Error[];
}

/** Deletes the node's own webhooks, listed or stored. Tries all before it reports a failure. */
export async function removeOwn(
	api: WebhookApi,
	own: OwnToRemove,
	start: Pick<RunMemory, 'stored' | 'listShowsDisabled'>,
	store: StoreWebhook,
): Promise<void> {
	const { stored } = start;
	const { webhooks, isStoredUnseen, failures } = await look(api, own.url, start);
	const ids = new Set(
		webhooks
			.filter((webhook) => isOwn(webhook, own))
			.map(({ id }) => id)
			.filter((id) => !own.onlyStored || isSameId(id, stored?.id)),
	);
	for (const id of ids) {
		try {
			await deleteIfThere(api, id);
			ids.delete(id);
		} catch (error) {
			failures.push(asError(error));
		}
	}
	const isKept = stored && (isStoredUnseen || holdsId(ids, stored.id));
	store(isKept ? stored : 'nothing', movedAway(stored, webhooks, own));
	const [failure] = failures;
	if (failure) throw failure;
}

/** Lists. The stored webhook is read by its ID if the list failed or may hide it. */
async function look(
	api: WebhookApi,
	url: string,
	start: Pick<RunMemory, 'stored' | 'listShowsDisabled'>,
): Promise<Seen> {
	const { stored } = start;
	const failures: Error[] = [];
	const listed = await api.list().catch((error: unknown) => {
		// A deleted channel has no webhooks.
		if (isGone(error)) return [];
		failures.push(asError(error));
		return undefined;
	});
	const webhooks = listed ?? [];
	if (!stored || (listed && !isHidden(stored, listed, url, start)))
		return { webhooks, isStoredUnseen: false, failures };
	try {
		const alone = await api.get(stored.id);
		return { webhooks: [...webhooks, alone], isStoredUnseen: false, failures };
	} catch (error) {
		if (isGone(error)) return { webhooks, isStoredUnseen: false, failures };
		return { webhooks, isStoredUnseen: true, failures: [...failures, asError(error)] };
	}
}
