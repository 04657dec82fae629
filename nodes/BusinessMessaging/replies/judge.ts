/**
 * Whether a question would take a message: one decision table for both ends. The question's
 * receiver has its fields, and the trigger has its mark. docs/decisions/whose-words.md has the
 * table.
 */
import { quotedIdsIn, readTap, type Tap } from '../delivery/event/tap';
import { isSameId } from '../service/contract';
import { namedBy, type Reading, readingsOf, type Said } from '../shared/texts/sameWords';
import { readServiceTime, type SentSpan, timingOf } from '../shared/texts/sentSpan';
import {
	type AskedOnceMore,
	type Marker,
	marksOf,
	type Takes,
	type WaitingQuestion,
	type WaitMark,
} from './questionMark';

/** Milliseconds before the deadline in which a tap does not make the question come again. */
export const NOT_ASKED_BEFORE_END = 60_000;

/** A customer's message. */
export interface Written extends Said {
	messageId: string;
	/** Of its author. */
	identifier: string;
	/** Milliseconds by the service's clock. */
	written?: number | undefined;
	/** The same, by the later of its times. */
	lastTime?: number | undefined;
	/** As the service delivered it, at most 100 levels deep. */
	raw: object;
}

/** A message by somebody who was asked, that carries no question's ID. */
export interface Heard {
	written: number | undefined;
	/** Undefined for typed words. */
	tap: Tap | undefined;
	/** Whether it is typed words, and neither a tap nor a file. */
	isWords: boolean;
	quotes: readonly string[];
	namesChoice: boolean;
}

const hasText = ({ text }: { text: string | null }) => (text ?? '').trim() !== '';

export const heardIn = ({ written, raw, text }: Pick<Written, 'written' | 'raw' | 'text'>) => {
	const tap = readTap(raw);
	const files = 'attachments' in raw && Array.isArray(raw.attachments) ? raw.attachments : [];
	const isWords = !tap && files.length === 0 && hasText({ text });
	return { written, tap, isWords, quotes: quotedIdsIn(raw) };
};

/** What a question asks, and how it asked the author of the message. */
export interface AskedOf extends Pick<Takes, 'takesOnlyWords' | 'takesBareTaps' | 'tapsCarryIds'> {
	/** Whether words that name no choice count, if only as wrong ones. */
	takesAnyWords: boolean;
	/** Milliseconds, by this process's date. */
	deadline: number;
	first: SentSpan | null | undefined;
	/** Of the message that asked first. Null or undefined: unknown. */
	firstId: string | null | undefined;
}

/** What changed while it waits: only its webhook tells. */
export interface Since {
	/** When the webhook was registered, by the service's clock. No question is sent before. */
	registered: number | undefined;
	/** Undefined: not asked once more yet. Null: nobody knows whether it left. */
	again: AskedOnceMore | null | undefined;
	/** Whether further messages asked, after replies outside the choices. Their IDs are not kept. */
	hasOthers: boolean;
}

export type Judgement =
	/** Nothing happens: it is about something else. */
	| 'no'
	/** The answer, or a wrong one. */
	| 'yes'
	/** In doubt: the person is asked once more. */
	| 'ask'
	/** The webhook decides, which was not read. */
	| 'unread';

