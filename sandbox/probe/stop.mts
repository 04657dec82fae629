/** A signal ended the run. */
export class Stopped extends Error {}

/** Whether the run is to end, for everything that waits. */
export class Stop {
	readonly #controller = new AbortController();

	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	/** The name of the signal. */
	get by(): string | undefined {
		return this.signal.aborted ? String(this.signal.reason) : undefined;
	}

	now(by: string): void {
		this.#controller.abort(by);
	}

	/** @throws Stopped after a signal */
	check(): void {
		if (this.signal.aborted) throw new Stopped();
	}

	/**
	 * Waits until `look` returns something.
	 *
	 * @param limit milliseconds @returns undefined if the time ran out
	 * @throws Stopped after a signal
	 */
	async until<T>(look: () => T | undefined, limit: number): Promise<T | undefined> {
		const end = performance.now() + limit;
		for (;;) {
			this.check();
			const isLast = performance.now() >= end;
			const found = look();
			if (found !== undefined || isLast) return found;
			await this.#sleep(Math.min(INTERVAL, Math.max(1, end - performance.now())));
		}
	}

	async #sleep(milliseconds: number): Promise<void> {
		await new Promise<void>((resolve) => {
			const done = () => {
				clearTimeout(timer);
				this.signal.removeEventListener('abort', done);
				resolve();
			};
			const timer = setTimeout(done, milliseconds);
			this.signal.addEventListener('abort', done);
		});
	}
}

const INTERVAL = 50;
