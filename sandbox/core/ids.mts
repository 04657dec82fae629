import { hash, randomBytes } from 'node:crypto';

import type { Database } from './database.mts';
import type { Meta } from './meta.mts';

const hex32 = (text: string) => hash('sha256', text).slice(0, 32).toUpperCase();

/** An id as the stores use it: upper case, without hyphens. */
export const storedId = (id: string) => id.replaceAll('-', '').toUpperCase();

/** A second id derived from the first, always the same. */
export const derivedId = (id: string, part: string) => hex32(`${id}:${part}`);

/**
 * Ids of 32 upper-case hexadecimal characters: a hash of a seed and a counter, both kept in the
 * data file. With a given seed, every run makes the same ids. Without one the seed is random, so
 * ids do not repeat after a reset.
 */
export class Ids {
	readonly #db: Database;
	readonly #meta: Meta;
	readonly #save: () => void;
	#seed = '';
	#counter = 0;

	constructor(db: Database, meta: Meta) {
		this.#db = db;
		this.#meta = meta;
		this.#save = () => meta.set('id_counter', String(this.#counter));
		this.reload();
	}

	reload(): void {
		this.#seed = this.#meta.get('id_seed') ?? '';
		this.#counter = Number(this.#meta.get('id_counter') ?? 0);
	}

	start(seed: string | undefined): void {
		this.#seed = seed ?? randomBytes(16).toString('hex');
		this.#counter = 0;
		this.#meta.set('id_seed', this.#seed);
	}

	next(): string {
		this.#counter += 1;
		// Written in the transaction that uses the id, so that a restart cannot issue it twice.
		this.#db.beforeCommit(this.#save);
		return hex32(`${this.#seed}:${this.#counter}`);
	}

	/**
	 * A secret of 64 lower-case hexadecimal characters, random even with a seed. Source of the form:
	 * published.
	 */
	static secret(): string {
		return randomBytes(32).toString('hex');
	}
}
