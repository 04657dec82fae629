import { type ExpectedRefusal, REFUSALS, SUCCESSES } from './expected.mts';
import { ASSUMED, type FactId, type Need, QUESTIONS, REASONS } from './questions.mts';

export type { FactId, Need } from './questions.mts';

/** A statement of docs/contract.md that is published or assumed. */
export interface Fact {
	/** The statement, for people. */
	says: string;
	need: Need;
	/** The names of its assumptions, as docs/contract.md lists them. */
	assumes: readonly string[];
	refusal?: ExpectedRefusal | undefined;
	success?: (typeof SUCCESSES)[FactId];
	/** Why no run asks. */
	reason?: string | undefined;
}

const reasons: Partial<Record<FactId, string>> = REASONS;
const factOf = (id: FactId, need: Need, says: string): Fact => {
	const assumes = Object.keys(ASSUMED).filter((name) => ASSUMED[name]!.includes(id));
	const [refusal, success, reason] = [REFUSALS[id], SUCCESSES[id], reasons[id]];
	return { says, need, assumes, refusal, success, reason };
};
const LISTED = Object.entries(QUESTIONS).flatMap(([need, questions]) =>
	Object.entries<string>(questions).map(
		([id, says]) => [id as FactId, factOf(id as FactId, need as Need, says)] as const,
	),
);

/** In the order of the report. */
export const FACTS = Object.fromEntries(LISTED) as Readonly<Record<FactId, Fact>>;
export const FACT_IDS = LISTED.map(([id]) => id);
