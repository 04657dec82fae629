import { setTimeout as sleep } from 'node:timers/promises';

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
			const left = end - performance.now();
			const found = look();
			if (found !== undefined || left <= 0) return found;
			// A signal ends the sleep.
			const time = Math.min(50, Math.max(1, left));
			await sleep(time, undefined, { signal: this.signal }).catch(() => undefined);
		}
	}
}
