const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Longest pause for others than the message that the service asked to wait, in milliseconds. */
const LONGEST_PAUSE = 15 * MINUTE;
/** Milliseconds of the outcomes that tell together whether the channel is meant. */
const TOGETHER = 10 * SECOND;
/** Outcomes that are remembered. */
const MAX_OUTCOMES = 10_000;

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
	/** How many messages the channel had accepted at the last refusal. */
	acceptedBefore = -1;
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
		const least = isPaused ? SECOND : shortestPause(this.pauses);
		const wait =
			asked === undefined
				? Math.min(SECOND * 2 ** this.pauses, left)
				: Math.min(Math.max(asked, least), LONGEST_PAUSE);
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
	private outcomes: Array<{ at: number; refused?: string }> = [];
	/** When a message was last accepted, and how many were. */
	private accepted = -Infinity;
	private acceptances = 0;
	/** Messages that left: all, and those before the channel's pause began. */
	private departures = 0;
	private before = 0;

	isIdle(now: number): boolean {
		const holds = [this.channel, this.unavailable, ...this.recipients.values()];
		return holds.every((hold) => hold.isOver(now));
	}

	/** @returns undefined if a message to the recipient may leave */
	of(recipient: string, now: number): Held | undefined {
		const own = this.recipients.get(recipient);
		const { accepted, channel, unavailable } = this;
		if (channel.isVain(now, accepted)) return inVain('channel', channel);
		if (own?.isVain(now, accepted)) return inVain('recipient', own);
		const ofChannel = Math.max(channel.until, unavailable.until);
		const until = Math.max(ofChannel, own?.until ?? -Infinity);
		const isUnavailable = unavailable.until > now;
		const isLong = channel.until - channel.from > MINUTE;
		const mayTry = isLong && !own && !isUnavailable && this.departures === this.before;
		const next = mayTry ? channel.from + MINUTE : until;
		if (next <= now) return undefined;
		const of = until === ofChannel ? 'channel' : 'recipient';
		const reason = until === unavailable.until ? 'service_unavailable' : 'rate_limited';
		return { of, until, next, reason, isVain: false };
	}

	/** Whether a message that was let leave must wait after all, because a hold began meanwhile. */
	isHeld(recipient: string, departure: number, now: number): boolean {
		const held = this.of(recipient, now);
		return held !== undefined && !(this.isTry(departure, now) && held.reason === 'rate_limited');
	}

	/** @returns the number of the message that leaves */
	depart(): number {
		return ++this.departures;
	}

	/** Counts a 503 with `Retry-After`. */
	pause(now: number, asked: number): void {
		this.unavailable.refuse(now, asked, this.accepted);
	}

	/** Counts a 429. */
	refuse(now: number, recipient: string, departure: number, asked: number | undefined): void {
		const { recipients, channel, accepted } = this;
		for (const [name, hold] of recipients) if (hold.isOver(now)) recipients.delete(name);
		this.remember({ at: now, refused: recipient });
		const isOfChannel = this.isChannelMeant(now, recipient);
		const hold = recipients.get(recipient) ?? new Hold();
		recipients.set(recipient, hold);
		hold.acceptedBefore = this.acceptances;
		// The channel's pauses grow then, not the recipient's.
		if (isOfChannel && hold.until <= now) hold.accept();
		hold.refuse(now, asked, accepted);
		// What was tried within the pause changes nothing.
		if (!isOfChannel || this.isTry(departure, now)) return;
		if (channel.until <= now) this.before = this.departures;
		channel.refuse(now, asked, accepted);
	}

	/** Counts an accepted message. */
	accept(now: number, recipient: string, departure: number): void {
		const { channel, unavailable, recipients } = this;
		this.accepted = now;
		this.acceptances++;
		this.remember({ at: now });
		if (this.isTry(departure, now)) channel.until = now;
		const hold = recipients.get(recipient);
		for (const each of [channel, unavailable, hold]) each?.accept();
		if (hold && hold.until <= now) recipients.delete(recipient);
	}

	/** Whether it left within the channel's pause, which is not over. */
	private isTry(departure: number, now: number): boolean {
		return this.channel.until > now && departure > this.before;
	}

	private remember(outcome: (typeof this.outcomes)[number]): void {
		this.outcomes.push(outcome);
		if (this.outcomes.length > MAX_OUTCOMES) this.outcomes.splice(0, MAX_OUTCOMES / 2);
	}

	/** A 429 does not say whether it is about the recipient or the channel. */
	private isChannelMeant(now: number, recipient: string): boolean {
		for (const [other, { acceptedBefore }] of this.recipients)
			if (other !== recipient && acceptedBefore === this.acceptances) return true;
		this.outcomes = this.outcomes.filter(({ at }) => now - at < TOGETHER);
		const refusals = this.outcomes.flatMap(({ refused }) => refused ?? []);
		return new Set(refusals).size >= 3 && refusals.length > this.outcomes.length / 2;
	}
}

const inVain = (of: Held['of'], { vainFrom }: Hold): Held => {
	const until = vainFrom + MINUTE;
	return { of, until, next: until, reason: 'rate_limited', isVain: true };
};
