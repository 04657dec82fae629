import { Conversations } from './events/conversations.mts';
import { Emitter } from './events/emitter.mts';
import { Reviews } from './events/reviews.mts';
import { DeliveryWorker } from './delivery/worker.mts';
import { DELIVERY_TIMEOUT } from './contract.mts';
import { openStores } from './stores.mts';

export interface ContextOptions {
	/** SQLite file, or `:memory:`. */
	dataFile: string;
	/** Further hosts that deliveries may go to. */
	allowDeliveryTo: readonly string[];
	/** The n8n that the page may post to. Default: none. */
	n8n?: URL | undefined;
	/** Milliseconds until a receiver's response counts as missing. Default: as documented. */
	deliveryTimeout?: number | undefined;
	/** Whether other machines can call the sandbox, which then asks for a token. Default: false. */
	isOpen?: boolean;
}

/** All parts of the sandbox, put together once. */
export function createContext({
	dataFile,
	allowDeliveryTo,
	n8n,
	deliveryTimeout = DELIVERY_TIMEOUT,
	isOpen = false,
}: ContextOptions) {
	const stores = openStores(dataFile, allowDeliveryTo);
	const worker = new DeliveryWorker({ ...stores, timeout: deliveryTimeout });
	const emitter = new Emitter({ ...stores, worker });
	const reviews = new Reviews({ ...stores, emitter });
	const conversations = new Conversations({ ...stores, emitter, worker });
	return { ...stores, worker, emitter, reviews, conversations, isOpen, n8n };
}

export type Context = ReturnType<typeof createContext>;

/** Reads everything again from the data file after it was emptied and filled. */
export function reloadContext(context: Context): void {
	context.settings.reload();
	context.tenants.reload();
	context.channels.forget();
	context.messages.reload();
	context.webhooks.forget();
	context.faults.reload();
	context.clock.reload();
	context.worker.reload();
	context.conversations.reload();
	context.reviews.reload();
	context.requests.clear();
}

export async function closeContext(context: Context): Promise<void> {
	context.conversations.close();
	context.reviews.close();
	await context.worker.close();
	context.db.close();
}
