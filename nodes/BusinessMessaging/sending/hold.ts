/** How often a message is offered to a service that keeps asking to wait. */
export const MAX_ATTEMPTS = 20;

const A_MINUTE = 60_000;
/** Milliseconds of the first wait, if the service does not say how long. The next is twice that. */
const FIRST_WAIT = 1000;

/**
 * How far a 429 holds back one recipient, or a whole channel. It is in one of these states:
 *
 * - Open. Messages leave.
 * - Paused. They wait. At the end they leave, and the next 429 makes the next pause longer.
 * - In vain. The service still refused after a minute of pauses. Messages fail, for a minute.
 *
 * An accepted message ends the minute of pauses, and what is in vain. A pause lasts on.
 */
export class Hold {
	private pausedUntil = -Infinity;
	private vainUntil = -Infinity;
	/** When the first of these refusals came. Undefined: a message was accepted since. */
	private since: number | undefined;
	/** Pauses since then. */
	private pauses = 0;

	/** Milliseconds for which it is still paused. 0 if it is not. */
	pauseLeft(now: number): number {
		return Math.max(0, this.pausedUntil - now);
	}

	isInVain(now: number): boolean {
		return this.vainUntil > now;
	}

	/** Whether all was refused that left after a pause, as far as is known. */
	isTrying(now: number): boolean {
		return this.since !== undefined && now - this.pausedUntil < A_MINUTE;
	}

	/** Whether nothing is left to remember. */
	isOver(now: number): boolean {
		return !this.isInVain(now) && now - this.pausedUntil >= A_MINUTE;
	}

	/** @param asked milliseconds that the service asks to wait */
	refuse(now: number, asked: number | undefined): void {
		const isPaused = this.pauseLeft(now) > 0;
		// It left before this state began.
		if (this.isInVain(now) || (isPaused && asked === undefined)) return;
		if (this.since === undefined || !this.isTrying(now)) {
			this.since = now;
			this.pauses = 0;
		}
		const left = this.since + A_MINUTE - now;
		const isTooLong = asked === undefined && left < FIRST_WAIT;
		if (isTooLong || (!isPaused && this.pauses + 1 === MAX_ATTEMPTS)) {
			this.since = undefined;
			this.vainUntil = now + A_MINUTE;
			return;
		}
		const wait = asked ?? Math.min(FIRST_WAIT * 2 ** this.pauses, left);
		if (!isPaused) this.pauses++;
		this.pausedUntil = Math.max(this.pausedUntil, now + wait);
	}

	accept(): void {
		this.since = undefined;
		this.vainUntil = -Infinity;
	}
}
