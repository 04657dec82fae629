interface Waiter {
	bytes: number;
	/** @param isFree whether it has its bytes */
	start: (isFree: boolean) => void;
}

/** Caps the bytes in flight. Callers over the limit wait in order. */
export class ByteBudget {
	private free: number;
	private waiting: Waiter[] = [];

	constructor(private readonly total: number) {
		this.free = total;
	}

	/** How many callers wait. */
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
		const isFree = await this.take(bytes, signal);
		try {
			return await work();
		} finally {
			if (isFree) this.give(bytes);
		}
	}

	/** True: they are free, and taken. Otherwise, once they are. False: the signal aborted before. */
	take(bytes: number, signal?: AbortSignal): true | Promise<boolean> {
		const share = Math.min(bytes, this.total);
		if (this.waiting.length > 0 || share > this.free) return this.untilFree(share, signal);
		this.free -= share;
		return true;
	}

	give(bytes: number): void {
		this.free += Math.min(bytes, this.total);
		this.startNext();
	}

	private async untilFree(bytes: number, signal: AbortSignal | undefined): Promise<boolean> {
		let start: Waiter['start'] = () => {};
		const started = new Promise<boolean>((resolve) => (start = resolve));
		const withdraw = () => {
			this.waiting = this.waiting.filter((waiter) => waiter.start !== start);
			start(false);
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
			this.free -= next.bytes;
			next.start(true);
		}
	}
}
