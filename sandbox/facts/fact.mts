import type { ErrorShape } from '../core/errors.mts';
import type { Operation } from '../faults/schema.mts';

/**
 * What a run of the probe needs to ask about a fact. `conversation`: deliveries and sends. `never`:
 * no run asks.
 */
export type Need =
	'reading' | 'webhooks' | 'channels' | 'sends' | 'deliveries' | 'conversation' | 'never';

/** The expected error response of some operations. */
export interface ExpectedRefusal {
	operations: readonly Operation[];
	status: number;
	/** Undefined: any. */
	shape?: ErrorShape;
	/** The exact message, its pattern, or texts of which it has one. Undefined: any. */
	words?: string | RegExp | readonly string[];
	/** How the sandbox words it, if that is not `words`. */
	sandboxWords?: RegExp;
	/** Of an error about media. */
	subCode?: string;
}

/** The expected statuses of a success. */
export interface ExpectedSuccess {
	operation: Operation;
	statuses: readonly number[];
}

/** A statement of docs/contract.md that is published or assumed. */
export interface Fact {
	/** The statement, for people. */
	says: string;
	need: Need;
	/** The names of its assumptions in contract/assumptions.ts. */
	assumes?: readonly string[];
	refusal?: ExpectedRefusal;
	success?: ExpectedSuccess;
	/** Why no run asks. */
	reason?: string;
}
