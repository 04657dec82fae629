import { randomInt } from 'node:crypto';

import { RESET } from './core/schema.mts';
import { type Context, reloadContext } from './context.mts';
import { CHANNEL_TYPES } from './channelTypes.mts';
import { DEMO_SECRET_KEY, givenDemoKey, keepDemoKey, replacePublishedKey } from './demoKey.mts';
import { addTenants, type NewTenants } from './seedTenants.mts';
import { phonesOf } from './store/channels.mts';
import { simpleComponents } from './store/components.mts';
import type { NewTemplate } from './store/templates.mts';

export { DEMO_SECRET_KEY };

/** The contents of a new sandbox, so that everything can be tried at once. */
export const DEMO_PUBLIC_KEY = 'sandbox_pk_demo';
export const DEMO_TENANT_NAME = 'Demo Company';
export const DEMO_CHANNEL_ID = '5A4DB0C0DE5A4DB0C0DE5A4DB0C0DE01';
export const DEMO_CHANNEL_NAME = 'Demo Channel';
export const DEMO_BUSINESS_NUMBER = '5500000000001';

/** Templates of the demo tenant: four that can be sent, and one that waits for approval. */
export const DEMO_TEMPLATES: ReadonlyArray<
	Pick<NewTemplate, 'name' | 'category' | 'components' | 'status'>
> = [
	{
		name: 'order_update',
		category: 'UTILITY',
		components: [
			{
				type: 'BODY',
				text: 'Hello {{1}}, your order {{2}} is on its way.',
				example: { body_text: [['Ana', '1042']] },
			},
		],
		status: 'APPROVED',
	},
	{
		name: 'welcome',
		category: 'MARKETING',
		components: simpleComponents('Welcome to Demo Company! How can we help you?', [
			{ id: 'orders', title: 'My orders' },
			{ id: 'talk', title: 'Talk to us' },
		]),
		status: 'APPROVED',
	},
	{
		name: 'spring_sale',
		category: 'MARKETING',
		components: [
			{
				type: 'BODY',
				text: 'Hello {{1}}, our spring sale begins today.',
				example: { body_text: [['Ana']] },
			},
		],
		status: 'PENDING',
	},
	{
		name: 'appointment_reminder',
		category: 'UTILITY',
		components: [
			{
				type: 'BODY',
				text: 'Hello {{1}}, your appointment is on {{2}} at {{3}}.',
				example: { body_text: [['Ana', 'Monday, May 4', '10:00']] },
			},
		],
		status: 'APPROVED',
	},
	{
		name: 'hand_over',
		category: 'UTILITY',
		components: [
			{
				type: 'BODY',
				text: 'A customer needs you: {{1}}. It is about {{2}}.',
				example: { body_text: [['Ana', 'a refund']] },
			},
		],
		status: 'APPROVED',
	},
];

/** The contents after a reset. */
export interface SeedOptions {
	/**
	 * With a seed, every run makes the same ids and delivery offsets. Without one they never repeat.
	 */
	seed?: string | undefined;
	/** False: no demo tenant. */
	demo?: boolean | undefined;
	/** Further tenants. */
	tenants?: NewTenants | undefined;
}

/** Fills an empty data file. */
function fill(
	context: Context,
	{ seed, demo = true, tenants = [] }: SeedOptions,
	secretKey = DEMO_SECRET_KEY,
): void {
	const { ids, deliveries, businesses, channels, templates, meta } = context;
	ids.start(seed);
	// Receivers remember idempotency keys, so offsets must not repeat unless a seed asks for it.
	deliveries.startOffsetsAfter(seed === undefined ? Date.now() * 16 + randomInt(16) : 0);
	if (demo) {
		const keys = { secretKey, publicKey: DEMO_PUBLIC_KEY };
		const tenant = context.tenants.create({ name: DEMO_TENANT_NAME, ...keys, enterprise: true });
		const channel = channels.create(
			tenant.id,
			DEMO_CHANNEL_NAME,
			CHANNEL_TYPES[0],
			DEMO_CHANNEL_ID,
		);
		const { phoneId } = phonesOf(channel.id)[0]!;
		const { id: wabaId } = businesses.first(tenant.id);
		channels.setConnected(
			channel.id,
			{ wabaId, phoneId, coexistence: false },
			DEMO_BUSINESS_NUMBER,
		);
		for (const template of DEMO_TEMPLATES) {
			const made = { tenantId: tenant.id, businessId: wabaId, language: 'en_US', reason: null };
			templates.create({ ...template, ...made });
		}
	}
	addTenants(context, tenants);
	keepDemoKey(context, secretKey);
	meta.set('seeded', 'true');
}

/** Fills a new data file, and leaves any other unchanged. @returns whether it was new */
export function seedIfNew(context: Context, options: SeedOptions): boolean {
	if (context.meta.get('seeded') !== undefined) return false;
	context.db.transaction(() => fill(context, options));
	return true;
}

/**
 * Deletes everything and starts again. The demo tenant keeps its key, because credentials use it.
 */
export function reset(context: Context, options: SeedOptions): void {
	const secretKey = givenDemoKey(context);
	try {
		context.db.transaction(() => {
			context.db.run(RESET);
			// The stores read the current data while they are filled.
			context.tenants.reload();
			context.channels.forget();
			context.webhooks.forget();
			context.clock.reload();
			fill(context, options, secretKey);
			context.tenants.reload();
			replacePublishedKey(context);
		});
	} finally {
		context.ids.reload();
		reloadContext(context);
	}
	context.bus.emit('notice', 'reset', {});
}
