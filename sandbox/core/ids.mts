import { createHash, randomBytes } from 'node:crypto';

import type { Meta } from './meta.mts';

const hex32 = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32).toUpperCase();

/** Second id of a thing, made of its first: always the same. */
export const derivedId = (id: string, part: string) => hex32(`${id}:${part}`);

/**
 * Ids of 32 upper-case hexadecimal characters: a hash of a seed and a counter, both kept in the data file. With a given seed a run makes the
 * same ids as the run before; without one the seed is random, so that ids never come again after a reset.
 */
export class Ids {
	readonly #meta: Meta;
	#seed = '';
	#counter = 0;

	constructor(meta: Meta) {
		this.#meta = meta;
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
		// Written with whatever uses the id, in the same transaction: a restart cannot give it out twice.
		this.#meta.set('id_counter', String(this.#counter));
		return hex32(`${this.#seed}:${this.#counter}`);
	}

	/** A secret of 64 lower-case hexadecimal characters; random even with a seed. Source of the form: published. */
	static secret(): string {
		return randomBytes(32).toString('hex');
	}
}
