import type { Clock } from '#nodes/shared/tools/clock.ts';

/**
 * A clock that jumps to the next sleeper when nothing else is left to do. Hours pass in
 * milliseconds, in a fixed order.
 */
export class VirtualClock implements Clock {
	private time = 0;
	private readonly sleepers: Array<{ until: number; wake: () => void; isNeeded: () => boolean }> =
		[];
	private jumping = false;

	/** @param signal wakes all sleepers */
	constructor(private readonly signal?: AbortSignal) {
		signal?.addEventListener('abort', () => this.sleepers.splice(0).forEach(({ wake }) => wake()));
	}

	now(): number {
		return this.time;
	}

	/** Timers that somebody needs. */
	get timers(): number {
		return this.sleepers.filter(({ isNeeded }) => isNeeded()).length;
	}

	async sleep(milliseconds: number, isNeeded = () => true): Promise<void> {
		if (this.signal?.aborted) return;
		await new Promise<void>((wake) => {
			this.sleepers.push({ until: this.time + Math.max(0, milliseconds), wake, isNeeded });
			this.jumpWhenIdle();
		});
	}

	private jumpWhenIdle(): void {
		if (this.jumping) return;
		this.jumping = true;
		setImmediate(() => {
			this.jumping = false;
			this.sleepers.sort((left, right) => left.until - right.until);
			const next = this.sleepers.shift();
			if (!next) return;
			if (next.isNeeded()) this.time = Math.max(this.time, next.until);
			next.wake();
			if (this.sleepers.length > 0) this.jumpWhenIdle();
		});
	}
}
