import { hash } from 'node:crypto';

import { idKey } from '../service/contract';
import { BoundedMap } from '../shared/tools/boundedMap';

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
}

/** The side of all triggers. A question's side is its ID. */
export const WORKFLOWS = 'workflows';

/** A channel, as an account reaches it: another account's channel can have the same ID. */
export interface Place {
	/** Names the service's host and the secret key. */
	account: string;
	channelId: string;
}

export const placeKeyOf = ({ account, channelId }: Place): string =>
	JSON.stringify([account, idKey(channelId)]);

/** What a claim is about. Hashed, because a process keeps many, and IDs can be long. */
export const claimKeyOf = (place: Place, messageId: string): string =>
	hash('sha256', JSON.stringify([placeKeyOf(place), idKey(messageId)]), 'base64');

/**
 * Whose a message is: the question's or the workflows'. Both get it, each in a delivery of its own,
 * in any order. Whoever claims it first has it. A claim counts once its delivery got a 2xx, and is
 * released if it got anything else, so that the other side can have the message. Bounded, and lost
 * with the process.
 */
export class Claims {
	private readonly open = new Map<string, Claim>();
	/** The sides that got a 2xx. */
	private readonly counted: BoundedMap<string>;

	constructor(capacity = CAPACITY) {
		this.counted = new BoundedMap(capacity);
	}

	othersHave(key: string, side: string): 'no' | 'pending' | 'counted' {
		const counted = this.counted.get(key);
		if (counted !== undefined) return counted === side ? 'no' : 'counted';
		const claim = this.open.get(key);
		return claim && claim.side !== side ? 'pending' : 'no';
	}

	claim(key: string, side: string): Claiming {
		const state = this.othersHave(key, side);
		return state === 'no' ? this.take(key, side) : { state };
	}

	/** Claims a message that is this side's, whoever claimed it. */
	take(key: string, side: string): Extract<Claiming, { state: 'mine' }> {
		const before = this.open.get(key);
		const claim = before?.side === side ? before : { side, pending: 0 };
		claim.pending += 1;
		this.open.set(key, claim);
		let ended = false;
		const end = (isConfirmed: boolean) => {
			if (ended) return;
			ended = true;
			claim.pending -= 1;
			const isCurrent = this.open.get(key) === claim;
			if (isCurrent && claim.pending === 0) this.open.delete(key);
			// Else the question took what the workflow had claimed.
			if (isConfirmed && isCurrent) this.counted.set(key, side);
		};
		return { state: 'mine', end };
	}
}
