import { Conversations } from './events/conversations.mts';
import { Emitter } from './events/emitter.mts';
import { Reviews } from './events/reviews.mts';
import { DeliveryWorker } from './delivery/worker.mts';
import { AS_DOCUMENTED, type Imitation } from './facts/imitate.mts';
import { Faults } from './faults/faults.mts';
import { Businesses } from './store/businesses.mts';
import { Channels } from './store/channels.mts';
import { Codes } from './store/codes.mts';
import { Deliveries } from './store/deliveries.mts';
import { MediaFiles } from './store/media.mts';
import { Messages } from './store/messages.mts';
import { Submissions } from './store/submissions.mts';
import { Templates } from './store/templates.mts';
import { Tenants } from './store/tenants.mts';
import { Webhooks } from './store/webhooks.mts';
import { createBus } from './core/bus.mts';
import { Clock } from './core/clock.mts';
import { Database } from './core/database.mts';
import { Ids } from './core/ids.mts';
import { Meta } from './core/meta.mts';
import { Origin } from './core/origin.mts';
import { RequestLog } from './core/request-log.mts';
import { Settings } from './core/settings.mts';

export interface ContextOptions {
	/** SQLite file, or `:memory:`. */
	dataFile: string;
	/** Further hosts that deliveries may go to. */
	allowDeliveryTo: readonly string[];
	/** The n8n that the page may post to. Default: none. */
	n8n?: URL | undefined;
	/** Milliseconds until a receiver's response counts as missing. Default: as documented. */
	deliveryTimeout?: number | undefined;
	/** Where it differs from the contract. Default: nowhere. */
	imitation?: Imitation | undefined;
	/** Whether other machines can call the sandbox, which then asks for a token. Default: false. */
	isOpen?: boolean;
}

/** All parts of the sandbox, put together once. */
export function createContext({
	dataFile,
	allowDeliveryTo,
	n8n,
	imitation = AS_DOCUMENTED,
	deliveryTimeout = imitation.deliveryTimeout,
	isOpen = false,
}: ContextOptions) {
	const db = new Database(dataFile);
	const meta = new Meta(db);
	const clock = new Clock(meta);
	const ids = new Ids(db, meta);
	const bus = createBus();
	const businesses = new Businesses(db);
	const core = {
		...{ db, meta, clock, ids, bus, imitation },
		settings: new Settings(meta),
		requests: new RequestLog(),
		origin: new Origin(),
		faults: new Faults(db, ids, bus),
		allowedHosts: allowDeliveryTo,
	};
	const stores = {
		businesses,
		tenants: new Tenants(db, ids, businesses),
		channels: new Channels(db, clock, ids),
		codes: new Codes(db, clock),
		messages: new Messages(db, clock, ids),
		media: new MediaFiles(db, clock),
		templates: new Templates(db, clock),
		submissions: new Submissions(db, clock),
		webhooks: new Webhooks(db, clock, ids),
		deliveries: new Deliveries(db, clock),
	};
	const worker = new DeliveryWorker({ ...core, ...stores, timeout: deliveryTimeout });
	const emitter = new Emitter({ ...core, ...stores, worker });
	const reviews = new Reviews({ ...core, ...stores, emitter });
	const conversations = new Conversations({ ...core, ...stores, emitter, worker });
	return { ...core, ...stores, worker, emitter, reviews, conversations, isOpen, n8n };
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
