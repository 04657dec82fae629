import { notDone, type ServiceError } from '../service/errors';
import { laterBy } from '../shared/tools/clock';
import type { Held, Holds } from './holds';

/** Milliseconds for which a response counts: clocks that count whole ones can disagree by one. */
export const COUNTED = 1001;
/** Milliseconds of a pause for which any number of batches wait: of any, and of a channel's. */
const SHORT_WAIT = 10_000;
const SHORT_PAUSE = 2 * 60_000;
/** Longest time that an item waits because it, or what it follows, was refused or held. */
const LONGEST_WAIT = 15 * 60_000;

/** What decides about a message: its own state, and that of its channel. */
export interface PacedMessage {
	readonly batch: object;
	/** In one spelling. */
	readonly recipient: string;
	/** 0 for no limit. */
	readonly maxPerSecond: number;
	/** When it must have left the queue, or if it is a deadline, n8n. */
	readonly latest: number;
	readonly isDeadline?: boolean;
	/** From 1 on: it left the queue. 0: it waits. */
	readonly number: number;
	/** The first moment at which it, or what it follows, was refused or held, or waited for a key. */
	readonly heldSince: number | undefined;
	/** Whether it waits for its Send Once Key, and not to leave. `long`: as long as who holds it. */
	readonly waitsForKey: boolean | 'long';
	/** Whether its batch need not count: in the editor, or because others of it can leave. */
	readonly isUncounted: boolean;
	/** Whether its batch may have one more message under way. */
	readonly hasFreePlace: boolean;
	/** Where its batch tries no more, of its recipient and channel what lasts longer. */
	readonly closed: { until: number } | undefined;
	/** Milliseconds until its hours, or 0. */
	opensIn(): number;
	/** What holds it back because nobody knows what became of others of its batch. */
	inOutage(now: number): Held | undefined;
}

export interface PacedChannel {
	readonly holds: Pick<Holds, 'of' | 'triedUntil'>;
	/** Of batches that wait long, over all channels. */
	readonly places: { areOpenTo(batch: object): boolean };
	/** Messages that left the queue and have no response. */
	readonly inFlight: number;
	/** When the responses came that count against a limit, ascending. */
	readonly responses: readonly number[];
	/** Within a look: whether one before waits for its limit that nobody may overtake any longer. */
	readonly isClosed: boolean;
}

/** `until`: when to ask again, if nothing changes before. `isLong`: its batch takes a place. */
export type Wait = { until: number; isLong?: boolean } & (
	{ for: 'key' | 'try' | 'place' | 'limit' } | { for: 'service'; held: Held }
);
export type Failed = { fail: WhyNot | 'closed'; held?: Held | undefined; opensIn?: number };
export type PaceDecision = 'leave' | { wait: Wait } | Failed;

/** Until when an item may wait. */
export const waitsUntil = (
	{ latest, heldSince }: Pick<PacedMessage, 'latest' | 'heldSince'>,
	now: number,
): number => Math.min(latest, (heldSince ?? now) + LONGEST_WAIT);

/** Says what a message does now: docs/decisions/pace.md has the same as a table. */
export function mayLeave(message: PacedMessage, channel: PacedChannel, now: number): PaceDecision {
	const { recipient, maxPerSecond, latest, number } = message;
	const until = waitsUntil(message, now);
	const mayWaitLong = message.isUncounted || channel.places.areOpenTo(message.batch);
	if (message.waitsForKey) {
		const isLong = message.waitsForKey === 'long';
		if (now >= until) return { fail: 'key' };
		return isLong && !mayWaitLong ? { fail: 'keyCrowd' } : { wait: { for: 'key', until, isLong } };
	}
	if (message.closed && message.closed.until > now) return { fail: 'closed' };
	const opensIn = message.opensIn();
	if (opensIn > 0) return { fail: 'hours', opensIn };
	const held = message.inOutage(now) ?? channel.holds.of(recipient, number, now);
	if (now >= latest && (number === 0 || message.isDeadline)) return { fail: 'late', held };
	if (number > 0) return held ? { wait: { for: 'service', until: held.next, held } } : 'leave';
	if (held) {
		if (held.isVain) return { fail: 'vain', held };
		const isLong = isLongWait(held, now);
		if (isLong && !mayWaitLong)
			return { fail: held.reason === 'outage' ? 'outageCrowd' : 'crowd', held };
		if (until < latest && held.until > until) return { fail: 'long', held };
		return { wait: { for: 'service', until: Math.min(held.next, latest), held, isLong } };
	}
	const tried = channel.holds.triedUntil(recipient, now);
	if (tried > 0) return { wait: { for: 'try', until: Math.min(tried, latest) } };
	if (!message.hasFreePlace) return { wait: { for: 'place', until: latest } };
	if (maxPerSecond === 0) return 'leave';
	const free = freeAt(maxPerSecond, channel);
	return free <= now ? 'leave' : { wait: { for: 'limit', until: Math.min(free, latest) } };
}

/** Whether at most three batches wait for this. */
function isLongWait({ until, isOwn, reason }: Held, now: number): boolean {
	const isOfChannel = !isOwn && reason !== 'outage';
	return until - now > (isOfChannel ? SHORT_PAUSE : SHORT_WAIT);
}

/** When one more request may start. Infinity: not before a response, or another's start. */
function freeAt(maxPerSecond: number, { inFlight, responses, isClosed }: PacedChannel): number {
	const tooMany = inFlight + responses.length - maxPerSecond;
	if (!isClosed && tooMany < 0) return 0;
	const response = isClosed ? undefined : responses[tooMany];
	return response === undefined ? Infinity : response + COUNTED;
}

const SLOW_DOWN = 'the service asks to slow down';
const IS_OUT = 'the service did not confirm the messages before it';
const CROWD = 'three executions of this n8n already wait for long';
const CAUSES = {
	vain: `${SLOW_DOWN}, and waiting did not help`,
	crowd: `${SLOW_DOWN}, and ${CROWD}`,
	outage: IS_OUT,
	outageCrowd: `${IS_OUT}, and ${CROWD}`,
	long: 'the service asks to wait for longer than a message waits',
	late: 'the service asked to wait, and the wait is not over',
	hours: 'it is outside of "Sending Hours"',
	key: 'others with its Send Once Key were not done after 15 minutes',
	keyCrowd: `another with its Send Once Key waits for the service, and ${CROWD}`,
};
export type WhyNot = keyof typeof CAUSES;
/** Milliseconds after which to try again what is not known to end: a wait for a key, an outage. */
export const TRY_AGAIN = 60_000;

/** The error of a message that is not sent, because it must not wait. */
export function notSent(
	name: string,
	why: WhyNot,
	held: { until: number; reason: Held['reason'] | 'outside_hours' } | undefined,
	now: number,
	timeZone?: string,
): ServiceError {
	const isKey = why === 'key' || why === 'keyCrowd';
	const { reason = isKey ? 'key_waiting' : 'rate_limited' } = held ?? {};
	const error = notDone(`send the ${name}`, reason === 'outage' ? 'service_unavailable' : reason, {
		cause: CAUSES[why],
		hint: 'Nothing was sent.',
	});
	return triedLater(error, isKey ? TRY_AGAIN : (held?.until ?? now) - now, timeZone);
}

/** Says in an error when the message can be tried again. */
export function triedLater(error: ServiceError, wait: number, timeZone?: string): ServiceError {
	const { iso, said } = laterBy(wait, timeZone);
	return error.but({ hint: `${error.hint} Try again after ${said}.`, retryAt: iso });
}
