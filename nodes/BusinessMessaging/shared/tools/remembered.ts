import { asError, ServiceError } from '../../service/errors';
import { BoundedMap } from './boundedMap';
import { steadyClock } from './clock';

interface Entry<Value> {
	/** When its reading began, by the steady clock. */
	since: number;
	value: Promise<Value>;
	state: 'underWay' | 'read' | 'failed';
}

/** Milliseconds for which a failure is remembered, so that many items do not repeat it. */
const FAILURE_MS = 60_000;

/** Milliseconds. What is kept for seconds is read often, and small. */
const WORTH_A_TIMER = 10_000;

const isCancelled = (error: unknown): boolean =>
	error instanceof ServiceError && error.reason === 'cancelled';

/** Remembers what was read for a time, in this process, and no longer: it can be large. */
export class Remembered<Value> {
	private readonly entries: BoundedMap<Entry<Value>>;

	constructor(
		/** Milliseconds. */
		private readonly lifetime: number,
		mostEntries: number,
		private readonly failureLifetime = FAILURE_MS,
	) {
		this.entries = new BoundedMap(mostEntries);
	}

	/** What is remembered. Undefined if it must be read. */
	private known(key: string, notBefore = -Infinity): Promise<Value> | undefined {
		const entry = this.entries.get(key);
		if (!entry || entry.since < notBefore) return undefined;
		const lifetime = entry.state === 'failed' ? this.failureLifetime : this.lifetime;
		const isKept = entry.state === 'underWay' || steadyClock.now() - entry.since < lifetime;
		return isKept ? entry.value : undefined;
	}

	/** @param notBefore what was read earlier, by the steady clock, is read again */
	async get(key: string, read: () => Promise<Value>, notBefore?: number): Promise<Value> {
		const known = this.known(key, notBefore);
		if (known)
			return await known.catch(async (error: unknown) => {
				// Whoever read it was cancelled. Others read it themselves.
				if (!isCancelled(error)) throw asError(error);
				return await this.get(key, read, notBefore);
			});
		const now = steadyClock.now();
		const entry: Entry<Value> = { since: now, value: read(), state: 'underWay' };
		const { since } = entry;
		entry.value.then(
			() => {
				entry.state = 'read';
				void this.forget(key, since, this.lifetime);
			},
			(error: unknown) => {
				entry.state = 'failed';
				void this.forget(key, since, isCancelled(error) ? 0 : this.failureLifetime);
			},
		);
		this.entries.set(key, entry);
		return await entry.value;
	}

	/** It holds no entry meanwhile, because the number of entries is bounded. */
	private async forget(key: string, since: number, after: number): Promise<void> {
		if (after > 0 && after < WORTH_A_TIMER) return;
		if (after > 0) await steadyClock.sleep(since + after - steadyClock.now());
		if (this.entries.get(key)?.since === since) this.entries.delete(key);
	}
}

/** Requests that run at once, so that a long list is no flood for whoever answers them. */
const AT_ONCE = 5;

/** Does work for each value, in order, for a few at a time. After a failure no more is begun. */
export async function fewAtATime<Value, Result>(
	values: readonly Value[],
	work: (value: Value) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	const left = [...values.entries()].values();
	let hasFailed = false;
	const worker = async () => {
		for (const [index, value] of left) {
			if (hasFailed) return;
			results[index] = await work(value);
		}
	};
	const stop = (error: unknown) => {
		hasFailed = true;
		throw error;
	};
	await Promise.all(Array.from({ length: AT_ONCE }, async () => await worker().catch(stop)));
	return results;
}
