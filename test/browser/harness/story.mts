type Step<Values extends unknown[]> = (...values: Values) => Promise<void>;

/** The beginning of the failure of a step that did not run. */
export const NOT_TRIED = /not tried, for the step before it failed/;

/** A step is many clicks, each with a limit of its own. A busy machine takes long for all. */
const STEP_LIMIT_MS = 300_000;

/** Tests that are steps of one story. After a failed step the later ones are skipped. */
export function story() {
	let failed = '';
	const guarded =
		<Values extends unknown[]>(name: string, run: Step<Values>): Step<Values> =>
		async (...values) => {
			if (failed !== '') throw new Error(`not tried, for the step before it failed: ${failed}`);
			failed = name;
			await run(...values);
			failed = '';
		};
	const step = (name: string, run: Step<[]>): void => test(name, guarded(name, run), STEP_LIMIT_MS);
	step.each =
		<Values extends string[]>(table: Values[]) =>
		(name: string, run: Step<Values>): void => {
			for (const values of table)
				test(
					name.replace('%s', values[0] ?? ''),
					async () => await guarded(name, run)(...values),
					STEP_LIMIT_MS,
				);
		};
	return step;
}
