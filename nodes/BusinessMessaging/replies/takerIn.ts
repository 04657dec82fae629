/** What the service's list says of the question that a message is about. */
import { isSameId } from '../service/contract';
import type { Place } from './claims';
import type { Known } from './fate';
import { arrivalOf, factsOf, personIn, wouldTake, type Written } from './judge';
import type { WaitingQuestion } from './questionMark';
import { isOfThisN8n, type ThisN8n } from './waitingExecution';
import { indexOf, isOpen, type WaitingList } from './waitingLists';

/** What ended a question for which nobody waits. Is no message's ID. */
export const GONE = '';

/** A message, and where it came. */
export interface Asked {
	place: Place;
	message: Written;
	instanceId: string;
	/** Called only if it is needed, because it can cost n8n an isolate. */
	thisN8n: () => ThisN8n;
}

interface Found extends Pick<Known, 'question'> {
	taker?: WaitingQuestion;
}

/**
 * Finds the question whose ID a tap carries, or else the one of this n8n that would take a message.
 * @param endOf what ended a question, as this process knows: GONE, or its answer. A tap's question
 * that is gone is asked once more
 */
export function takerIn(
	list: WaitingList,
	asked: Asked,
	tapped: string | undefined,
	endOf: (question: WaitingQuestion) => string | undefined,
): Found {
	const { place, message, instanceId } = asked;
	const factsNow = () => factsOf(message, place.channelId, list.marker);
	if (tapped !== undefined) {
		const taker = indexOf(list).byId.get(tapped);
		if (!taker || !isOpen(taker) || endOf(taker) || !isInTime(message, taker))
			return { question: 'over' };
		if (isOfAnother(taker, asked.thisN8n())) return { question: 'elsewhere', taker };
		const person = personIn(taker, factsNow());
		return { question: person === 'anybody' || person >= 0 ? 'waits' : 'none', taker };
	}
	// Every message of a customer passes here.
	const author = () => list.marker.person(place.channelId, message.identifier);
	const open = indexOf(list)
		.openFor(instanceId, author)
		.filter((one) => isOpen(one) && endOf(one) === undefined);
	if (open.length === 0) return { question: 'none' };
	const facts = factsNow();
	const takers = open.filter((question) => wouldTake(question, facts));
	const taker = takers.find((question) => isInTime(message, question));
	if (taker) return { question: 'waits', taker };
	return { question: takers.some((one) => !isOfOtherKey(one, list)) ? 'over' : 'none' };
}

/** Whether a list says that a question takes nothing more, or not any more whom it asked. */
export function hasEnded(taker: WaitingQuestion, list: WaitingList): boolean {
	const now = list.questions.find(({ webhook }) => isSameId(webhook.id, taker.webhook.id));
	return !now || !isOpen(now) || isOfOtherKey(taker, list);
}

/** Of another key nobody knows whom it asked. */
const isOfOtherKey = ({ mark }: WaitingQuestion, { marker }: WaitingList): boolean =>
	mark.key !== marker.key;

const isInTime = ({ lastTime }: Written, { mark }: WaitingQuestion): boolean =>
	arrivalOf(lastTime, mark, Date.now()) === 'inTime';

/** By its address, if n8n tells its own. */
const isOfAnother = (question: WaitingQuestion, own: ThisN8n): boolean =>
	own.resumeStart === undefined
		? question.node.instanceId !== own.instanceId
		: !isOfThisN8n(question, own);
