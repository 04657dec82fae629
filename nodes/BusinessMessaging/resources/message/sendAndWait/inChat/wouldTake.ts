/**
 * Whether a question would take a message. One pure function for both ends: the question's receiver
 * has its fields, and the trigger has its mark.
 */
import type { Tap } from '../../../../delivery/event/tap';
import type { SentSpan } from '../../../../shared/sentSpan';
import { timingOf } from '../../../../shared/sentSpan';
import type { AskedOnceMore } from '../../../../shared/waitingQuestion';
import { judgeDoubtful, meaningOf, NOT_ASKED_BEFORE_END } from './taps';

/** A message by somebody who was asked. */
export interface Heard {
	/** Milliseconds by the service's clock. */
	written: number | undefined;
	/** Undefined for typed words. */
	tap: Tap | undefined;
	/** Whether its words name a choice. */
	namesChoice: boolean;
}

/** What a question asks, and how it asked the author of the message. */
export interface AskedOf {
	/** The IDs of its buttons, in the order of its choices. */
	ownIds: readonly string[];
	/** Whether words that name no choice count, if only as wrong ones. */
	takesAnyWords: boolean;
	/** Whether taps without an ID answer by their time. */
	takesBareTaps: boolean;
	tapsCarryIds: boolean;
	/** Milliseconds, by this process's date. */
	deadline: number;
	first: SentSpan | null | undefined;
	firstId: string | null | undefined;
}

/** What changed while it waits: only its webhook tells. */
export interface Since {
	/** When the webhook was registered, by the service's clock. No question is sent before. */
	registered: number | undefined;
	again: AskedOnceMore | null | undefined;
	hasOthers: boolean;
}

export type Judgement =
	/** Nothing happens: it is about something else. */
	| 'no'
	/** A tap on the question's own button. */
	| 'tap'
	/** The answer, or a wrong one. */
	| 'yes'
	/** In doubt: the person is asked once more. */
	| 'ask'
	/** The webhook decides, which was not read. */
	| 'unread';

/** @param since undefined if the webhook was not read */
export function wouldTake(
	{ written, tap, namesChoice }: Heard,
	asked: AskedOf,
	since: Since | undefined,
	now: number,
): Judgement {
	const meaning = meaningOf(tap, asked.ownIds);
	if (typeof meaning === 'number') return 'tap';
	if (meaning === 'foreign') return 'no';
	const { first, firstId, takesAnyWords, takesBareTaps, tapsCarryIds, deadline } = asked;
	if (!takesAnyWords && !namesChoice) return 'no';
	const timing = timingOf(written, first);
	if (timing === 'before') return 'no';
	const isDoubtful = tap !== undefined && (!takesBareTaps || tap.quotes.length > 0);
	if (timing === 'after' && !isDoubtful) return 'yes';
	if (!since) return 'unread';
	const { registered = -Infinity, again, hasOthers } = since;
	if (!first && written !== undefined && written < registered) return 'no';
	const judged = judgeDoubtful(
		{ written, quotes: tap?.quotes },
		{ first, firstId, again, hasOthers },
		{ takesBareTaps, tapsCarryIds, endsSoon: deadline - now < NOT_ASKED_BEFORE_END },
	);
	if (judged === 'ignored') return 'no';
	return judged === 'isReply' ? 'yes' : 'ask';
}
