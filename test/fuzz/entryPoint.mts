import type { Arbitrary } from 'fast-check';

/** What can be stored in the corpus as it is. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json | undefined };

/**
 * A place where something from outside comes in, what may come, and what must hold whatever comes.
 */
export interface EntryPoint<Input = unknown> {
	name: string;
	/** JSON values only: a failure is written to the corpus and read back from there. */
	input: Arbitrary<Input>;
	/** How much of the time it is given, compared with the others: 1 unless it says otherwise. */
	share?: number;
	/** @throws what must not be */
	check: (input: Input) => Promise<void> | void;
	/**
	 * Inputs with this text in every place that a stranger can fill. The entry point `time` measures
	 * how long they take as it grows.
	 */
	withText?: (text: string) => Input[];
}

/** Puts entry points with different inputs into one list. Each still gets only its own inputs. */
export function asEntryPoint<Input>(entryPoint: EntryPoint<Input>): EntryPoint {
	return { ...entryPoint, check: async (input) => await entryPoint.check(input as Input) };
}

/** Says what must hold. */
export function must(holds: boolean, what: string): asserts holds {
	if (!holds) throw new Error(what);
}
