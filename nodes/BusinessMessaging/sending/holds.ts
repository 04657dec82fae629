const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Longest pause for others than the message that the service asked to wait, in milliseconds. */
const LONGEST_PAUSE = 15 * MINUTE;
/** Recipients whose refusals, with nothing accepted between, are the channel's. */
const MANY = 3;
/** After this many milliseconds without a response to a try, one more may leave as a try. */
const TRY_PATIENCE = 2 * SECOND;

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
	/** `outage`: nobody knows what became of the last messages. */
	reason: 'rate_limited' | 'service_unavailable' | 'outage';
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
	/** Those of them that were refused since a message was accepted. */
	private readonly refused = new Map<string, Hold>();
	/** When a message was last accepted, and how many were. */
	private accepted = -Infinity;
	acceptances = 0;
	/** Messages that left: all, those before the channel's pause began, and the last try. */
	private departures = 0;
	private before = 0;
	private lastTry = 0;
	/** Tries without a response, and when one more may leave, as the last of them has none. */
	private readonly tries = new Set<number>();
	private nextTry = -Infinity;

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
		const { accepted, channel, unavailable } = this;
		const isOwn = own !== undefined && own.until > now;
		const vain = [channel, own].find((hold) => hold?.isVain(now, accepted));
		const ofChannel = Math.max(channel.until, unavailable.until);
		const until = vain ? vain.vainFrom + MINUTE : Math.max(ofChannel, own?.until ?? -Infinity);
		const isLong = channel.until - channel.from > MINUTE && unavailable.until <= now;
		const mayTry = !vain && isLong && !this.wasRefused(recipient, now);
		const next = mayTry ? Math.min(this.tryAt(departure), until) : until;
		if (next <= now) return undefined;
		const isOfChannel = vain ? vain === channel : until === ofChannel;
		return {
			...{ of: isOfChannel ? 'channel' : 'recipient', until, next, isOwn, isVain: !!vain },
			reason: until === unavailable.until ? 'service_unavailable' : 'rate_limited',
		};
	}

	/** Until when a message to the recipient waits for what becomes of another. 0: it need not. */
	triedUntil(recipient: string, now: number): number {
		const { tries, nextTry } = this;
		if (tries.size === 0 || nextTry <= now || this.wasRefused(recipient, now)) return 0;
		return this.areRefused(MANY - 1, now) ? nextTry : 0;
	}

	/** @returns the number of the message that leaves */
	depart(recipient: string, now: number): number {
		this.departures++;
		const isTry = this.channel.until > now || this.areRefused(MANY - 1, now);
		if (isTry && !this.wasRefused(recipient, now)) {
			this.lastTry = this.departures;
			this.tries.add(this.departures);
			this.nextTry = now + TRY_PATIENCE;
		}
		return this.departures;
	}

	/** @param isTold false: it was not sent, or refused for itself, and so tried nothing */
	end(departure: number, isTold: boolean): void {
		if (!this.tries.delete(departure) || isTold) return;
		this.lastTry = 0;
		this.nextTry = -Infinity;
	}

	/** Counts a 503 with `Retry-After`. */
	pause(now: number, asked: number): void {
		this.unavailable.refuse(now, asked, this.accepted);
	}

	/** Counts a 429. */
	refuse(now: number, recipient: string, departure: number, asked: number | undefined): void {
		const { recipients, refused, channel, accepted } = this;
		for (const [name, hold] of recipients) if (hold.isOver(now)) recipients.delete(name);
		const hold = recipients.get(recipient) ?? new Hold();
		recipients.set(recipient, hold);
		refused.delete(recipient);
		const isOfChannel = this.areRefused(MANY - 1, now);
		refused.set(recipient, hold);
		if (this.tries.has(departure)) this.tries.clear();
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
		this.acceptances++;
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

	private wasRefused(recipient: string, now: number): boolean {
		return this.recipients.get(recipient)?.isOver(now) === false;
	}

	/** Whether this many recipients were refused. Each counts until a minute after its pause. */
	private areRefused(number: number, now: number): boolean {
		let left = number;
		for (const [recipient, hold] of this.refused) {
			if (hold.isOver(now)) this.refused.delete(recipient);
			else if (--left === 0) return true;
		}
		return false;
	}

	/** When a message may leave to try whether the channel's pause is over. */
	private tryAt(departure: number): number {
		const { channel, before, lastTry } = this;
		const isTry = departure > 0 ? departure > before : lastTry <= before;
		return isTry ? channel.from + MINUTE : Infinity;
	}
}
