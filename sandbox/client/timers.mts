/**
 * Taken when the client is loaded, so that a test's fake timers do not stop the client's waiting.
 */
const { setTimeout } = globalThis;
export const now = performance.now.bind(performance);
const INTERVAL = 25;

export const sleep = (milliseconds: number): Promise<void> =>
	new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Polls until there is a result.
 *
 * @param limit milliseconds; polls once more at their end
 * @returns the result, or undefined if the time ran out
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
