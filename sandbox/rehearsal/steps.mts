/** What a script says about its customers. */
import { isJudged } from './pattern.mts';
import { type CustomerAction, RESERVED, type Script, type Step } from './schema.mts';

export interface Action {
	/** The script's name for the customer. */
	key: string;
	action: CustomerAction;
	/** The step, or the one of several side by side. */
	step: Step;
}

/** What customers do and expect in a step. */
export const actionsIn = (step: Step): Action[] => [
	...Object.entries(step as Record<string, CustomerAction>)
		.filter(([key]) => !RESERVED.some((reserved) => reserved === key))
		.map(([key, action]) => ({ key, action, step })),
	...(step.together ?? []).flatMap((inner) => actionsIn(inner as Step)),
];

/** The expectations of a script whose words are judged. */
export const judgedIn = ({ steps }: Pick<Script, 'steps'>): Action[] =>
	steps.flatMap(actionsIn).filter(({ action }) => action.gets && isJudged(action.gets));

const ENDS_TURN = ['writes', 'taps', 'sends', 'sendsFile', 'getsNothing'] as const;

/** What a customer gets by these steps before going on. */
export function expectedNext(steps: readonly Step[], customer: string): CustomerAction[] {
	const expected: CustomerAction[] = [];
	for (const { key, action } of steps.flatMap(actionsIn)) {
		if (key !== customer) continue;
		if (ENDS_TURN.some((verb) => action[verb] !== undefined)) break;
		if (action.gets || action.getsTemplate !== undefined || action.isRefused) expected.push(action);
	}
	return expected;
}
