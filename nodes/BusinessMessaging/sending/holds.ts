const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Longest pause for others than the message that the service asked to wait, in milliseconds. */
const LONGEST_PAUSE = 15 * MINUTE;
/** Milliseconds of the refusals that tell together whether the channel is meant. */
const TOGETHER = 10 * SECOND;

/** What a message must wait for. */
export interface Held {
	of: 'recipient' | 'channel';
	/** By the clock. */
	until: number;
	reason: 'rate_limited' | 'service_unavailable';
	/** Nobody waits: a minute of pauses passed in vain. */
	isVain: boolean;
}

/** How far 429s hold back one recipient, or a whole channel: docs/decisions/pace.md. */
class Hold {
	/** The last pause. */
	from = -Infinity;
	until = -Infinity;
	/** From when on nobody waits, for a minute. */
	vainFrom = -Infinity;
	/** When the minute of pauses that the node chose itself began. */
	private since: number | undefined;
	private pauses = 0;

	/** @param accepted when the service last accepted a message to the channel */
	isVain(now: number, accepted: number): boolean {
		return this.vainFrom > accepted && now < this.vainFrom + MINUTE;
	}

	/** Whether nothing is left to remember. */
	isOver(now: number): boolean {
		return now - Math.max(this.until, this.vainFrom) >= MINUTE;
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
		if (!isPaused) this.from = now;
		const wait = asked ?? Math.min(SECOND * 2 ** this.pauses, left);
		if (!isPaused) this.pauses++;
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
	/** Those that are not over. */
	private readonly recipients = new Map<string, Hold>();
	private unavailableUntil = -Infinity;
	/** Refused since the last message was accepted. */
	private readonly refusedSince = new Set<string>();
	private refusals: Array<{ at: number; recipient: string }> = [];
	private acceptances: number[] = [];
	private accepted = -Infinity;
	/** Messages that left. */
	private departures = 0;
	/** Those that left before the channel's pause began. */
	private before = 0;
	/** Whether a message was tried within the channel's pause. */
	private isTried = false;

	isIdle(now: number): boolean {
		return (
			this.unavailableUntil <= now &&
			[this.channel, ...this.recipients.values()].every((hold) => hold.isOver(now))
		);
	}

	/** @returns undefined if a message to the recipient may leave */
	of(recipient: string, now: number): Held | undefined {
		const own = this.recipients.get(recipient);
		const { accepted, channel, unavailableUntil } = this;
		if (channel.isVain(now, accepted)) return inVain('channel', channel);
		if (own?.isVain(now, accepted)) return inVain('recipient', own);
		const ofChannel = Math.max(channel.until, unavailableUntil);
		const until = Math.max(ofChannel, own?.until ?? -Infinity);
		if (until <= now) return undefined;
		return {
			of: until === ofChannel ? 'channel' : 'recipient',
			until,
			reason: until === unavailableUntil ? 'service_unavailable' : 'rate_limited',
			isVain: false,
		};
	}

	/**
	 * When a message to the recipient may try whether the channel's pause is over early. Infinity:
	 * not at all.
	 */
	triesAt(recipient: string, now: number): number {
		const { from, until } = this.channel;
		const isHeldAlone = until > now && this.unavailableUntil <= now && !this.isTried;
		return isHeldAlone && until - from > MINUTE && !this.recipients.has(recipient)
			? from + MINUTE
			: Infinity;
	}

	/** Whether a message that was let leave must wait after all, because a hold began meanwhile. */
	isHeld(recipient: string, departure: number, now: number): boolean {
		const isTry = this.channel.until > now && departure > this.before;
		const held = this.of(recipient, now);
		return held !== undefined && !(isTry && held.reason === 'rate_limited');
	}

	/** @returns the number of the message that leaves */
	depart(now: number): number {
		if (this.channel.until > now) this.isTried = true;
		return ++this.departures;
	}

	/** Counts a 503 with `Retry-After`. */
	pause(now: number, asked: number): void {
		this.unavailableUntil = Math.max(this.unavailableUntil, now + Math.min(asked, LONGEST_PAUSE));
	}

	/** Counts a 429. */
	refuse(now: number, recipient: string, departure: number, asked: number | undefined): void {
		for (const [name, hold] of this.recipients) if (hold.isOver(now)) this.recipients.delete(name);
		const capped = asked === undefined ? undefined : Math.min(asked, LONGEST_PAUSE);
		this.refusals.push({ at: now, recipient });
		const isOfChannel = this.isChannelMeant(now, recipient);
		this.refusedSince.add(recipient);
		const hold = this.recipients.get(recipient) ?? new Hold();
		this.recipients.set(recipient, hold);
		// The channel's pauses grow then, not the recipient's.
		if (isOfChannel && hold.until <= now) hold.accept();
		hold.refuse(now, capped, this.accepted);
		const isHeld = this.channel.until > now;
		// What was tried within the pause changes nothing.
		if (!isOfChannel || (isHeld && departure > this.before)) return;
		this.channel.refuse(now, capped, this.accepted);
		if (isHeld) return;
		this.before = this.departures;
		this.isTried = false;
	}

	/** Counts an accepted message. */
	accept(now: number, recipient: string, departure: number): void {
		this.accepted = now;
		this.acceptances.push(now);
		if (this.acceptances.length > 10_000) this.acceptances.splice(0, 5_000);
		this.refusedSince.clear();
		this.channel.accept();
		if (departure > this.before) this.channel.until = Math.min(this.channel.until, now);
		const hold = this.recipients.get(recipient);
		hold?.accept();
		if (hold && hold.until <= now) this.recipients.delete(recipient);
	}

	/** A 429 does not say whether it is about the recipient or the channel. */
	private isChannelMeant(now: number, recipient: string): boolean {
		for (const other of this.refusedSince)
			if (other !== recipient && this.recipients.has(other)) return true;
		this.refusals = this.refusals.filter(({ at }) => now - at < TOGETHER);
		this.acceptances = this.acceptances.filter((at) => now - at < TOGETHER);
		const recipients = new Set(this.refusals.map((refusal) => refusal.recipient));
		return recipients.size >= 3 && this.refusals.length > this.acceptances.length;
	}
}

const inVain = (of: Held['of'], { vainFrom }: Hold): Held => ({
	...{ of, until: vainFrom + MINUTE, reason: 'rate_limited', isVain: true },
});
