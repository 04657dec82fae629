/** Requests that run at once, so that a long list is no flood for whoever answers them. */
const AT_ONCE = 5;

/** Does work for each value, in order, for a few at a time. After a failure no more is begun. */
export async function fewAtATime<Value, Result>(
	values: readonly Value[],
	work: (value: Value) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	const left = [...values.entries()].values();
	let hasFailed = false;
	const worker = async () => {
		for (const [index, value] of left) {
			if (hasFailed) return;
			results[index] = await work(value);
		}
	};
	const stop = (error: unknown) => {
		hasFailed = true;
		throw error;
	};
	await Promise.all(Array.from({ length: AT_ONCE }, async () => await worker().catch(stop)));
	return results;
}
