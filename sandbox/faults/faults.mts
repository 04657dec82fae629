import type { Bus } from '../core/bus.mts';
import type { Database, Row } from '../core/database.mts';
import { Refusal } from '../core/errors.mts';
import type { Ids } from '../core/ids.mts';
import type { Fault, MediaFault, Operation, RouteFault, WebhookFault } from './schema.mts';

const MAX_FAULTS = 100;

/** A fault that is switched on. `remaining`: how many times it still strikes; null: until it is removed. */
export interface ActiveFault {
	id: string;
	fault: Fault;
	remaining: number | null;
}

interface FaultRow extends Row {
	id: string;
	fault: string;
	remaining: number | null;
}

export class Faults {
	readonly #ids: Ids;
	readonly #bus: Bus;
	readonly #all;
	readonly #insert;
	readonly #delete;
	readonly #setRemaining;
	#active: ActiveFault[] = [];

	constructor(db: Database, ids: Ids, bus: Bus) {
		this.#ids = ids;
		this.#bus = bus;
		this.#all = db.statement<FaultRow>('SELECT id, fault, remaining FROM faults ORDER BY number');
		this.#insert = db.statement('INSERT INTO faults (id, fault, remaining) VALUES (?, ?, ?)');
		this.#delete = db.statement('DELETE FROM faults WHERE id = ?');
		this.#setRemaining = db.statement('UPDATE faults SET remaining = ? WHERE id = ?');
		this.reload();
	}

	reload(): void {
		this.#active = this.#all.all().map((row) => ({
			id: row.id,
			fault: JSON.parse(row.fault) as Fault,
			remaining: row.remaining,
		}));
	}

	list(): ActiveFault[] {
		return this.#active;
	}

	add(fault: Fault): ActiveFault {
		if (this.#active.length >= MAX_FAULTS)
			throw new Refusal(422, `At most ${MAX_FAULTS} faults can be switched on`);
		const active = { id: this.#ids.next(), fault, remaining: fault.times ?? null };
		this.#insert.run(active.id, JSON.stringify(fault), active.remaining);
		this.#active.push(active);
		this.#announce();
		return active;
	}

	/** Whether there was such a fault. */
	remove(id: string): boolean {
		const found = this.#active.some((active) => active.id === id);
		this.#delete.run(id);
		this.#active = this.#active.filter((active) => active.id !== id);
		if (found) this.#announce();
		return found;
	}

	clear(): void {
		for (const { id } of [...this.#active]) this.remove(id);
	}

	/** The faults that strike a request now: the first of each kind. Each counts as used. */
	takeForRoute(operation: Operation): Array<Exclude<RouteFault, MediaFault>> {
		if (this.#active.length === 0) return [];
		return this.#take((fault): fault is Exclude<RouteFault, MediaFault> => {
			if (fault.on !== 'route' || (fault.operation !== undefined && fault.operation !== operation))
				return false;
			// What a send holds is not known yet.
			if (fault.kind === 'media') return false;
			return fault.kind !== 'windowClosed' || operation === 'sendMessage';
		});
	}

	/** The fault that strikes a send of media now. Counts as used. */
	takeForMedia(): MediaFault | undefined {
		if (this.#active.length === 0) return undefined;
		return this.#take(
			(fault): fault is MediaFault =>
				fault.on === 'route' &&
				fault.kind === 'media' &&
				(fault.operation ?? 'sendMessage') === 'sendMessage',
		)[0];
	}

	/** The faults that strike a delivery attempt now: the first of each kind. Each counts as used. */
	takeForWebhook(webhookId: string): WebhookFault[] {
		if (this.#active.length === 0) return [];
		return this.#take(
			(fault): fault is WebhookFault =>
				fault.on === 'webhook' && (fault.webhookId ?? webhookId) === webhookId,
		);
	}

	/** Whether the queue of a webhook is to be taken in any order. */
	reorders(webhookId: string): boolean {
		return this.#active.some(
			({ fault }) =>
				fault.on === 'webhook' &&
				fault.kind === 'reorder' &&
				(fault.webhookId ?? webhookId) === webhookId,
		);
	}

	#take<T extends Fault>(strikes: (fault: Fault) => fault is T): T[] {
		const taken = new Map<string, T>();
		for (const active of [...this.#active]) {
			const { fault } = active;
			if (!strikes(fault) || taken.has(fault.kind)) continue;
			taken.set(fault.kind, fault);
			this.#use(active);
		}
		return [...taken.values()];
	}

	#use(active: ActiveFault): void {
		if (active.remaining === null) return;
		active.remaining -= 1;
		if (active.remaining === 0) this.remove(active.id);
		else {
			this.#setRemaining.run(active.remaining, active.id);
			this.#announce();
		}
	}

	#announce(): void {
		this.#bus.emit('notice', 'fault', this.#active);
	}
}
