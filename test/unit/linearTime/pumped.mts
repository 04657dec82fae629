/**
 * Texts that make a bad expression slow: a beginning, a repeated piece, and an end that spoils the
 * match.
 */
export interface Pumped {
	before: string;
	pump: string;
	after: string;
}

export const pumped = (pump: string, after = '', before = ''): Pumped => ({ before, pump, after });

/** Such a text, about as long as asked for. */
export const textOf = ({ before, pump, after }: Pumped, size: number): string =>
	before +
	pump.repeat(Math.max(1, Math.floor((size - before.length - after.length) / (pump.length || 1)))) +
	after;
