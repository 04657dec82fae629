import { notDone, type ServiceError } from '../service/errors';
import { laterBy } from '../shared/tools/clock';
import type { Held, Holds } from './holds';

/** Milliseconds for which a response counts: clocks that count whole ones can disagree by one. */
export const COUNTED = 1001;
/** Executions that wait for one hold at most, because each takes a place in n8n. */
const MAX_WAITING = 3;
/** Milliseconds of a channel's pause for which any number of executions wait. */
const SHORT_PAUSE = 2 * 60_000;
/** Longest time that an item waits because it, or what it follows, was refused or held. */
const LONGEST_WAIT = 15 * 60_000;

/** What decides about a message: its own state, and that of its channel. */
export interface Message {
	readonly execution: object;
	/** In one spelling. */
	readonly recipient: string;
	/** 0 for no limit. */
	readonly maxPerSecond: number;
	/** When it must have left. */
	readonly latest: number;
	/** From 1 on: it left the queue. 0: it waits. */
	readonly number: number;
	/** The first moment at which it, or what it follows, was refused or held, or waited for a key. */
	readonly heldSince: number | undefined;
	/** Whether it waits for its Send Once Key, and not to leave. */
	readonly waitsForKey: boolean;
	/** Whether its execution may have one more message under way. */
	readonly hasFreePlace: boolean;
	/** Where its execution tries no more, of its recipient and channel what lasts longer. */
	readonly closed: { until: number } | undefined;
}

export interface Channel {
	readonly holds: Pick<Holds, 'of' | 'isTriedBefore'>;
	/** Messages that left the queue and have no response. */
	readonly inFlight: number;
	/** When the responses came that count against a limit, ascending. */
	readonly responses: readonly number[];
	/** Within a look, of those before: executions that wait for a recipient, or for the channel. */
	readonly crowds: ReadonlyMap<string, ReadonlySet<object>>;
	/** The same: whether one waits for its limit that nobody may overtake any longer. */
	readonly isClosed: boolean;
}

export type Wait =
	/** `until`: when to ask again, if nothing changes before. */
	| { for: 'key' | 'try' | 'place' | 'limit'; until: number }
	| { for: 'service'; until: number; held: Held; crowd?: string | undefined };
export type Failed = { fail: WhyNot | 'closed'; held?: Held | undefined };
export type Decision = 'leave' | { wait: Wait } | Failed;

/** Until when an item may wait. */
export const waitsUntil = (
	{ latest, heldSince }: Pick<Message, 'latest' | 'heldSince'>,
	now: number,
): number => Math.min(latest, (heldSince ?? now) + LONGEST_WAIT);

/** Says what a message does now: docs/decisions/pace.md has the same as a table. */
export function mayLeave(message: Message, channel: Channel, now: number): Decision {
	const { recipient, maxPerSecond, latest, number } = message;
	const until = waitsUntil(message, now);
	if (message.waitsForKey) return now >= until ? { fail: 'key' } : { wait: { for: 'key', until } };
	if (message.closed && message.closed.until > now) return { fail: 'closed' };
	const held = channel.holds.of(recipient, number, now);
	if (now >= latest) return { fail: 'late', held };
	if (number > 0) return held ? { wait: { for: 'service', until: held.next, held } } : 'leave';
	if (held) {
		if (held.isVain) return { fail: 'vain', held };
		const crowd = crowdOf(recipient, held, now);
		const before = channel.crowds.get(crowd ?? '');
		if (before && before.size >= MAX_WAITING && !before.has(message.execution))
			return { fail: held.isOwn ? 'ownCrowd' : 'crowd', held };
		if (until < latest && held.until > until) return { fail: 'long', held };
		return { wait: { for: 'service', until: Math.min(held.next, latest), held, crowd } };
	}
	if (channel.holds.isTriedBefore(recipient)) return { wait: { for: 'try', until: latest } };
	if (!message.hasFreePlace) return { wait: { for: 'place', until: latest } };
	if (maxPerSecond === 0) return 'leave';
	const free = freeAt(maxPerSecond, channel);
	return free <= now ? 'leave' : { wait: { for: 'limit', until: Math.min(free, latest) } };
}

/** For what three executions wait at most. Undefined: for this, any number does. */
function crowdOf(recipient: string, held: Held, now: number): string | undefined {
	if (held.isOwn) return `to ${recipient}`;
	return held.until - now > SHORT_PAUSE ? 'channel' : undefined;
}

/** When one more request may start. Infinity: not before a response, or another's start. */
function freeAt(maxPerSecond: number, { inFlight, responses, isClosed }: Channel): number {
	const tooMany = inFlight + responses.length - maxPerSecond;
	if (!isClosed && tooMany < 0) return 0;
	const response = isClosed ? undefined : responses[tooMany];
	return response === undefined ? Infinity : response + COUNTED;
}

const SLOW_DOWN = 'the service asks to slow down';
const CAUSES = {
	vain: `${SLOW_DOWN}, and waiting did not help`,
	ownCrowd: `${SLOW_DOWN}, and three executions already wait for this recipient`,
	crowd: `${SLOW_DOWN}, and three executions already wait for this channel`,
	long: 'the service asks to wait for longer than a message waits',
	late: 'the service asked to wait, and the wait is not over',
	key: 'others with its Send Once Key were not done after 15 minutes',
};
export type WhyNot = keyof typeof CAUSES;
/** Milliseconds after which a key that others wait for is tried again. */
const TRY_AGAIN = 60_000;

/** The error of a message that is not sent, because it must not wait. */
export function notSent(
	name: string,
	why: WhyNot,
	held: Held | undefined,
	now: number,
	timeZone?: string,
): ServiceError {
	const isKey = why === 'key';
	const reason = isKey ? 'key_waiting' : (held?.reason ?? 'rate_limited');
	const error = notDone(`send the ${name}`, reason, {
		cause: CAUSES[why],
		hint: `Nothing was sent.${isKey ? '' : ' To send more slowly, use the option "Max per Second".'}`,
	});
	return triedLater(error, isKey ? TRY_AGAIN : (held?.until ?? now) - now, timeZone);
}

/** Says in an error when the message can be tried again. */
export function triedLater(error: ServiceError, wait: number, timeZone?: string): ServiceError {
	const { iso, said } = laterBy(wait, timeZone);
	return error.but({ hint: `${error.hint} Try again after ${said}.`, retryAt: iso });
}
