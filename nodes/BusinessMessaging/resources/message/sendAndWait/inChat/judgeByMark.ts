import type { Tap } from '../../../../delivery/event/tap';
import { formsOfText } from '../../../../shared/sameWords';
import { readServiceTime } from '../../../../shared/sentSpan';
import type { Written, WaitingList } from '../../../../shared/repliesInChat';
import type { Takes, WaitingQuestion, WaitMark } from '../../../../shared/waitingQuestion';
import { chatKinds } from '../kinds';
import type { ChatQuestion } from '../question';
import { buttonIdsOf, idOfButton } from './buttons';
import type { AskedOf, Judgement, Since } from './wouldTake';
import { wouldTake } from './wouldTake';

/** Most choices of a question that a mark can claim. */
const CHOICES_MAX = 1000;

/** What a question asks of a person, by its own fields. */
export const askedByFields = (question: ChatQuestion, person: number): AskedOf => ({
	ownIds: buttonIdsOf(question),
	takesAnyWords: takesAnyWords(question.kind),
	takesBareTaps: chatKinds[question.kind].takesBareTaps,
	tapsCarryIds: question.kind !== 'approvalInChat' || question.tapsCarryIds !== false,
	deadline: Date.parse(question.deadline),
	first: question.sent[person],
	firstId: question.messageIds?.[person],
});

/** What changed since a person was asked, by the webhook. */
export const sinceThen = ({ mark, webhook }: WaitingQuestion, person: number): Since => ({
	registered: readServiceTime(webhook.createdAt),
	again: mark.again?.[person],
	hasOthers: mark.wrongAnswers > 0,
});

/**
 * Whether a question would take a message, by its mark. A mark of another version says too little,
 * so its question may take anything.
 */
export function judgeByMark(
	question: WaitingQuestion,
	person: number,
	{ text, written }: Written,
	tap: Tap | undefined,
	markOfWords: WaitingList['markOfWords'],
): Judgement {
	const { mark } = question;
	const { takes } = mark;
	if (!takes || !isKind(takes.kind)) return 'yes';
	const answers = tap ? 'title' : chatKinds[takes.kind].answers;
	const namesChoice = formsOfText(text ?? '', answers).some((words) =>
		takes.words?.includes(markOfWords(takes.question, words)),
	);
	const asked = askedByMark(mark, takes, takes.kind, person);
	return wouldTake({ written, tap, namesChoice }, asked, sinceThen(question, person), Date.now());
}

const askedByMark = (
	{ sent, deadline }: WaitMark,
	{ question, choices, tapsCarryIds, messageIds }: Takes,
	kind: ChatQuestion['kind'],
	person: number,
): AskedOf => ({
	ownIds: Array.from({ length: Math.min(choices, CHOICES_MAX) }, (_choice, index) =>
		idOfButton(question, index),
	),
	takesAnyWords: takesAnyWords(kind),
	takesBareTaps: chatKinds[kind].takesBareTaps,
	tapsCarryIds,
	deadline: Date.parse(deadline),
	first: sent[person],
	firstId: messageIds[person],
});

const takesAnyWords = (kind: ChatQuestion['kind']): boolean => chatKinds[kind].again !== undefined;

const isKind = (kind: string): kind is ChatQuestion['kind'] => Object.hasOwn(chatKinds, kind);
