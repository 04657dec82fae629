import { hash } from 'node:crypto';

/** Longest key that is kept as it is. Real ones are shorter. */
const KEY_MAX = 160;

/** What is kept of a text, however long. No JSON or hexadecimal text looks like a hash. */
export const shortKey = (key: string): string =>
	key.length > KEY_MAX ? hash('sha256', key, 'base64') : key;

/** A map of texts that forgets what was set longest ago once it is full. */
export class BoundedMap<Value> extends Map<string, Value> {
	constructor(private readonly capacity: number) {
		super();
	}

	override get(key: string): Value | undefined {
		return super.get(shortKey(key));
	}

	override has(key: string): boolean {
		return super.has(shortKey(key));
	}

	override delete(key: string): boolean {
		return super.delete(shortKey(key));
	}

	override set(given: string, value: Value): this {
		const key = shortKey(given);
		this.delete(key);
		super.set(key, value);
		const [oldest] = this.keys();
		if (this.size > this.capacity && oldest !== undefined) this.delete(oldest);
		return this;
	}
}

/** Things that are remembered. Over this number, idle ones are forgotten. */
const MAX_REMEMBERED = 1000;

/** Makes a thing for each name, which all executions of the process share. */
export function perName<Thing extends { readonly isIdle: boolean }>(
	make: () => Thing,
): (name: string) => Thing {
	const things = new Map<string, Thing>();
	return (name) => {
		const known = things.get(name);
		if (known) return known;
		if (things.size >= MAX_REMEMBERED)
			for (const [other, thing] of things) if (thing.isIdle) things.delete(other);
		const made = make();
		things.set(name, made);
		return made;
	};
}
