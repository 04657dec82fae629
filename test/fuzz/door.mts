import type { Arbitrary } from 'fast-check';

/** What can be stored in the corpus as it is. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json | undefined };

/** A place where something from outside comes in, what may come, and what must hold whatever comes. */
export interface Door<Input = unknown> {
	name: string;
	/** JSON values only: a failure is written to the corpus and read back from there. */
	input: Arbitrary<Input>;
	/** @throws what must not be */
	check: (input: Input) => Promise<void> | void;
}

/** Makes a door fit for a list of different ones: its inputs come from its own arbitrary, or from its own corpus. */
export function asDoor<Input>(door: Door<Input>): Door {
	return { name: door.name, input: door.input, check: async (input) => await door.check(input as Input) };
}

/** Says what must hold. */
export function must(holds: boolean, what: string): asserts holds {
	if (!holds) throw new Error(what);
}
