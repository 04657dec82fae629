import { BoundedMap, shortKey } from '../shared/tools/boundedMap';

/** Confirmed deliveries that a process remembers: ten minutes of 33 events a second, n8n's most. */
const CAPACITY = 20_000;

export type Admission =
	/** Process it, then call `end`. Only the first call counts. */
	| { state: 'new'; end: (isConfirmed: boolean) => void }
	/** Its first delivery is still being processed. */
	| { state: 'inFlight' }
	/** Its first delivery got a 2xx. */
	| { state: 'seen' };

/**
 * Remembers which deliveries got a 2xx. Only these count as seen: one that failed is processed when
 * it comes again. Bounded, and in memory: after a restart a redelivery is processed once more.
 */
export class DeliveryMemory {
	private readonly inFlight = new Set<string>();
	private readonly seen: BoundedMap<true>;
	constructor(capacity = CAPACITY) {
		this.seen = new BoundedMap(capacity);
	}

	/** @param parts identify the delivery: the receiving node and the idempotency key */
	admit(...parts: string[]): Admission {
		const key = shortKey(JSON.stringify(parts));
		if (this.inFlight.has(key)) return { state: 'inFlight' };
		if (this.seen.has(key)) {
			this.seen.set(key, true);
			return { state: 'seen' };
		}
		this.inFlight.add(key);
		let ended = false;
		const end = (isConfirmed: boolean) => {
			// A redelivery may have been admitted since the first call.
			if (ended) return;
			ended = true;
			this.inFlight.delete(key);
			if (isConfirmed) this.seen.set(key, true);
		};
		return { state: 'new', end };
	}

	get size(): { seen: number; inFlight: number } {
		return { seen: this.seen.size, inFlight: this.inFlight.size };
	}
}
