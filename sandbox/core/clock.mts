import { Refusal } from './errors.mts';
import type { Meta } from './meta.mts';

/** Highest speed of the clock: a day in a second. */
export const MAX_SPEED = 86_400;
/** Bounds of the clock: the years 2000 to 2100, which every date form of the service can write. */
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

/**
 * The sandbox's time in milliseconds, for the conversation window, retries, codes and status
 * changes. It can be moved, sped up and stopped (speed 0). Signatures carry real time, because
 * receivers compare them with their own clocks.
 */
export class Clock {
	readonly #meta: Meta;
	readonly #listeners = new Set<() => void>();
	#realAnchor = 0;
	#anchor = 0;
	#speed = 1;

	constructor(meta: Meta) {
		this.#meta = meta;
		this.reload();
	}

	/** Reads the clock from the data file. A new file starts on real time. */
	reload(): void {
		const stored = this.#meta.get('clock');
		const now = Date.now();
		const state = stored
			? (JSON.parse(stored) as { realAnchor: number; anchor: number; speed: number })
			: { realAnchor: now, anchor: now, speed: 1 };
		this.#realAnchor = state.realAnchor;
		this.#anchor = state.anchor;
		this.#speed = state.speed;
		this.#announce();
	}

	now(): number {
		return Math.min(
			LATEST,
			Math.floor(this.#anchor + (Date.now() - this.#realAnchor) * this.#speed),
		);
	}

	get speed(): number {
		return this.#speed;
	}

	/** Real milliseconds until the clock shows `time`; undefined if it stops before. */
	realDelayUntil(time: number): number | undefined {
		const wait = time - this.now();
		if (wait <= 0) return 0;
		return this.#speed === 0 ? undefined : Math.ceil(wait / this.#speed);
	}

	set(time: number, speed = this.#speed): void {
		if (!(time >= EARLIEST && time <= LATEST))
			throw new Refusal(400, 'The clock runs from the year 2000 to the year 2100');
		this.#realAnchor = Date.now();
		this.#anchor = time;
		this.#speed = speed;
		this.#meta.set('clock', JSON.stringify({ realAnchor: this.#realAnchor, anchor: time, speed }));
		this.#announce();
	}

	/** Calls `listener` whenever the clock is moved. */
	onMove(listener: () => void): void {
		this.#listeners.add(listener);
	}

	#announce(): void {
		for (const listener of this.#listeners) listener();
	}
}

/** `2026-07-15T19:00:00.000+0000`: dates of channel webhooks. Source: docs/contract.md. */
export const channelDate = (time: number) => new Date(time).toISOString().replace('Z', '+0000');

/** `2026-07-15T19:00:00.000+00:00`: dates of template webhooks. Source: docs/contract.md. */
export const templateDate = (time: number) => new Date(time).toISOString().replace('Z', '+00:00');
