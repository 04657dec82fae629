import { hash } from 'node:crypto';

import { Refusal } from '../core/errors.mts';
import type { Database } from '../core/database.mts';
import type { Ids } from '../core/ids.mts';
import { Table } from '../core/table.mts';
import type { Businesses } from './businesses.mts';

/** Only keys of this form are accepted, so that nobody puts a real key into a sandbox. */
export const SECRET_KEY_PATTERN = /^sandbox_sk_[A-Za-z0-9_-]{1,64}$/;
export const PUBLIC_KEY_PATTERN = /^sandbox_pk_[A-Za-z0-9_-]{1,64}$/;
const MAX_TENANTS = 1000;

export interface Tenant {
	id: string;
	name: string;
	/** E-mail address of the account's owner, as message events show it. */
	owner: string;
	publicKey: string;
	/** Whether the account has the ENTERPRISE role. */
	enterprise: boolean;
}

export interface NewTenant {
	name: string;
	secretKey: string;
	publicKey: string;
	enterprise: boolean;
}

// Keys are compared by their hashes, so that the duration reveals nothing about a key.
const hashOf = (key: string) => hash('sha256', key);

function requireSecretKeyForm(secretKey: string): void {
	if (!SECRET_KEY_PATTERN.test(secretKey))
		throw new Refusal(
			400,
			'secretKey must start with sandbox_sk_: a live key does not belong here',
		);
}

export class Tenants {
	readonly #ids: Ids;
	readonly #businesses: Businesses;
	readonly #table;
	readonly #all;
	#bySecret = new Map<string, Tenant>();
	#byPublic = new Map<string, Tenant>();
	#byId = new Map<string, Tenant>();

	constructor(db: Database, ids: Ids, businesses: Businesses) {
		this.#ids = ids;
		this.#businesses = businesses;
		this.#table = new Table<Tenant & { secretKeyHash: string }>(db, 'tenants', {
			flags: ['enterprise'],
			hidden: ['number'],
		});
		this.#all = this.#table.select('ORDER BY number');
		this.reload();
	}

	/** Cached, because every request needs them and they are few. Read again after a change. */
	reload(): void {
		this.#bySecret = new Map();
		this.#byPublic = new Map();
		this.#byId = new Map();
		for (const { secretKeyHash, ...tenant } of this.#all.all()) {
			this.#bySecret.set(secretKeyHash, tenant);
			this.#byPublic.set(hashOf(tenant.publicKey), tenant);
			this.#byId.set(tenant.id, tenant);
		}
	}

	list(): Tenant[] {
		return [...this.#byId.values()];
	}

	get(id: string): Tenant | undefined {
		return this.#byId.get(id);
	}

	findBySecretKey(key: string): Tenant | undefined {
		return this.#bySecret.get(hashOf(key));
	}

	findByPublicKey(key: string): Tenant | undefined {
		return this.#byPublic.get(hashOf(key));
	}

	/** With one business account, named after it. */
	create({ name, secretKey, publicKey, enterprise }: NewTenant): Tenant {
		requireSecretKeyForm(secretKey);
		if (!PUBLIC_KEY_PATTERN.test(publicKey))
			throw new Refusal(
				400,
				'publicKey must start with sandbox_pk_: a live key does not belong here',
			);
		if (this.#byId.size >= MAX_TENANTS)
			throw new Refusal(422, `A sandbox has at most ${MAX_TENANTS} tenants`);
		if (this.findBySecretKey(secretKey) || this.findByPublicKey(publicKey))
			throw new Refusal(409, 'Another tenant has one of these keys');
		const id = this.#ids.next();
		const owner = `owner-${this.#byId.size + 1}@example.com`;
		this.#table.add({ id, name, owner, secretKeyHash: hashOf(secretKey), publicKey, enterprise });
		this.#businesses.named(id, name);
		this.reload();
		return this.get(id)!;
	}

	setEnterprise(id: string, enterprise: boolean): void {
		this.#table.change(id, { enterprise });
		this.reload();
	}

	/**
	 * Replaces the secret key, as its owner does in the security panel. The old key stops working.
	 */
	setSecretKey(id: string, secretKey: string): void {
		requireSecretKeyForm(secretKey);
		const holder = this.findBySecretKey(secretKey);
		if (holder && holder.id !== id) throw new Refusal(409, 'Another tenant has this key');
		this.#table.change(id, { secretKeyHash: hashOf(secretKey) });
		this.reload();
	}

	/** Also deletes its channels, templates and webhooks, with everything in them. */
	delete(id: string): void {
		this.#table.delete(id);
		this.reload();
	}
}
