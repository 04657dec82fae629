import { createBus } from './core/bus.mts';
import { Clock } from './core/clock.mts';
import { Database } from './core/database.mts';
import { Ids } from './core/ids.mts';
import { Meta } from './core/meta.mts';
import { Origin } from './core/origin.mts';
import { RequestLog } from './core/request-log.mts';
import { Settings } from './core/settings.mts';
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

/**
 * What the sandbox keeps and knows, without anything that acts by itself.
 *
 * @param allowedHosts further hosts that deliveries may go to
 */
export function openStores(dataFile: string, allowedHosts: readonly string[]) {
	const db = new Database(dataFile);
	const meta = new Meta(db);
	const clock = new Clock(meta);
	const ids = new Ids(db, meta);
	const bus = createBus();
	const businesses = new Businesses(db);
	return {
		...{ db, meta, clock, ids, bus, businesses, allowedHosts },
		settings: new Settings(meta),
		requests: new RequestLog(),
		origin: new Origin(),
		faults: new Faults(db, ids, bus),
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
}

export type Stores = ReturnType<typeof openStores>;
