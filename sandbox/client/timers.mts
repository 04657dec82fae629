/** Taken when the client is loaded: a test that puts its own timers in place must not stop the client's waiting. */
const { setTimeout } = globalThis;
const now = performance.now.bind(performance);
const INTERVAL = 25;

export const sleep = (milliseconds: number): Promise<void> =>
	new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Looks again and again until there is something.
 *
 * @param limit milliseconds; it is looked once more at their end
 * @returns what was found, or undefined when the time was over
 */
export async function poll<T>(
	look: () => Promise<T | undefined>,
	limit: number,
): Promise<T | undefined> {
	const end = now() + limit;
	for (;;) {
		const isLast = now() >= end;
		const found = await look();
		if (found !== undefined || isLast) return found;
		await sleep(Math.min(INTERVAL, Math.max(0, end - now())));
	}
}
