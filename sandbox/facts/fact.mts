import type { ErrorShape } from '../core/errors.mts';
import type { Operation } from '../faults/schema.mts';

/**
 * What a run of the probe needs to ask about a fact. `conversation`: deliveries and sends. `never`:
 * no run asks.
 */
export type Need =
	| 'reading'
	| 'webhooks'
	| 'channels'
	| 'templates'
	| 'sends'
	| 'deliveries'
	| 'conversation'
	| 'never';

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

/** A statement of docs/contract.md that is published or assumed. */
export interface Fact {
	/** The statement, for people. */
	says: string;
	need: Need;
	/** The names of its assumptions in contract/assumptions.ts. */
	assumes?: readonly string[];
	refusal?: ExpectedRefusal;
	/** The expected statuses of a success. */
	success?: { operation: Operation; statuses: readonly number[] };
	/** Why no run asks. */
	reason?: string;
}

/** Makes facts with the same need. */
export const factsOf =
	(need: Need) =>
	(says: string, more: Omit<Fact, 'says' | 'need'> = {}): Fact => ({ says, need, ...more });

export const done = (operation: Operation, ...statuses: number[]): Pick<Fact, 'success'> => ({
	success: { operation, statuses },
});

/** @param message the exact words */
export const refused = (
	operations: Operation | readonly Operation[],
	shape: ErrorShape | 'any',
	{ message, ...more }: Omit<ExpectedRefusal, 'operations' | 'shape'> & { message?: string },
): Pick<Fact, 'refusal'> => ({
	refusal: {
		operations: [operations].flat(),
		...(shape === 'any' ? {} : { shape }),
		...(message === undefined ? {} : { words: message }),
		...more,
	},
});
