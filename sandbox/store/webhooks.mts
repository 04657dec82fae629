import { Refusal } from '../core/errors.mts';
import type { Clock } from '../core/clock.mts';
import { type Database, rowReader } from '../core/database.mts';
import { Ids } from '../core/ids.mts';
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
	order: DeliveryOrder;
	routesFrom: number;
	/** The routing before the last change; null if there was none. */
	previous: Routing | null;
}

/** Selects webhooks. */
const SELECT = 'SELECT *, delivery_order AS "order" FROM webhooks';
const fromRow = rowReader<StoredWebhook>({
	json: ['events', 'auth', 'customAttributes', 'previous'],
	hidden: ['deliveryOrder'],
});

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
	readonly #select;
	readonly #inScope;
	readonly #all;
	readonly #insert;
	readonly #update;
	readonly #delete;
	readonly #setOrder;

	constructor(db: Database, clock: Clock, ids: Ids) {
		this.#clock = clock;
		this.#ids = ids;
		this.#select = db.statement(`${SELECT} WHERE id = ?`);
		this.#inScope = db.statement(
			`${SELECT} WHERE tenant_id = ? AND channel_id IS ? ORDER BY number`,
		);
		this.#all = db.statement(`${SELECT} ORDER BY number`);
		this.#insert = db.statement(
			`INSERT INTO webhooks (id, tenant_id, channel_id, url, description, events, status, secret, auth, custom_attributes, created_at, updated_at,
			delivery_order, routes_from, payload_format) VALUES (?, ?, ?, ?, ?, ?, 'ENABLED', ?, ?, ?, ?, ?, 'parallel', ?, ?)`,
		);
		this.#update = db.statement(
			`UPDATE webhooks SET url = ?, description = ?, events = ?, status = ?, secret = ?, auth = ?, custom_attributes = ?, updated_at = ?,
			routes_from = ?, previous = ?, payload_format = ? WHERE id = ?`,
		);
		this.#delete = db.statement('DELETE FROM webhooks WHERE id = ?');
		this.#setOrder = db.statement('UPDATE webhooks SET delivery_order = ? WHERE id = ?');
	}

	get(id: string): StoredWebhook | undefined {
		const known = this.#cache.get(id);
		if (known) return known;
		const row = this.#select.get(id);
		if (!row) return undefined;
		const webhook = fromRow(row);
		this.#cache.set(id, webhook);
		return webhook;
	}

	inScope(scope: WebhookScope): StoredWebhook[] {
		const key = `${scope.tenantId}:${scope.channelId ?? ''}`;
		const known = this.#byScope.get(key);
		if (known) return known;
		const webhooks = this.#inScope.all(scope.tenantId, scope.channelId).map(fromRow);
		this.#byScope.set(key, webhooks);
		return webhooks;
	}

	all(): StoredWebhook[] {
		return this.#all.all().map(fromRow);
	}

	/**
	 * `routingLag`: seconds until events go to it. The result contains the secret, if there is one.
	 */
	create(scope: WebhookScope, request: CreateWebhookRequest, routingLag: number): StoredWebhook {
		if (this.inScope(scope).length >= MAX_WEBHOOKS)
			throw new Refusal(422, `The sandbox keeps at most ${MAX_WEBHOOKS} webhooks here`);
		const id = this.#ids.next();
		const now = this.#clock.now();
		const { url, description, events, signing, auth, customAttributes } = request;
		const { payloadFormat = 'DEFAULT' } = request;
		this.#insert.run(
			...[
				id,
				scope.tenantId,
				scope.channelId,
				url,
				description ?? null,
				JSON.stringify(events),
				signing ? Ids.secret() : null,
			],
			...[
				JSON.stringify(auth ?? { type: 'NONE' }),
				JSON.stringify(customAttributes ?? {}),
				now,
				now,
				now + routingLag * 1000,
				payloadFormat,
			],
		);
		this.forget();
		return this.get(id)!;
	}

	/**
	 * Changes the given fields. `signing: true` makes a new secret, `signing: false` ends signing.
	 */
	update(webhook: StoredWebhook, request: UpdateWebhookRequest, routingLag: number): StoredWebhook {
		const now = this.#clock.now();
		const next = {
			url: request.url ?? webhook.url,
			events: request.events ?? webhook.events,
			status: request.status ?? webhook.status,
			description: request.description === undefined ? webhook.description : request.description,
			secret:
				request.signing === undefined ? webhook.secret : request.signing ? Ids.secret() : null,
			auth: request.auth ?? webhook.auth,
			customAttributes: request.customAttributes ?? webhook.customAttributes,
		};
		const previous = routingLag > 0 ? this.effectiveRouting(webhook) : null;
		this.#update.run(
			...[
				next.url,
				next.description,
				JSON.stringify(next.events),
				next.status,
				next.secret,
				JSON.stringify(next.auth),
			],
			...[
				JSON.stringify(next.customAttributes),
				now,
				now + routingLag * 1000,
				previous && JSON.stringify(previous),
				request.payloadFormat ?? webhook.payloadFormat,
				webhook.id,
			],
		);
		this.forget();
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
		this.#delete.run(id);
		this.forget();
	}

	setOrder(id: string, order: DeliveryOrder): void {
		this.#setOrder.run(order, id);
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
