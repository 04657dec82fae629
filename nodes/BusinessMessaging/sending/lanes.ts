export interface LaneOptions {
	/** Jobs under way at most. */
	maxConcurrency: number;
	/** Asked before each job: true leaves the rest undone. */
	isStopped(): boolean;
}

/**
 * Runs jobs in lanes: one after the other within a lane, in the order given; lanes side by side, up to `maxConcurrency` jobs at a time.
 * A waiting job costs a place in a list and nothing else. Resolves when nothing is under way any more.
 *
 * @param laneOf Names a job's lane.
 * @param work Must not reject: what becomes of a job is the caller's to keep.
 */
export async function runInLanes<Job>(
	jobs: readonly Job[],
	laneOf: (job: Job) => string,
	work: (job: Job) => Promise<void>,
	options: LaneOptions,
): Promise<void> {
	const lanes = new Map<string, { jobs: Job[]; next: number }>();
	for (const job of jobs) {
		const name = laneOf(job);
		const lane = lanes.get(name);
		if (lane) lane.jobs.push(job);
		else lanes.set(name, { jobs: [job], next: 0 });
	}

	// Lanes whose next job may start. A worker that finishes a job puts its lane at the end and takes the first, so no lane starves another.
	const ready = [...lanes.values()];
	let first = 0;
	const worker = async () => {
		while (first < ready.length && !options.isStopped()) {
			const lane = ready[first++]!;
			// What is behind the front is let go now and then, so that the list does not keep every turn of a long run.
			if (first > 1024) {
				ready.splice(0, first);
				first = 0;
			}
			await work(lane.jobs[lane.next++]!);
			if (lane.next < lane.jobs.length) ready.push(lane);
		}
	};
	await Promise.all(Array.from({ length: Math.min(Math.max(1, options.maxConcurrency), lanes.size) }, worker));
}
