export interface KeyedQueueBounds {
	/** Jobs under way at most. */
	maxConcurrency: number;
	/** Jobs that wait at most, to start or for an earlier job of their key. */
	maxQueued: number;
}

/**
 * Runs jobs of one key in the order in which they were added, and jobs of different keys side by
 * side. The caller awaits `untilRoom` before each job, and `untilIdle` at the end.
 */
export class KeyedQueue {
	/** By key: resolves when the last job that was added ends. */
	private readonly tails = new Map<string, Promise<void>>();
	/** Jobs that could start, but `maxConcurrency` are under way. */
	private readonly ready: Array<() => void> = [];
	private queued = 0;
	private underWay = 0;
	private tellChange = () => {};

	constructor(private readonly bounds: KeyedQueueBounds) {}

	/** @param job must not reject. It keeps its own result */
	add(key: string, job: () => Promise<void>): void {
		this.queued++;
		const tail = (this.tails.get(key) ?? Promise.resolve()).then(async () => {
			await this.start();
			await job();
			this.startNext();
			if (this.tails.get(key) === tail) this.tails.delete(key);
			this.tellChange();
		});
		this.tails.set(key, tail);
	}

	/** Resolves when there is room for another job, because few are ready and not too many wait. */
	async untilRoom(): Promise<void> {
		const { maxConcurrency, maxQueued } = this.bounds;
		while (this.ready.length >= 2 * maxConcurrency || this.queued >= maxQueued)
			await this.untilChange();
	}

	/** Resolves once no job waits or is under way. */
	async untilIdle(): Promise<void> {
		while (this.tails.size > 0) await this.untilChange();
	}

	/** Lets another job start while one that is under way waits for something. */
	async lendPlace<Result>(wait: () => Promise<Result>): Promise<Result> {
		this.startNext();
		this.tellChange();
		try {
			return await wait();
		} finally {
			await this.takePlace();
		}
	}

	private async start(): Promise<void> {
		await this.takePlace();
		this.queued--;
	}

	private async takePlace(): Promise<void> {
		if (this.underWay < this.bounds.maxConcurrency) this.underWay++;
		else await new Promise<void>((resolve) => this.ready.push(resolve));
	}

	/** Starts the job that waited longest, so that no later one overtakes it. */
	private startNext(): void {
		const next = this.ready.shift();
		if (next) next();
		else this.underWay--;
	}

	private async untilChange(): Promise<void> {
		await new Promise<void>((resolve) => (this.tellChange = resolve));
	}
}
