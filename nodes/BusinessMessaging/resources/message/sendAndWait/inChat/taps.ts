/** What taps mean for a question. Functions of their arguments. */
import type { Tap } from '../../../../delivery/event/tap';
import type { SentSpan } from '../../../../shared/sentSpan';
import { timingOf } from '../../../../shared/sentSpan';
import type { AskedOnceMore } from '../../../../shared/waitingQuestion';

/** Milliseconds before the deadline in which a tap does not make the question come again. */
export const NOT_ASKED_BEFORE_END = 60_000;

/**
 * Whether a message is typed words, a tap on the question's own button (the index of its choice), a
 * tap without an ID, or a tap on something else.
 * @param ownIds of the question's buttons, in the order of its choices
 */
export function meaningOf(
	tap: Tap | undefined,
	ownIds: readonly string[],
): 'words' | 'bare' | 'foreign' | number {
	if (!tap) return 'words';
	if (tap.on === undefined) return tap.isBare ? 'bare' : 'foreign';
	const index = ownIds.indexOf(tap.on);
	return index < 0 ? 'foreign' : index;
}

/** Words, or a tap without an ID, by somebody who was asked. */
export interface Doubtful {
	/** Milliseconds by the service's clock. */
	written: number | undefined;
	/** Undefined for words. The IDs of the messages that the tap quotes. */
	quotes: readonly string[] | undefined;
}

/** How the person was asked. */
export interface Sendings {
	first: SentSpan | null | undefined;
	/** Of the message that asked first. Null or undefined: unknown. */
	firstId: string | null | undefined;
	/** Undefined: not asked once more yet. Null: nobody knows when. */
	again: AskedOnceMore | null | undefined;
	/** Whether further messages asked, after replies outside the choices. Their IDs are not kept. */
	hasOthers: boolean;
}

/** What the question is. */
export interface TakesTaps {
	/** Whether taps without an ID answer by their time. */
	takesBareTaps: boolean;
	/** Whether the service is assumed to give IDs. */
	tapsCarryIds: boolean;
	/** Whether its deadline is too near to ask once more. */
	endsSoon: boolean;
}

/** Judges a message that names no question, and does not come from before this one. */
export function judgeDoubtful(
	{ written, quotes }: Doubtful,
	{ first, firstId, again, hasOthers }: Sendings,
	{ takesBareTaps, tapsCarryIds, endsSoon }: TakesTaps,
): 'isReply' | 'ask' | 'ignored' {
	const isAfter = (span: SentSpan | null | undefined) => timingOf(written, span) === 'after';
	if (quotes && !takesBareTaps) {
		if (again === undefined) return endsSoon ? 'ignored' : 'ask';
		const isAllowed = quotes.length > 0 ? isOneOf(quotes, [again?.messageId]) : !tapsCarryIds;
		return isAllowed && isAfter(again) ? 'isReply' : 'ignored';
	}
	const known = [firstId, again?.messageId];
	const isAllKnown = Boolean(firstId) && again !== null && !hasOthers;
	if (quotes && quotes.length > 0 && isAllKnown && !isOneOf(quotes, known)) return 'ignored';
	if (isAfter(first)) return 'isReply';
	if (again === undefined) return quotes && endsSoon ? 'ignored' : 'ask';
	return isAfter(again) ? 'isReply' : 'ignored';
}

const isOneOf = (quotes: readonly string[], ids: ReadonlyArray<string | null | undefined>) =>
	quotes.some((quote) => ids.includes(quote));
