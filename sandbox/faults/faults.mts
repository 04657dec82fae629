import type { Bus } from '../core/bus.mts';
import type { Database } from '../core/database.mts';
import { Refusal } from '../core/errors.mts';
import type { Ids } from '../core/ids.mts';
import { Table } from '../core/table.mts';
import type { Fault, MediaFault, Operation, RouteFault, WebhookFault } from './schema.mts';

const MAX_FAULTS = 100;

/** A fault that is switched on. */
export interface ActiveFault {
	id: string;
	fault: Fault;
	/** How many times it still strikes; null: until it is removed. */
	remaining: number | null;
	/** How often it could have struck, for faults with `every`. */
	seen: number;
}

/** Whether a fault applies to a tenant; undefined is an unknown tenant. */
const isFor = ({ tenant }: Fault, tenantId: string | undefined): boolean =>
	tenant === undefined || tenant === tenantId;

const isAt = (fault: Fault, webhook: WebhookOwner): fault is WebhookFault =>
	fault.on === 'webhook' &&
	(fault.webhookId ?? webhook.id) === webhook.id &&
	isFor(fault, webhook.tenantId);

type WebhookOwner = { id: string; tenantId: string };

export class Faults {
	readonly #ids: Ids;
	readonly #bus: Bus;
	readonly #table;
	#active: ActiveFault[] = [];

	constructor(db: Database, ids: Ids, bus: Bus) {
		this.#ids = ids;
		this.#bus = bus;
		this.#table = new Table<ActiveFault>(db, 'faults', { json: ['fault'], hidden: ['number'] });
		this.reload();
	}

	reload(): void {
		this.#active = this.#table.select('ORDER BY number').all();
	}

	list(): ActiveFault[] {
		return this.#active;
	}

	add(fault: Fault): ActiveFault {
		if (this.#active.length >= MAX_FAULTS)
			throw new Refusal(422, `At most ${MAX_FAULTS} faults can be switched on`);
		const active = { id: this.#ids.next(), fault, remaining: fault.times ?? null, seen: 0 };
		this.#table.add(active);
		this.#active.push(active);
		this.#announce();
		return active;
	}

	/** Returns whether the fault existed. */
	remove(id: string): boolean {
		const found = this.#active.some((active) => active.id === id);
		this.#table.delete(id);
		this.#active = this.#active.filter((active) => active.id !== id);
		if (found) this.#announce();
		return found;
	}

	/** Removes all faults, or only those of a tenant. */
	clear(tenantId?: string): void {
		for (const { id, fault } of [...this.#active])
			if (tenantId === undefined || fault.tenant === tenantId) this.remove(id);
	}

	/** The faults for a tenant's request now: the first of each kind. Counts each as used. */
	takeForRoute(
		operation: Operation,
		tenantId: string | undefined,
	): Array<Exclude<RouteFault, MediaFault>> {
		if (this.#active.length === 0) return [];
		return this.#take((fault): fault is Exclude<RouteFault, MediaFault> => {
			if (fault.on !== 'route' || !isFor(fault, tenantId)) return false;
			if (fault.operation !== undefined && fault.operation !== operation) return false;
			// The content of a send is not known yet.
			if (fault.kind === 'media') return false;
			return fault.kind !== 'windowClosed' || operation === 'sendMessage';
		});
	}

	/** The fault for a tenant's send of media now. Counts it as used. */
	takeForMedia(tenantId: string): MediaFault | undefined {
		if (this.#active.length === 0) return undefined;
		return this.#take(
			(fault): fault is MediaFault =>
				fault.on === 'route' &&
				fault.kind === 'media' &&
				isFor(fault, tenantId) &&
				(fault.operation ?? 'sendMessage') === 'sendMessage',
		)[0];
	}

	/** The faults for a delivery attempt now: the first of each kind. Counts each as used. */
	takeForWebhook(webhook: WebhookOwner): WebhookFault[] {
		if (this.#active.length === 0) return [];
		return this.#take((fault): fault is WebhookFault => isAt(fault, webhook));
	}

	/** Whether a webhook's queue is taken in any order. */
	reorders(webhook: WebhookOwner): boolean {
		return this.#active.some(({ fault }) => fault.kind === 'reorder' && isAt(fault, webhook));
	}

	#take<T extends Fault>(strikes: (fault: Fault) => fault is T): T[] {
		const taken = new Map<string, T>();
		for (const active of [...this.#active]) {
			const { fault } = active;
			if (!strikes(fault) || taken.has(fault.kind) || !this.#isDue(active)) continue;
			taken.set(fault.kind, fault);
			this.#use(active);
		}
		return [...taken.values()];
	}

	/** Counts an occasion for a fault with `every`. */
	#isDue(active: ActiveFault): boolean {
		const { every } = active.fault;
		if (every === undefined) return true;
		active.seen += 1;
		this.#table.change(active.id, { seen: active.seen });
		return active.seen % every === 0;
	}

	#use(active: ActiveFault): void {
		if (active.remaining === null) return;
		active.remaining -= 1;
		if (active.remaining === 0) this.remove(active.id);
		else {
			this.#table.change(active.id, { remaining: active.remaining });
			this.#announce();
		}
	}

	#announce(): void {
		this.#bus.emit('notice', 'fault', this.#active);
	}
}
