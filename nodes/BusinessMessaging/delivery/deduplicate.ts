import { hash } from 'node:crypto';

/** Confirmed deliveries remembered by a process. At 33 events a second, the most that n8n was seen to start, about ten minutes' worth. */
const CAPACITY = 20_000;
/** How long n8n may take to come to a response that nobody waits for any more, in milliseconds. Then the delivery counts as lost. */
export const ABANDONED_LIMIT = 60_000;

/** Characters of a key that is kept as it is. Real ones are shorter. */
const KEY_MAX = 160;

/** A long key takes no more room than a short one. No hash looks like a key, which begins with a bracket. */
const shortKey = (key: string) => (key.length > KEY_MAX ? hash('sha256', key, 'base64') : key);

export type Admission =
	/** Process it, and tell how its response ended: one of the two, once. */
	| {
			state: 'new';
			confirm(): void;
			release(): void;
			/** Nobody waits for its response any more. `outcome` tells, when it comes again, whether the response was 2xx; undefined while there is none. */
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
	constructor(
		private readonly capacity = CAPACITY,
		private readonly now: () => number = Date.now,
	) {}

	/** @param parts what tells the delivery from every other one: the receiving node and the idempotency key */
	admit(...parts: string[]): Admission {
		const key = shortKey(JSON.stringify(parts));
		if (this.inFlight.has(key) && this.abandoned.get(key)?.settle() !== true)
			return { state: 'inFlight' };
		if (this.seen.delete(key)) {
			this.seen.add(key);
			return { state: 'seen' };
		}
		this.inFlight.add(key);
		let ended = false;
		const end = (answered: boolean) => {
			// A connection closes after its response, when the next delivery may have been admitted already.
			if (ended) return;
			ended = true;
			this.inFlight.delete(key);
			this.abandoned.delete(key);
			if (!answered) return;
			this.seen.add(key);
			const [oldest = ''] = this.seen;
			if (this.seen.size > this.capacity) this.seen.delete(oldest);
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
export interface EndingResponse {
	statusCode: number;
	/** The response was handed over to the network. */
	writableFinished: boolean;
	/** The response was made, whether or not somebody was there to take it. */
	writableEnded: boolean;
	/** The connection ended. */
	destroyed: boolean;
	once(event: 'finish' | 'close', listener: () => void): unknown;
}

/** Whether a response that was made says that the delivery was taken: 2xx. */
export function isKept({ statusCode }: EndingResponse): boolean {
	return statusCode >= 200 && statusCode <= 299;
}

/**
 * Confirms a delivery once it was answered 2xx and releases it when the response was another. n8n answers after `webhook()` has returned, and may still
 * respond 500 then, so only the response itself knows. When the sender gave up before, n8n goes on all the same and stores the execution: only its
 * response, which nobody gets, tells a redelivery from a first delivery.
 */
export function settleWithResponse(
	response: EndingResponse,
	admission: Extract<Admission, { state: 'new' }>,
): void {
	const onFinish = () => {
		if (isKept(response)) admission.confirm();
		else admission.release();
	};
	const onClose = () =>
		admission.abandon(() => (response.writableEnded ? isKept(response) : undefined));
	if (response.writableFinished) return onFinish();
	if (response.destroyed) return onClose();
	response.once('finish', onFinish);
	// After a finish this does nothing: an admission ends once.
	response.once('close', onClose);
}
