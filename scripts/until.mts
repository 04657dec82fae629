import { setTimeout as sleep } from 'node:timers/promises';

/** A look costs whoever is asked, so a long wait looks less often, at last this much. */
const SELDOM = 5;

/**
 * Polls until a condition holds. Otherwise it fails with a clear error.
 *
 * @param what completes "waited ... s for": "the reply to arrive"
 * @param probe returns a truthy value when the condition holds. What it throws ends the waiting
 * @returns what the probe returned
 */
export async function until<T>(
	what: string,
	probe: () => T | Promise<T>,
	limitMs: number,
	intervalMs = 100,
): Promise<Exclude<T, false | undefined | null | '' | 0>> {
	const deadline = Date.now() + limitMs;
	for (let pause = intervalMs; ; pause = Math.min(1.2 * pause, SELDOM * intervalMs)) {
		const value = await probe();
		if (value) return value as Exclude<T, false | undefined | null | '' | 0>;
		if (Date.now() > deadline) throw new Error(`waited ${limitMs / 1000} s for ${what}`);
		await sleep(pause);
	}
}
