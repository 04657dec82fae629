import { Refusal } from '../core/errors.mts';
import type { Clock } from '../core/clock.mts';
import type { Database } from '../core/database.mts';
import { Ids } from '../core/ids.mts';
import { Table } from '../core/table.mts';
import type {
	CreateWebhookRequest,
	UpdateWebhookRequest,
	WebhookAuth,
	WebhookStatus,
} from '../contract.mts';

const MAX_WEBHOOKS = 200;
/** Deleted webhooks whose descriptions are remembered. */
const MAX_FORMER = 1000;

/**
 * `parallel`: started in order, several in flight. `kept`: one at a time, and a failed one blocks
 * the others. `shuffled`: any order.
 */
export const DELIVERY_ORDERS = ['parallel', 'kept', 'shuffled'] as const;
export type DeliveryOrder = (typeof DELIVERY_ORDERS)[number];

/**
 * Forms of the bodies of deliveries, by kind of webhook. Two have other names on a real service,
 * each that of a product. Source: published.
 */
export const PAYLOAD_FORMATS = {
	channel: ['DEFAULT', 'VENDOR_1', 'VENDOR_2'],
	template: ['DEFAULT'],
} as const;

/**
 * The routing of a webhook's events. A template webhook keeps its last one until its routing lag is
 * over.
 */
export interface Routing {
	url: string;
	events: string[];
	status: WebhookStatus;
}

export interface StoredWebhook extends Routing {
	number: number;
	id: string;
	tenantId: string;
	/** Null on a template webhook. */
	channelId: string | null;
	description: string | null;
	/** Signing secret, used as UTF-8 text. Null: deliveries are not signed. */
	secret: string | null;
	auth: WebhookAuth;
	/** Shown. Bodies are always those of DEFAULT, because the others are not published. */
	payloadFormat: string;
	customAttributes: Record<string, unknown>;
	createdAt: number;
	updatedAt: number;
	deliveryOrder: DeliveryOrder;
	routesFrom: number;
	/** The routing before the last change; null if there was none. */
	previous: Routing | null;
}

/** The owner of webhooks: a channel, or a tenant for template webhooks. */
export interface WebhookScope {
	tenantId: string;
	channelId: string | null;
}

export class Webhooks {
	readonly #clock: Clock;
	readonly #ids: Ids;
	/** Cached by id, because the delivery of every event needs them. */
	readonly #cache = new Map<string, StoredWebhook>();
	/** Descriptions of deleted webhooks. A test run of a workflow deletes its own at once. */
	readonly #former = new Map<string, string | null>();
	readonly #byScope = new Map<string, StoredWebhook[]>();
	readonly #table;
	readonly #select;
	readonly #inScope;
	readonly #all;

	constructor(db: Database, clock: Clock, ids: Ids) {
		this.#clock = clock;
		this.#ids = ids;
		this.#table = new Table<StoredWebhook>(db, 'webhooks', {
			json: ['events', 'auth', 'customAttributes', 'previous'],
		});
		this.#select = this.#table.select('WHERE id = ?');
		this.#inScope = this.#table.select('WHERE tenant_id = ? AND channel_id IS ? ORDER BY number');
		this.#all = this.#table.select('ORDER BY number');
	}

	get(id: string): StoredWebhook | undefined {
		const webhook = this.#cache.get(id) ?? this.#select.get(id);
		if (webhook) this.#cache.set(id, webhook);
		return webhook;
	}

	inScope(scope: WebhookScope): StoredWebhook[] {
		const key = `${scope.tenantId}:${scope.channelId ?? ''}`;
		const webhooks = this.#byScope.get(key) ?? this.#inScope.all(scope.tenantId, scope.channelId);
		this.#byScope.set(key, webhooks);
		return webhooks;
	}

	all(): StoredWebhook[] {
		return this.#all.all();
	}

	/**
	 * `routingLag`: seconds until events go to it. The result contains the secret, if there is one.
	 */
	create(scope: WebhookScope, request: CreateWebhookRequest, routingLag: number): StoredWebhook {
		if (this.inScope(scope).length >= MAX_WEBHOOKS)
			throw new Refusal(422, `The sandbox keeps at most ${MAX_WEBHOOKS} webhooks here`);
		const id = this.#ids.next();
		const now = this.#clock.now();
		const { url, description = null, events, signing, auth, customAttributes = {} } = request;
		this.#table.add({
			...{ id, ...scope, url, description, events, customAttributes, status: 'ENABLED' },
			...{ secret: signing ? Ids.secret() : null, auth: auth ?? { type: 'NONE' } },
			...{ createdAt: now, updatedAt: now, routesFrom: now + routingLag * 1000 },
			...{ deliveryOrder: 'parallel', payloadFormat: request.payloadFormat ?? 'DEFAULT' },
		});
		this.forget();
		return this.get(id)!;
	}

	/**
	 * Changes the given fields. `signing: true` makes a new secret, `signing: false` ends signing.
	 */
	update(webhook: StoredWebhook, request: UpdateWebhookRequest, routingLag: number): StoredWebhook {
		const now = this.#clock.now();
		const { signing, ...given } = request;
		const changed = Object.entries(given).filter(([, value]) => value !== undefined);
		this.#change(webhook.id, {
			...Object.fromEntries(changed),
			...(signing === undefined ? {} : { secret: signing ? Ids.secret() : null }),
			...{ updatedAt: now, routesFrom: now + routingLag * 1000 },
			previous: routingLag > 0 ? this.effectiveRouting(webhook) : null,
		});
		return this.get(webhook.id)!;
	}

	/** The description of a webhook, also after it was deleted. */
	descriptionOf(id: string): string | null {
		return this.get(id)?.description ?? this.#former.get(id) ?? null;
	}

	delete(id: string): void {
		this.#former.set(id, this.descriptionOf(id));
		const [oldest] = this.#former.keys();
		if (this.#former.size > MAX_FORMER && oldest !== undefined) this.#former.delete(oldest);
		this.#table.delete(id);
		this.forget();
	}

	setOrder(id: string, deliveryOrder: DeliveryOrder): void {
		this.#change(id, { deliveryOrder });
	}

	#change(id: string, fields: Partial<StoredWebhook>): void {
		this.#table.change(id, fields);
		this.forget();
	}

	/** The current target of events; null while the routing does not know a new template webhook. */
	effectiveRouting(webhook: StoredWebhook): Routing | null {
		if (this.#clock.now() < webhook.routesFrom) return webhook.previous;
		return { url: webhook.url, events: webhook.events, status: webhook.status };
	}

	forget(): void {
		this.#cache.clear();
		this.#byScope.clear();
	}
}
