import type { Held } from './holds';

const SECOND = 1000;
/** Milliseconds of pauses together, without the requests between them. */
const LONGEST_PAUSE = 60 * SECOND;
/** Unknown outcomes in a row that are an outage. */
const MANY = 3;
/** Milliseconds for which others go before a message whose recipient, or whose file, was tried. */
const GRACE = SECOND;

/** A message, as far as an outage looks at it. */
export interface Trier {
	readonly recipient: string;
	/** Identifies its file. */
	readonly fileId: string | undefined;
}

/**
 * What unknown outcomes in a row hold back, of one batch on one channel. Each would put one
 * more message in doubt, so one at a time tries whether the service is back.
 *
 * `counting`: fewer than three in a row. `ending`: three, and others or a try are under way.
 * `paused`: nothing is under way, until a time; then the next message is the try. An accepted
 * message, of any batch, begins anew.
 */
export class Outage {
	private unknown = 0;
	/** What the messages with unknown outcomes had. */
	private readonly tried = new Set<string>();
	/** Of the channel, when the first outcome was unknown. */
	private acceptances = 0;
	private readonly underWay = new Set<object>();
	private pauses = 0;
	private paused = 0;
	private until = -Infinity;
	private current: object | undefined;

	/** @param acceptances of the channel */
	holds(message: Trier, now: number, acceptances: number): Held | undefined {
		if (this.unknown < MANY || acceptances !== this.acceptances || this.current === message)
			return undefined;
		const isBusy = this.underWay.size > 0 || this.current !== undefined;
		const tryAt = isBusy ? Infinity : this.until + (this.wasTried(message) ? GRACE : 0);
		if (tryAt <= now) return undefined;
		return {
			...{ of: 'channel', reason: 'outage', isOwn: false, isVain: false },
			until: Math.max(now, this.until) + LONGEST_PAUSE - this.paused,
			next: tryAt,
		};
	}

	/** It left the queue. */
	leaves(message: Trier): void {
		if (this.unknown >= MANY) this.current = message;
	}

	begin(message: Trier): void {
		this.underWay.add(message);
	}

	/**
	 * A message ended, or went back to the queue.
	 * @param outcome `refused`: the service answered about this message. Undefined: nothing of both
	 * @returns whether nothing more is tried
	 */
	end(message: Trier, now: number, acceptances: number, outcome?: 'unknown' | 'refused'): boolean {
		const isUnknown = outcome === 'unknown';
		this.underWay.delete(message);
		// They are not in a row. Once there were three, only an accepted message ends it.
		if (outcome === 'refused' && this.unknown < MANY) this.unknown = 0;
		if (this.current === message) this.current = undefined;
		if (isUnknown) this.count(message, acceptances);
		if (this.unknown < MANY || acceptances !== this.acceptances || this.underWay.size > 0)
			return false;
		if (!isUnknown && this.pauses > 0) return false;
		const pause = Math.min(SECOND * 2 ** this.pauses++, LONGEST_PAUSE - this.paused);
		this.paused += pause;
		this.until = now + pause;
		return pause === 0;
	}

	/** Whether a message to its recipient, or with its file, had an unknown outcome. */
	private wasTried({ recipient, fileId }: Trier): boolean {
		return this.tried.has(`to ${recipient}`) || (fileId !== undefined && this.tried.has(fileId));
	}

	private count({ recipient, fileId }: Trier, acceptances: number): void {
		if (this.unknown === 0 || acceptances !== this.acceptances) {
			this.acceptances = acceptances;
			[this.unknown, this.pauses, this.paused] = [0, 0, 0];
			this.tried.clear();
		}
		this.unknown++;
		this.tried.add(`to ${recipient}`);
		if (fileId !== undefined) this.tried.add(fileId);
	}
}
