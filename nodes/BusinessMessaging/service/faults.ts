import type { ZodErrorMap } from 'zod';

/**
 * Ends a reading by an error once it found too many faults: each takes time, and what others write
 * has room for millions.
 */
export function countingFaults(most: number): ZodErrorMap {
	let faults = 0;
	return (_issue, { defaultError }) => {
		faults += 1;
		if (faults > most) throw new Error('too many faults');
		return { message: defaultError };
	};
}
