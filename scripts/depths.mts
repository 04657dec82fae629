/** Which tests run when: what shows that the package works, and the rest. */

/**
 * `daily`: `npm test`. `deep`: `npm run test:deep`, which runs what `npm test` leaves out, and the
 * properties again at their full counts. `all`: both.
 */
export type Depth = 'daily' | 'deep' | 'all';

/** Environment variable with the depth, for the tests themselves. */
export const DEPTH_VARIABLE = 'TEST_DEPTH';

/** The parts of `npm test`. */
export const DAILY_PARTS = ['types', 'unit', 'core', 'sandbox', 'host'] as const;

/** The ending of files that only `npm run test:deep` runs. */
export const DEEP = '\\.deep\\.test\\.mts$';

/** Whether `npm test` runs a test file, by its path below test/. */
export const isDaily = (file: string): boolean =>
	DAILY_PARTS.some((part) => file.startsWith(`${part}/`)) && !new RegExp(DEEP).test(file);
