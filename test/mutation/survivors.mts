import type { Rule } from './naming.mts';

/**
 * The faults that no unit or core test notices, and why that does not matter. A run tells which survivors stand here and which do not: kill those by a
 * test, or name them.
 */
export const RULES: readonly Rule[] = [];
