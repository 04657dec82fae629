import { type ExpectedRefusal, REFUSALS, SUCCESSES } from './expected.mts';
import { ASSUMED, type FactId, QUESTIONS, UNASKED } from './questions.mts';

export type { FactId } from './questions.mts';

/** What a run of the probe needs to ask about a fact. `never`: no run asks. */
export type Need = keyof typeof QUESTIONS | 'never';

/** A statement of docs/contract.md that is published or assumed. */
export interface Fact {
	/** The statement, for people. */
	says: string;
	need: Need;
	/** The names of its assumptions in contract/assumptions.ts. */
	assumes: readonly string[];
	refusal?: ExpectedRefusal | undefined;
	success?: (typeof SUCCESSES)[FactId];
	/** Why no run asks. */
	reason?: string | undefined;
}

const factOf = (id: string, need: Need, says: string, reason?: string): [FactId, Fact] => {
	const known = id as FactId;
	const assumes = Object.keys(ASSUMED).filter((name) => ASSUMED[name]!.includes(known));
	const [refusal, success] = [REFUSALS[known], SUCCESSES[known]];
	return [known, { says, need, assumes, refusal, success, reason }];
};
const LISTED = [
	...Object.entries(QUESTIONS).flatMap(([need, questions]) =>
		Object.entries(questions).map(([id, says]: [string, string]) => factOf(id, need as Need, says)),
	),
	...Object.entries(UNASKED).map(([id, [says, reason]]) => factOf(id, 'never', says, reason)),
];

/** The published and assumed facts of docs/contract.md, in the order of the report. */
export const FACTS = Object.fromEntries(LISTED) as Readonly<Record<FactId, Fact>>;
export const FACT_IDS = LISTED.map(([id]) => id);

export const isFactId = (id: string): id is FactId => Object.hasOwn(FACTS, id);
