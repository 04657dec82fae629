export interface LaneOptions {
	/** Jobs under way at most. */
	maxConcurrency: number;
	/** Asked before each job: true leaves the rest undone, and unread. */
	isStopped(): boolean;
	/** Resolves after what is due now. */
	letOthersRun(): Promise<void>;
}

interface Lane<Job> {
	name: string;
	waiting: Queue<Job>;
}

/**
 * Runs jobs in lanes: one after the other within a lane, in the order given; lanes side by side, up to `maxConcurrency` jobs at a time. Jobs are taken
 * from the source while others run, and no sooner than they are needed. A waiting job costs a place in a list and nothing else. Resolves when nothing
 * is under way any more.
 *
 * @param laneOf Names a job's lane.
 * @param work Must not reject: what becomes of a job is the caller's to keep.
 */
export async function runInLanes<Job>(
	source: AsyncIterable<Job>,
	laneOf: (job: Job) => string,
	work: (job: Job) => Promise<void>,
	options: LaneOptions,
): Promise<void> {
	const lanes = new Map<string, Lane<Job>>();
	// Lanes whose next job may start. A lane that finished a job goes to the end, so none starves another.
	const ready = new Queue<Lane<Job>>();
	const most = Math.max(1, options.maxConcurrency);
	let underWay = 0;
	let onEnd = () => {};
	let startedSoFar = 0;
	let isStarting = false;

	const startReady = async () => {
		if (isStarting) return;
		isStarting = true;
		while (underWay < most && !options.isStopped()) {
			const lane = ready.take();
			if (!lane) break;
			underWay++;
			void runNext(lane);
			// Jobs that start together end together, and each then waits for all the others' bookkeeping. Started one by one, they stay apart.
			if (startedSoFar++ < most) await options.letOthersRun();
		}
		isStarting = false;
		onEnd();
	};
	const runNext = async (lane: Lane<Job>) => {
		await work(lane.waiting.take()!);
		underWay--;
		if (lane.waiting.size > 0) ready.add(lane);
		else lanes.delete(lane.name);
		void startReady();
		onEnd();
	};
	const untilAnyEnds = async () => await new Promise<void>((resolve) => (onEnd = resolve));

	for await (const job of source) {
		if (options.isStopped()) break;
		const name = laneOf(job);
		const lane = lanes.get(name) ?? { name, waiting: new Queue<Job>() };
		lane.waiting.add(job);
		if (!lanes.has(name)) {
			lanes.set(name, lane);
			ready.add(lane);
			void startReady();
		}
		if (ready.size < 2 * most) continue;
		// Reading takes time from answers and departures: it rests while there is enough to start, and lets what was started leave first.
		while (ready.size >= most && !options.isStopped()) await untilAnyEnds();
		await options.letOthersRun();
	}
	while (underWay > 0 || isStarting) await untilAnyEnds();
}

/** First in, first out, in constant time: an array's `shift` moves all the rest. */
class Queue<Entry> {
	private entries: Entry[] = [];
	private first = 0;

	get size(): number {
		return this.entries.length - this.first;
	}

	add(entry: Entry): void {
		this.entries.push(entry);
	}

	take(): Entry | undefined {
		if (this.size === 0) return undefined;
		const entry = this.entries[this.first++];
		// What is behind the front is let go once it is half of the list.
		if (this.first * 2 > this.entries.length) {
			this.entries = this.entries.slice(this.first);
			this.first = 0;
		}
		return entry;
	}
}
