import { DEPTH_VARIABLE } from '#scripts/depths.mts';

/** In `npm test`, which runs each property long enough to notice what a change broke. */
const DAILY = 100;

/**
 * How often a property is tried: its full count, less in `npm test`, or what the environment
 * variable PROPERTY_RUNS says.
 */
export function runs(full: number): number {
	if (process.env.PROPERTY_RUNS) return Number(process.env.PROPERTY_RUNS);
	return process.env[DEPTH_VARIABLE] === 'daily' ? Math.min(full, DAILY) : full;
}