/** @param since undefined if the webhook was not read */
export function judge(
	{ written, tap, isWords, quotes, namesChoice }: Heard,
	asked: AskedOf,
	since: Since | undefined,
	now: number,
): Judgement {
	const { first, firstId, takesAnyWords, takesBareTaps, tapsCarryIds, deadline } = asked;
	if (tap && !tap.isBare) return 'no';
	const takesIt = takesAnyWords && (isWords || !asked.takesOnlyWords);
	if (!takesIt && !namesChoice) return 'no';
	const timing = timingOf(written, first);
	if (timing === 'before') return 'no';
	const isTapToAskFor = tap !== undefined && !takesBareTaps;
	const quotesFirst = quotes.length === 0 || isOneOf(quotes, [firstId]);
	if (timing === 'after' && !isTapToAskFor && quotesFirst) return 'yes';
	if (!since) return 'unread';
	const { registered = -Infinity, again, hasOthers } = since;
	if (!first && written !== undefined && written < registered) return 'no';
	const isAfterAgain = timingOf(written, again?.span) === 'after';
	const endsSoon = deadline - now < NOT_ASKED_BEFORE_END;
	const askOnce = again === undefined && !(tap && endsSoon) ? 'ask' : 'no';
	if (isTapToAskFor) {
		if (again === undefined) return askOnce;
		const isAllowed = quotes.length > 0 ? isOneOf(quotes, [again?.messageId]) : !tapsCarryIds;
		return isAllowed && isAfterAgain ? 'yes' : 'no';
	}
	const isAllKnown = Boolean(firstId) && again !== null && !hasOthers;
	if (isAllKnown && quotes.length > 0 && !isOneOf(quotes, [firstId, again?.messageId])) {
		if (tap) return 'no';
		if (again === undefined || !takesAnyWords) return askOnce;
	}
	if (timing === 'after' || isAfterAgain) return 'yes';
	return askOnce;
}

/**
 * Whether a message is older than the end of a question, by the service's clock. `unclear`: it has
 * no time, and the question is over by ours, so whoever claims the message first has it.
 */
export function arrivalOf(
	lastTime: number | undefined,
	{ deadline, ends }: Pick<WaitMark, 'deadline' | 'ends'>,
	now: number,
): 'inTime' | 'late' | 'unclear' {
	if (lastTime !== undefined && ends !== undefined) return lastTime <= ends ? 'inTime' : 'late';
	return now <= Date.parse(deadline) ? 'inTime' : 'unclear';
}

const isOneOf = (quotes: readonly string[], ids: ReadonlyArray<string | null | undefined>) =>
	quotes.some((quote) => ids.some((id) => isSameId(id ?? undefined, quote)));

export const sinceThen = ({ mark, webhook }: WaitingQuestion, person: number): Since => ({
	registered: readServiceTime(webhook.createdAt),
	again: mark.again?.[person],
	hasOthers: mark.wrongAnswers > 0 || mark.askedBack === true,
});

/** A customer's message, with what recognises its author and its words in marks. */
export interface Facts extends Omit<Heard, 'namesChoice'> {
	/** The author's mark. */
	author: string;
	marker: Marker;
	/** How its words can name a choice of an approval. */
	readings: readonly Reading[];
}

export const factsOf = (message: Written, channelId: string, marker: Marker): Facts => {
	const heard = heardIn(message);
	return {
		author: marker.person(channelId, message.identifier),
		marker,
		...heard,
		readings: readingsOf(message, heard.tap ? 'title' : 'approval'),
	};
};

/** The index of a message's author among the people whom a question asked, or -1. */
export function personIn(question: WaitingQuestion, { author, marker }: Facts): number | 'anybody' {
	const { takes, key } = question.mark;
	return !takes || key !== marker.key ? 'anybody' : marksOf(question).indexOf(author);
}

/** Whether a question would take a message that carries no question's ID, by its mark. */
export function wouldTake(question: WaitingQuestion, facts: Facts): boolean {
	const { takes, deadline, sent } = question.mark;
	const person = personIn(question, facts);
	if (person === 'anybody' || !takes) return true;
	if (person < 0) return false;
	const { words, messageIds } = takes;
	const isNamed = (form: string) =>
		words?.includes(facts.marker.words(takes.question, form)) === true || undefined;
	// Only the question has the words of choices that can be numbers, so any text may name one.
	const namesChoice = words
		? namedBy(facts.readings, isNamed) === true
		: facts.readings.some(hasText);
	const asked: AskedOf = {
		...takes,
		takesAnyWords: words === undefined,
		deadline: Date.parse(deadline),
		first: sent[person],
		firstId: messageIds[person],
	};
	const since = sinceThen(question, person);
	return judge({ ...facts, namesChoice }, asked, since, Date.now()) !== 'no';
}
