/** Gives back what was taken, and nothing else. Called once. */
export type GiveBack = () => void;

interface Waiter {
	bytes: number;
	/** @param giveBack left out if it has no bytes */
	start: (giveBack?: GiveBack) => void;
}

/** Caps the bytes in flight. Callers over the limit wait in order. */
export class ByteBudget {
	private free: number;
	private waiting: Waiter[] = [];

	constructor(private readonly total: number) {
		this.free = total;
	}

	get waits(): number {
		return this.waiting.length;
	}

	/**
	 * Does work that holds `bytes`. Work larger than the whole budget takes all of it.
	 * @param signal once it aborts, work that waits begins without its bytes, to end by itself
	 */
	async spend<Result>(
		bytes: number,
		work: () => Promise<Result>,
		signal?: AbortSignal,
	): Promise<Result> {
		const giveBack = await this.take(bytes, signal);
		return await work().finally(giveBack);
	}

	/** Once they are free. Undefined: the signal aborted before. */
	take(bytes: number, signal?: AbortSignal): GiveBack | Promise<GiveBack | undefined> {
		const share = Math.min(bytes, this.total);
		const isFree = this.waiting.length === 0 && share <= this.free;
		return isFree ? this.lend(share) : this.untilFree(share, signal);
	}

	private lend(bytes: number): GiveBack {
		this.free -= bytes;
		return () => {
			this.free += bytes;
			this.startNext();
		};
	}

	private async untilFree(bytes: number, signal?: AbortSignal): Promise<GiveBack | undefined> {
		let start: Waiter['start'] = () => {};
		const started = new Promise<GiveBack | undefined>((resolve) => (start = resolve));
		const withdraw = () => {
			this.waiting = this.waiting.filter((waiter) => waiter.start !== start);
			start();
			this.startNext();
		};
		this.waiting.push({ bytes, start });
		signal?.addEventListener('abort', withdraw);
		if (signal?.aborted) withdraw();
		return await started.finally(() => signal?.removeEventListener('abort', withdraw));
	}

	private startNext(): void {
		for (;;) {
			const next = this.waiting[0];
			if (!next || next.bytes > this.free) return;
			this.waiting.shift();
			next.start(this.lend(next.bytes));
		}
	}
}
