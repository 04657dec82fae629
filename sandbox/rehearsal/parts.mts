/** Which steps a script plays together, and how often. */
import type { ParsedScript } from './parse.mts';
import type { CustomerAction, Step } from './schema.mts';
import { actionsIn, judgedIn } from './steps.mts';

/** The whole file, or the file up to a step with runs of its own. */
export interface Part {
	steps: readonly Step[];
	/** What comes after them. */
	rest: readonly Step[];
	/** Whether the words of the message that an action gets are judged in these runs. */
	judges: (action: CustomerAction) => boolean;
	runs: number;
	/** In how many runs the words must be right. */
	atLeast: number;
	/** Of the step with runs of its own. */
	line?: number;
}

/** The whole file first. The words of a step with runs of its own are judged in those only. */
export function partsOf({ script, lineOf }: ParsedScript): Part[] {
	const { steps, runs = 1, atLeast = runs } = script;
	const withoutRuns = new Set(
		judgedIn(script).flatMap(({ action }) => (action.runs === undefined ? [action] : [])),
	);
	const whole = { steps, rest: [], judges: isIn(withoutRuns), runs, atLeast };
	const upToSteps = steps.flatMap((outer, index) =>
		actionsIn(outer).flatMap(({ action, step }): Part[] => {
			if (action.runs === undefined) return [];
			const end = index + 1;
			return [
				{
					...{ steps: steps.slice(0, end), rest: steps.slice(end) },
					judges: isIn(new Set([action])),
					...{ runs: action.runs, atLeast: action.atLeast ?? action.runs, line: lineOf(step) },
				},
			];
		}),
	);
	return [whole, ...upToSteps];
}

const isIn =
	(actions: ReadonlySet<CustomerAction>) =>
	(action: CustomerAction): boolean =>
		actions.has(action);
