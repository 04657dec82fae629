/** Does work of one key in the order in which it came, and work of different keys side by side. */
export class Turns {
	/** By key: resolves when the last work that was added ends. */
	private readonly tails = new Map<string, Promise<void>>();

	/** Waits for its turn, and does the work. */
	async take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
		const before = this.tails.get(key);
		const done = before ? before.then(work) : work();
		const tail = done.then(
			() => {},
			() => {},
		);
		this.tails.set(key, tail);
		void tail.then(() => {
			if (this.tails.get(key) === tail) this.tails.delete(key);
		});
		return await done;
	}
}
