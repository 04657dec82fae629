import { steadyClock } from './clock';

interface Entry<Value> {
	/** When its reading began, by the steady clock. */
	since: number;
	value: Promise<Value>;
	hasFailed: boolean;
}

/** Milliseconds for which a failure is remembered, so that many items do not repeat it. */
const FAILURE_MS = 60_000;

/** Remembers what was read for a time, in this process. The oldest entries go first. */
export class Remembered<Value> {
	private readonly entries = new Map<string, Entry<Value>>();

	constructor(
		/** Milliseconds. */
		private readonly lifetime: number,
		private readonly mostEntries: number,
	) {}

	/** @param notBefore what was read earlier, by the steady clock, is read again */
	async get(key: string, read: () => Promise<Value>, notBefore = -Infinity): Promise<Value> {
		const now = steadyClock.now();
		const known = this.entries.get(key);
		if (known && known.since >= notBefore) {
			const lifetime = known.hasFailed ? FAILURE_MS : this.lifetime;
			if (now - known.since < lifetime) return await known.value;
		}
		const entry: Entry<Value> = { since: now, value: read(), hasFailed: false };
		entry.value.catch(() => (entry.hasFailed = true));
		this.entries.delete(key);
		this.entries.set(key, entry);
		const [oldest] = this.entries.keys();
		if (this.entries.size > this.mostEntries && oldest !== undefined) this.entries.delete(oldest);
		return await entry.value;
	}
}
