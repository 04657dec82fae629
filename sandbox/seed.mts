import { randomInt } from 'node:crypto';

import { RESET } from './core/schema.mts';
import { type Context, reloadContext } from './context.mts';
import { CHANNEL_TYPE } from './contract.mts';
import { addTenants, type NewTenants } from './seedTenants.mts';
import { phonesOf } from './store/channels.mts';

/** What a new sandbox holds, so that everything can be tried at once. */
export const DEMO_SECRET_KEY = 'sandbox_sk_demo';
export const DEMO_PUBLIC_KEY = 'sandbox_pk_demo';
export const DEMO_TENANT_NAME = 'Demo Company';
export const DEMO_CHANNEL_ID = '5A4DB0C0DE5A4DB0C0DE5A4DB0C0DE01';
export const DEMO_CHANNEL_NAME = 'Demo Channel';
export const DEMO_BUSINESS_NUMBER = '5500000000001';

/** Templates of the demo tenant: two that can be sent, one that waits for its approval. */
export const DEMO_TEMPLATES = [
	{
		name: 'order_update',
		category: 'UTILITY',
		body: 'Hello {{1}}, your order {{2}} is on its way.',
		buttons: [],
		status: 'APPROVED',
	},
	{
		name: 'welcome',
		category: 'MARKETING',
		body: 'Welcome to Demo Company! How can we help you?',
		buttons: [
			{ id: 'orders', title: 'My orders' },
			{ id: 'talk', title: 'Talk to us' },
		],
		status: 'APPROVED',
	},
	{
		name: 'spring_sale',
		category: 'MARKETING',
		body: 'Hello {{1}}, our spring sale begins today.',
		buttons: [],
		status: 'PENDING',
	},
] as const;

/** What a reset leaves behind. */
export interface SeedOptions {
	/** With a seed, ids and delivery offsets are the same in every run; without one they never come again. */
	seed?: string | undefined;
	/** False: no tenant at all. */
	demo?: boolean | undefined;
	/** Further tenants. */
	tenants?: NewTenants | undefined;
}

/** Fills an empty data file. */
function fill(context: Context, { seed, demo = true, tenants = [] }: SeedOptions): void {
	const { ids, deliveries, channels, templates, meta } = context;
	ids.start(seed);
	// A receiver remembers idempotency keys: unless asked for the same run again, offsets must not come twice.
	deliveries.startOffsetsAfter(seed === undefined ? Date.now() * 16 + randomInt(16) : 0);
	if (demo) {
		const keys = { secretKey: DEMO_SECRET_KEY, publicKey: DEMO_PUBLIC_KEY };
		const tenant = context.tenants.create({ name: DEMO_TENANT_NAME, ...keys, enterprise: true });
		const channel = channels.create(tenant.id, DEMO_CHANNEL_NAME, CHANNEL_TYPE, DEMO_CHANNEL_ID);
		const { wabaId, phoneId } = phonesOf(channel.id)[0]!;
		channels.setConnected(
			channel.id,
			{ wabaId, phoneId, coexistence: false },
			DEMO_BUSINESS_NUMBER,
		);
		for (const { buttons, ...template } of DEMO_TEMPLATES) {
			const made = { tenantId: tenant.id, language: 'en_US', reason: null };
			templates.create({ ...template, ...made, buttons: [...buttons] });
		}
	}
	addTenants(context, tenants);
	meta.set('seeded', 'true');
}

/** Seeds a data file that is new, and leaves any other as it is. @returns whether it was new */
export function seedIfNew(context: Context, options: SeedOptions): boolean {
	if (context.meta.get('seeded') !== undefined) return false;
	context.db.transaction(() => fill(context, options));
	return true;
}

/** Forgets everything and starts again. */
export function reset(context: Context, options: SeedOptions): void {
	startAnew(context, () => fill(context, options));
}

/** Puts what `refill` writes in the place of all that there is, or changes nothing. */
export function startAnew(context: Context, refill: () => void): void {
	try {
		context.db.transaction(() => {
			context.db.run(RESET);
			// The stores look at what is there now while they are filled.
			context.tenants.reload();
			context.channels.forget();
			context.webhooks.forget();
			context.clock.reload();
			refill();
		});
	} finally {
		context.ids.reload();
		reloadContext(context);
	}
	context.bus.emit('notice', 'reset', {});
}
