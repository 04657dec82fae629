/** Caps the bytes in flight. Callers over the limit wait in order. */
export class ByteBudget {
	private free: number;
	private readonly waiting: Array<{ bytes: number; start: () => void }> = [];

	constructor(private readonly total: number) {
		this.free = total;
	}

	/** How many callers wait. */
	get waits(): number {
		return this.waiting.length;
	}

	/** Does work that holds `bytes`. Work larger than the whole budget takes all of it. */
	async spend<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
		const share = Math.min(bytes, this.total);
		if (this.waiting.length > 0 || share > this.free)
			await new Promise<void>((start) => this.waiting.push({ bytes: share, start }));
		else this.free -= share;
		try {
			return await work();
		} finally {
			this.free += share;
			this.startNext();
		}
	}

	private startNext(): void {
		for (;;) {
			const next = this.waiting[0];
			if (!next || next.bytes > this.free) return;
			this.waiting.shift();
			this.free -= next.bytes;
			next.start();
		}
	}
}
