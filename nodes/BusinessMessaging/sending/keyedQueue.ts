export interface KeyedQueueBounds {
	/** Jobs under way at most. */
	maxConcurrency: number;
	/** Jobs that wait at most, for a place or for an earlier job of their key. */
	maxQueued: number;
}

/**
 * Runs jobs of one key one after the other, in the order in which they were added, and jobs of different keys side by side. Whoever adds waits for
 * `untilRoom` before each job, and for `untilIdle` at the end.
 */
export class KeyedQueue {
	/** By key: ends with the last job that was added. */
	private readonly tails = new Map<string, Promise<void>>();
	/** Jobs that nothing but a place keeps waiting, first come first served. */
	private readonly waitingForPlace: Array<() => void> = [];
	private queued = 0;
	private underWay = 0;
	private tellChange = () => {};

	constructor(private readonly bounds: KeyedQueueBounds) {}

	/** @param job must not reject: what becomes of it is for the caller to keep */
	add(key: string, job: () => Promise<void>): void {
		this.queued++;
		const tail = (this.tails.get(key) ?? Promise.resolve()).then(async () => {
			await this.run(job);
			if (this.tails.get(key) === tail) this.tails.delete(key);
			this.tellChange();
		});
		this.tails.set(key, tail);
	}

	/** Resolves once another job may be added: while many could start at once, or very many wait, there is no need for more. */
	async untilRoom(): Promise<void> {
		const { maxConcurrency, maxQueued } = this.bounds;
		while (this.waitingForPlace.length >= 2 * maxConcurrency || this.queued >= maxQueued)
			await this.untilChange();
	}

	/** Resolves once no job waits or is under way. */
	async untilIdle(): Promise<void> {
		while (this.tails.size > 0) await this.untilChange();
	}

	private async run(job: () => Promise<void>): Promise<void> {
		// A job that ends hands its place on, so that none that comes later slips in.
		if (this.underWay < this.bounds.maxConcurrency) this.underWay++;
		else await new Promise<void>((resolve) => this.waitingForPlace.push(resolve));
		this.queued--;
		await job();
		const next = this.waitingForPlace.shift();
		if (next) next();
		else this.underWay--;
	}

	private async untilChange(): Promise<void> {
		await new Promise<void>((resolve) => (this.tellChange = resolve));
	}
}
