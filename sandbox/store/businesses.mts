import { hash } from 'node:crypto';

import { Refusal } from '../core/errors.mts';
import type { Database } from '../core/database.mts';
import { Table } from '../core/table.mts';

const MAX_BUSINESSES = 100;

/** A business account. Channels and templates belong to one. */
export interface Business {
	/** Digits: what connecting and template events call `wabaId`. */
	id: string;
	tenantId: string;
	name: string;
}

/** Derived, so that seeded runs give the same ids without changing others. */
const idOf = (tenantId: string, name: string): string =>
	`8${(BigInt(`0x${hash('sha256', `${tenantId}:${name}`)}`) % 10n ** 14n).toString().padStart(14, '0')}`;

export class Businesses {
	readonly #table;
	readonly #ofTenant;
	readonly #named;

	constructor(db: Database) {
		this.#table = new Table<Business>(db, 'businesses', { hidden: ['number'] });
		this.#ofTenant = this.#table.select('WHERE tenant_id = ? ORDER BY number');
		this.#named = this.#table.select('WHERE tenant_id = ? AND name = ?');
	}

	ofTenant(tenantId: string): Business[] {
		return this.#ofTenant.all(tenantId);
	}

	/** The business of whatever names none. Every tenant has it. */
	first(tenantId: string): Business {
		const business = this.#ofTenant.get(tenantId);
		if (!business) throw new Error(`The tenant ${tenantId} has no business account`);
		return business;
	}

	/** The tenant's business of this name, made if there is none. Left out: the first one. */
	named(tenantId: string, name: string | undefined): Business {
		if (name === undefined) return this.first(tenantId);
		const known = this.#named.get(tenantId, name);
		if (known) return known;
		if (this.#ofTenant.all(tenantId).length >= MAX_BUSINESSES)
			throw new Refusal(
				422,
				`A tenant of the sandbox has at most ${MAX_BUSINESSES} business accounts`,
			);
		const business = { id: idOf(tenantId, name), tenantId, name };
		this.#table.add(business);
		return business;
	}
}
