const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Longest pause for others than the message that the service asked to wait, in milliseconds. */
const LONGEST_PAUSE = 15 * MINUTE;
/** Recipients whose refusals, with nothing accepted between, are the channel's. */
const MANY = 3;

/**
 * The shortest pause that the service can ask for, because a `Retry-After` of 0 s would flood it:
 * 1 s three times, and then twice as long each time, up to half a minute.
 */
const shortestPause = (before: number): number =>
	Math.min(SECOND * 2 ** Math.max(0, before - 2), MINUTE / 2);

/** What a message must wait for. */
export interface Held {
	of: 'recipient' | 'channel';
	/** By the clock. */
	until: number;
	/** When it may leave: at the end, or before, to try whether the channel's pause is over. */
	next: number;
	reason: 'rate_limited' | 'service_unavailable';
	/** Whether its recipient is held itself. */
	isOwn: boolean;
	/** Nobody waits: a minute of pauses passed in vain. */
	isVain: boolean;
}

/** How far refusals hold back one recipient, or a whole channel: docs/decisions/pace.md. */
class Hold {
	/** The last pause. */
	from = -Infinity;
	until = -Infinity;
	/** From when on nobody waits, for a minute. */
	vainFrom = -Infinity;
	/** When the minute of pauses that the node chose itself began. */
	private since: number | undefined;
	private pauses = 0;

	/** Whether nothing is left to remember. */
	isOver(now: number): boolean {
		return now - Math.max(this.until, this.vainFrom) >= MINUTE;
	}

	/** @param accepted when the service last accepted a message to the channel */
	isVain(now: number, accepted: number): boolean {
		return this.vainFrom > accepted && now < this.vainFrom + MINUTE;
	}

	/** @param asked milliseconds that the service asks to wait */
	refuse(now: number, asked: number | undefined, accepted: number): void {
		const isPaused = this.until > now;
		// It left before this state began.
		if (this.isVain(now, accepted) || (isPaused && asked === undefined)) return;
		if (this.since === undefined || this.isOver(now)) {
			this.since = now;
			this.pauses = 0;
		}
		this.since = Math.max(this.since, accepted);
		const left = this.since + MINUTE - now;
		if (asked === undefined && left < SECOND) {
			this.since = undefined;
			this.vainFrom = now;
			return;
		}
		const least = isPaused ? SECOND : shortestPause(this.pauses);
		const chosen = Math.min(SECOND * 2 ** this.pauses, left);
		const wait = asked === undefined ? chosen : Math.min(Math.max(asked, least), LONGEST_PAUSE);
		if (!isPaused) {
			this.from = now;
			this.pauses++;
		}
		this.until = Math.max(this.until, now + wait);
		if (asked !== undefined) this.since = this.until;
	}

	accept(): void {
		this.since = undefined;
		this.vainFrom = -Infinity;
	}
}

/** What the refusals of a channel hold, for all executions of the process. */
export class Holds {
	private readonly channel = new Hold();
	/** By a 503. */
	private readonly unavailable = new Hold();
	/** Those that are not over. */
	private readonly recipients = new Map<string, Hold>();
	/** The first of those that were refused since a message was accepted. */
	private readonly refused = new Set<string>();
	/** When a message was last accepted. */
	private accepted = -Infinity;
	/** Messages that left: all, those before the channel's pause began, and the last try. */
	private departures = 0;
	private before = 0;
	private lastTry = 0;
	private isTrying = false;

	isIdle(now: number): boolean {
		const holds = [this.channel, this.unavailable, ...this.recipients.values()];
		return holds.every((hold) => hold.isOver(now));
	}

	/**
	 * @param departure of a message that left the queue, or 0
	 * @returns undefined if a message to the recipient may leave
	 */
	of(recipient: string, departure: number, now: number): Held | undefined {
		const own = this.recipients.get(recipient);
		const { accepted, channel, unavailable, before } = this;
		const isOwn = own !== undefined && own.until > now;
		const vain = [channel, own].find((hold) => hold?.isVain(now, accepted));
		const ofChannel = Math.max(channel.until, unavailable.until);
		const until = vain ? vain.vainFrom + MINUTE : Math.max(ofChannel, own?.until ?? -Infinity);
		const isUntried = departure > before || (departure === 0 && this.lastTry <= before);
		const isLong = channel.until - channel.from > MINUTE && unavailable.until <= now;
		const mayTry = !vain && isLong && isUntried && !this.wasRefused(recipient);
		const next = mayTry ? channel.from + MINUTE : until;
		if (next <= now) return undefined;
		const isOfChannel = vain ? vain === channel : until === ofChannel;
		return {
			...{ of: isOfChannel ? 'channel' : 'recipient', until, next, isOwn, isVain: !!vain },
			reason: until === unavailable.until ? 'service_unavailable' : 'rate_limited',
		};
	}

	/** Whether a message to the recipient waits until it is known what becomes of another. */
	isTriedBefore(recipient: string): boolean {
		return this.isTrying && this.refused.size >= MANY - 1 && !this.wasRefused(recipient);
	}

	/** @returns the number of the message that leaves */
	depart(recipient: string, now: number): number {
		const isTry = this.refused.size >= MANY - 1 || this.channel.until > now;
		this.departures++;
		if (isTry && !this.wasRefused(recipient)) {
			this.lastTry = this.departures;
			this.isTrying = true;
		}
		return this.departures;
	}

	/** @param isSent false: it was held back before its request */
	end(departure: number, isSent: boolean): void {
		if (departure !== this.lastTry) return;
		this.isTrying = false;
		if (!isSent) this.lastTry = 0;
	}

	/** Counts a 503 with `Retry-After`. */
	pause(now: number, asked: number): void {
		this.unavailable.refuse(now, asked, this.accepted);
	}

	/** Counts a 429. */
	refuse(now: number, recipient: string, departure: number, asked: number | undefined): void {
		const { recipients, refused, channel, accepted } = this;
		for (const [name, hold] of recipients) if (hold.isOver(now)) recipients.delete(name);
		if (refused.size < MANY) refused.add(recipient);
		const isOfChannel = refused.size === MANY;
		const hold = recipients.get(recipient) ?? new Hold();
		recipients.set(recipient, hold);
		// The channel's pauses grow then, not the recipient's.
		if (isOfChannel && hold.until <= now) hold.accept();
		hold.refuse(now, asked, accepted);
		// What was tried within the pause changes nothing.
		if (!isOfChannel || this.leftWithin(departure, now)) return;
		if (channel.until <= now) this.before = this.departures;
		channel.refuse(now, asked, accepted);
	}

	accept(now: number, recipient: string, departure: number): void {
		const { channel, unavailable, recipients } = this;
		this.accepted = now;
		this.refused.clear();
		if (this.leftWithin(departure, now)) channel.until = now;
		const hold = recipients.get(recipient);
		for (const each of [channel, unavailable, hold]) each?.accept();
		if (hold && hold.until <= now) recipients.delete(recipient);
	}

	/** Whether it left within the channel's pause, which is not over. */
	private leftWithin(departure: number, now: number): boolean {
		return this.channel.until > now && departure > this.before;
	}

	private wasRefused(recipient: string): boolean {
		return this.refused.has(recipient) || this.recipients.has(recipient);
	}
}
