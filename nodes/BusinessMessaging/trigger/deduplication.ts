import { hash } from 'node:crypto';

/** Confirmed deliveries remembered by a process. At 33 events a second, the most that n8n was seen to start, about ten minutes' worth. */
const CAPACITY = 20_000;
/** How long n8n may take to come to an answer that nobody waits for any more, in milliseconds. Then the delivery counts as lost. */
const ABANDONED_LIMIT = 60_000;

export type Admission =
	/** Process it, and tell how its answer ended: one of the two, once. */
	| {
			state: 'new';
			confirm(): void;
			release(): void;
			/** Nobody waits for its answer any more. `outcome` tells, when it comes again, whether the answer was 2xx; undefined while there is none. */
			abandon(outcome: () => boolean | undefined): void;
	  }
	/** Its first delivery is still being processed: how that ends is not known yet. */
	| { state: 'inFlight' }
	/** Its first delivery was answered 2xx. */
	| { state: 'seen' };

/**
 * Remembers which deliveries were answered 2xx. A delivery counts as seen only then: one that failed is processed again when it is repeated, so
 * nothing is lost. In memory, bounded, per process: the oldest is forgotten first, and a restart forgets all.
 */
export class DeliveryMemory {
	private readonly inFlight = new Set<string>();
	/** Those of them whose sender went away. In the order in which it did. */
	private readonly abandoned = new Map<string, { settle: () => boolean; drop: () => void }>();
	/** In the order of their last sight: a Set keeps insertion order. */
	private readonly seen = new Set<string>();
	/** Stands before the oldest that is left: a new one for each that is forgotten would pass the places of all forgotten before (20 µs). */
	private oldest = this.seen.values();

	constructor(
		private readonly capacity = CAPACITY,
		private readonly now: () => number = Date.now,
	) {}

	/** @param parts what tells the delivery from every other one: the receiving node and the idempotency key */
	admit(...parts: string[]): Admission {
		// Hashed, so that a long key takes no more room than a short one.
		const key = hash('sha256', JSON.stringify(parts), 'base64');
		if (this.inFlight.has(key) && this.abandoned.get(key)?.settle() !== true) return { state: 'inFlight' };
		if (this.seen.delete(key)) {
			this.seen.add(key);
			// One that stands still while others move keeps alive what the set was stored in before.
			this.oldest = this.seen.values();
			return { state: 'seen' };
		}
		this.inFlight.add(key);
		let ended = false;
		const end = (answered: boolean) => {
			// A connection closes after its answer, when the next delivery may have been admitted already.
			if (ended) return;
			ended = true;
			this.inFlight.delete(key);
			this.abandoned.delete(key);
			if (!answered) return;
			this.seen.add(key);
			if (this.seen.size > this.capacity) this.seen.delete(this.oldest.next().value ?? '');
		};
		const abandon = (outcome: () => boolean | undefined) => {
			if (ended) return;
			const since = this.now();
			const settle = () => {
				const answered = outcome() ?? (this.now() - since > ABANDONED_LIMIT ? false : undefined);
				if (answered !== undefined) end(answered);
				return answered !== undefined;
			};
			this.abandoned.set(key, { settle, drop: () => end(false) });
			const [oldest] = this.abandoned.values();
			if (this.abandoned.size > this.capacity) oldest?.drop();
		};
		return { state: 'new', confirm: () => end(true), release: () => end(false), abandon };
	}

	get size(): { seen: number; inFlight: number } {
		return { seen: this.seen.size, inFlight: this.inFlight.size };
	}
}

/** What is used of an HTTP response to learn how it ended. */
export interface Answer {
	statusCode: number;
	/** The answer was handed over to the network. */
	writableFinished: boolean;
	/** The answer was made, whether or not somebody was there to take it. */
	writableEnded: boolean;
	/** The connection ended. */
	destroyed: boolean;
	once(event: 'finish' | 'close', listener: () => void): unknown;
}

/**
 * Confirms a delivery once it was answered 2xx and releases it when the answer was another. n8n answers after `webhook()` has returned, and may still
 * answer 500 then, so only the response itself knows. When the sender gave up before, n8n goes on all the same and stores the execution: only its
 * answer, which nobody gets, tells a redelivery from a first delivery.
 */
export function settleWithAnswer(answer: Answer, admission: Extract<Admission, { state: 'new' }>): void {
	const isKept = () => answer.statusCode >= 200 && answer.statusCode <= 299;
	const onFinish = () => {
		if (isKept()) admission.confirm();
		else admission.release();
	};
	const onClose = () => admission.abandon(() => (answer.writableEnded ? isKept() : undefined));
	if (answer.writableFinished) return onFinish();
	if (answer.destroyed) return onClose();
	answer.once('finish', onFinish);
	// After a finish this does nothing: an admission ends once.
	answer.once('close', onClose);
}
