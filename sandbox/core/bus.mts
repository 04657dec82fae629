/** What happened, for the page: a name and what to show of it. */
export interface Notice {
	type: 'message' | 'status' | 'channel' | 'webhook' | 'delivery' | 'request' | 'clock' | 'fault' | 'settings' | 'tenant' | 'reset';
	data: unknown;
}

export type Listener = (notice: Notice) => void;

/** Tells those who watch what happened. Publishing to nobody costs nothing: `data` is made only when somebody listens. */
export class Bus {
	readonly #listeners = new Set<Listener>();

	publish(type: Notice['type'], data: () => unknown): void {
		if (this.#listeners.size === 0) return;
		const notice = { type, data: data() };
		for (const listener of this.#listeners) listener(notice);
	}

	subscribe(listener: Listener): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	get size(): number {
		return this.#listeners.size;
	}
}
