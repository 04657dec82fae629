import { Conversations } from './events/conversations.mts';
import { Emitter } from './events/emitter.mts';
import { DeliveryWorker } from './delivery/worker.mts';
import { AS_DOCUMENTED, type Imitation } from './facts/imitate.mts';
import { Faults } from './faults/faults.mts';
import { Businesses } from './store/businesses.mts';
import { Channels } from './store/channels.mts';
import { Codes } from './store/codes.mts';
import { Deliveries } from './store/deliveries.mts';
import { MediaFiles } from './store/media.mts';
import { Messages } from './store/messages.mts';
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
	imitation = AS_DOCUMENTED,
	deliveryTimeout = imitation.deliveryTimeout,
	isOpen = false,
}: ContextOptions) {
	const db = new Database(dataFile);
	const meta = new Meta(db);
	const clock = new Clock(meta);
	const ids = new Ids(db, meta);
	const settings = new Settings(meta, imitation);
	const bus = createBus();
	const requests = new RequestLog();
	const businesses = new Businesses(db);
	const tenants = new Tenants(db, ids, businesses);
	const channels = new Channels(db, clock, ids);
	const codes = new Codes(db, clock);
	const messages = new Messages(db, clock, ids);
	const media = new MediaFiles(db, clock);
	const templates = new Templates(db, clock);
	const origin = new Origin();
	const webhooks = new Webhooks(db, clock, ids);
	const deliveries = new Deliveries(db, clock);
	const faults = new Faults(db, ids, bus);
	const worker = new DeliveryWorker({
		...{ db, clock, bus, deliveries, webhooks, faults, imitation },
		allowedHosts: allowDeliveryTo,
		timeout: deliveryTimeout,
	});
	const emitter = new Emitter({
		db,
		clock,
		ids,
		tenants,
		channels,
		messages,
		webhooks,
		deliveries,
		worker,
		origin,
		imitation,
	});
	const conversations = new Conversations({
		...{ db, clock, bus, settings, messages, media, templates, faults, emitter, worker },
		imitation,
	});
	const stores = {
		...{ tenants, businesses, channels, codes, messages, media, templates, webhooks, deliveries },
	};
	const parts = {
		db,
		meta,
		clock,
		ids,
		settings,
		bus,
		requests,
		origin,
		...stores,
		faults,
		worker,
		emitter,
		conversations,
	};
	return { ...parts, allowedHosts: allowDeliveryTo, isOpen, imitation };
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
	context.requests.clear();
}

export async function closeContext(context: Context): Promise<void> {
	context.conversations.close();
	await context.worker.close();
	context.db.close();
}
