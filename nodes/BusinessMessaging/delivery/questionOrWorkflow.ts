import { idKey } from '../service/contract';

/** Claims that a process remembers: as many as deliveries. */
const CAPACITY = 20_000;

export type Claiming =
	/** The message is this side's. Call `end` when its response has ended. */
	| { state: 'mine'; end: (isConfirmed: boolean) => void }
	/** The other side has it, and its response has not ended. */
	| { state: 'pending' }
	/** The other side got a 2xx for it. */
	| { state: 'counted' };

interface Claim {
	side: string;
	/** Deliveries of this side whose responses have not ended. */
	pending: number;
	isCounted: boolean;
}

/** The side of all triggers. A question's side is its ID. */
export const WORKFLOWS = 'workflows';

/** What a claim is about. */
export const claimKeyOf = (channelId: string, messageId: string): string =>
	JSON.stringify([idKey(channelId), idKey(messageId)]);

/**
 * Whose a message is: the question's or the workflows'. Both get it, each in a delivery of its own,
 * in any order. Whoever claims it first has it. A claim counts once its delivery got a 2xx, and is
 * released if it got anything else, so that the other side can have the message. Bounded, and lost
 * with the process.
 */
export class Claims {
	/** Those that were made or used longest ago first: a Map keeps insertion order. */
	private readonly claims = new Map<string, Claim>();
	private counted = 0;

	constructor(private readonly capacity = CAPACITY) {}

	/** Whether another side has the message. */
	othersHave(key: string, side: string): 'no' | 'pending' | 'counted' {
		const claim = this.claims.get(key);
		if (!claim || claim.side === side) return 'no';
		return claim.isCounted ? 'counted' : 'pending';
	}

	claim(key: string, side: string): Claiming {
		const state = this.othersHave(key, side);
		if (state !== 'no') return { state };
		const claim: Claim = this.claims.get(key) ?? { side, pending: 0, isCounted: false };
		claim.pending += 1;
		this.claims.set(key, claim);
		let ended = false;
		const end = (isConfirmed: boolean) => {
			if (ended) return;
			ended = true;
			claim.pending -= 1;
			if (isConfirmed) this.count(key, claim);
			else if (claim.pending === 0 && !claim.isCounted) this.claims.delete(key);
		};
		return { state: 'mine', end };
	}

	private count(key: string, claim: Claim): void {
		if (!claim.isCounted) this.counted += 1;
		claim.isCounted = true;
		this.claims.delete(key);
		this.claims.set(key, claim);
		if (this.counted <= this.capacity) return;
		for (const [oldest, { pending, isCounted }] of this.claims) {
			if (!isCounted || pending > 0) continue;
			this.claims.delete(oldest);
			this.counted -= 1;
			return;
		}
	}

	get size(): number {
		return this.claims.size;
	}
}

/** One for the whole process: for every trigger and every question. */
export const claims = new Claims();
