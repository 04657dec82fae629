import { readTap } from '../delivery/event/tap';
import { idKey, isSameId } from '../service/contract';
import { BoundedMap, shortKey } from '../shared/tools/boundedMap';
import { type Clock, steadyClock } from '../shared/tools/clock';
import { CHECK_TIMEOUT, isOfThisN8n, type Life, type ThisN8n } from './waitingExecution';
import { type Claiming, claimKeyOf, Claims, type Place, placeKeyOf, WORKFLOWS } from './claims';
import { arrivalOf, factsOf, personIn, wouldTake, type Written } from './judge';
import { indexOf, isOpen, type ReadList, type WaitingList, WaitingLists } from './waitingLists';
import { isOver, type WaitingQuestion } from './questionMark';

/** Milliseconds that a question gets to claim a message that it would take. */
const QUESTION_TIME = 5000;
/** Milliseconds between two looks at a claim. */
const LOOK = 100;
/** How often a trigger asks for a message to come again: the service's first two retries. */
const LATER_MOST = 2;
/** How often this n8n fails to ask a question's address before it no longer tries. */
const BLIND_MOST = 2;
/** Addresses that are asked at a time. Each is a request to this n8n. */
const LOOKS_MOST = 5;
const REMEMBERED = 20_000;
/** Is no message's ID. */
const GONE = '';

const UNREACHABLE =
	'n8n cannot reach the address of a question of its own, so what its people write is held back for five seconds only, and a reply that comes later to the question also starts this workflow.';
const OF_ANOTHER =
	"A tap on a question's button started nothing, because another n8n asked that question.";

/** A delivery of a message to a trigger, and what it takes to find out whose the message is. */
export interface Delivered {
	place: Place;
	/** The trigger. Several can get a message, each in deliveries of its own. */
	receiver: string;
	message: Written;
	read: ReadList;
	/** Asks a question's own address. Never rejects. */
	look: (question: WaitingQuestion, timeout: number) => Promise<Life>;
	instanceId: string;
	/** Called only if it is needed, because it can cost n8n an isolate. */
	thisN8n: () => ThisN8n;
	warn: (message: string) => void;
	/** By the steady clock. All waits of a delivery end then. */
	until: number;
}

export type Fate =
	/** A question took it. */
	| 'taken'
	/** Not clear yet: the delivery should come again. */
	| 'later'
	/** The workflow's. `end` is called when the response has ended. */
	| {
			end: (isConfirmed: boolean) => void;
			/** A tap on a question that is over, answered or gone, or words after its deadline. */
			isLate?: true;
	  };

/**
 * Decides whose a customer's message is: a question's, or the workflow's. The service delivers it
 * to both, in any order and at any time, and each delivery again until it gets a 2xx.
 * docs/decisions/whose-words.md has the table.
 */
export class ReplyRouter {
	private readonly lists: WaitingLists;
	/** Questions of which this process knows that they take nothing more: what answered, or GONE. */
	private readonly ended = new BoundedMap<string>(REMEMBERED);
	/** How often deliveries of a message were asked to come again, by receiver and claim. */
	private readonly later = new BoundedMap<number>(REMEMBERED);
	/** How often this n8n could not ask a question's address. */
	private readonly blind = new BoundedMap<number>(REMEMBERED);
	private readonly warned = new BoundedMap<true>(REMEMBERED);
	private looks = 0;

	private readonly claims = new Claims();

	/** @param clock a steady one */
	constructor(private readonly clock: Clock) {
		this.lists = new WaitingLists(clock);
	}

	noteAsked(place: Place): void {
		this.lists.noteAsked(place);
	}

	/** A question of this process was answered, and n8n has stored it. */
	noteAnswered(place: Place, questionId: string, messageId: string): void {
		this.ended.set(keyAt(place, questionId), shortKey(idKey(messageId)));
	}

	isAnswered(place: Place, questionId: string): boolean {
		return (this.ended.get(keyAt(place, questionId)) ?? GONE) !== GONE;
	}

	/** The question's door. @param isOwnTap with its ID: the question's, whoever claimed it */
	claim(place: Place, questionId: string, messageId: string, isOwnTap: boolean): Claiming {
		const key = claimKeyOf(place, messageId);
		return isOwnTap ? this.claims.take(key, questionId) : this.claims.claim(key, questionId);
	}

	/**
	 * The trigger's door.
	 * @example
	 * const fate = await replyRouter.fateOf({ place, receiver, message, read, look, until, … });
	 * if (fate === 'later') return respond(context, 503); // the service delivers it again
	 * if (typeof fate === 'object') start(message); // fate.end(true) once the response was a 2xx
	 */
	async fateOf(delivered: Delivered): Promise<Fate> {
		if (this.claimOfOthers(delivered) === 'counted') return 'taken';
		const question = readTap(delivered.message.raw)?.question;
		return await (question === undefined
			? this.fateOfWords(delivered)
			: this.fateOfTap(delivered, question));
	}

	/** A tap that carries a question's ID counts by that ID alone. */
	private async fateOfTap(delivered: Delivered, questionId: string): Promise<Fate> {
		const { place } = delivered;
		const list = await this.lists.fresh(place, delivered.read, delivered.until);
		if (!list) return await this.laterOrStart(delivered, LATER_MOST);
		const answer = this.ended.get(keyAt(place, questionId));
		const isAnswer = answer === shortKey(idKey(delivered.message.messageId));
		if (isAnswer || isNamed(list, delivered.message)) return 'taken';
		const question = indexOf(list).byId.get(questionId);
		const isLate = true;
		const isEnded = !question || !isOpen(question) || this.isAnswered(place, questionId);
		if (isEnded || !isInTime(delivered.message, question))
			return await this.start(delivered, isLate);
		if (isOfAnother(question, delivered.thisN8n())) {
			this.warnOnce(delivered, question, OF_ANOTHER);
			return 'taken';
		}
		const person = personIn(question, factsOf(delivered.message, place.channelId, list.marker));
		if (person !== 'anybody' && person < 0) return await this.start(delivered);
		// n8n can end the wait at any moment, so the question has a tap only once it claimed it.
		if (isOver(question, Date.now())) return await this.afterQuestion(delivered, question);
		const life = await this.look(delivered, question);
		return life === 'gone' ? await this.laterOrStart(delivered, 1, isLate) : 'taken';
	}

	/** Words, or a tap without a question's ID. */
	private async fateOfWords(delivered: Delivered): Promise<Fate> {
		const { place, message, read, until } = delivered;
		const known = await this.lists.recent(place, read, until);
		// Two responses are better than none, so nothing is claimed.
		if (!known) return (await this.awaitClaim(delivered, 0)) ?? { end: () => {} };
		if (isNamed(known, message)) return 'taken';
		const before = this.findTaker(delivered, known);
		if (typeof before !== 'object') return await this.start(delivered, before === 'late');
		const list = (await this.lists.fresh(place, read, until)) ?? known;
		if (isNamed(list, message)) return 'taken';
		const taker = this.findTaker(delivered, list);
		if (typeof taker !== 'object') return await this.start(delivered, taker === 'late');
		return await this.afterQuestion(delivered, taker);
	}

	/** Gives a question the time to claim the message. */
	private async afterQuestion(delivered: Delivered, taker: WaitingQuestion): Promise<Fate> {
		const claimed = await this.awaitClaim(delivered, QUESTION_TIME);
		if (claimed) return claimed;
		const { place } = delivered;
		const { id } = taker.webhook;
		const blind = this.blind.get(keyAt(place, id)) ?? 0;
		const life = blind >= BLIND_MOST ? 'blind' : await this.look(delivered, taker);
		if (life === 'blind') this.blind.set(keyAt(place, id), blind + 1);
		const list = await this.lists.fresh(place, delivered.read, delivered.until);
		if (list && isNamed(list, delivered.message)) return 'taken';
		const now = list?.questions.find(({ webhook }) => isSameId(webhook.id, id));
		const hasEnded = list !== undefined && (!now || !isOpen(now));
		// Of another key nobody knows whom it asked.
		const isUnknown = list !== undefined && taker.mark.key !== list.marker.key;
		const isBlind = life === 'blind' && blind + 1 >= BLIND_MOST;
		if (isBlind) this.warnOnce(delivered, taker, UNREACHABLE);
		const isFree = life === 'gone' || life === 'elsewhere' || isBlind || hasEnded || isUnknown;
		const isLate = isOver(taker, Date.now());
		return await this.laterOrStart(delivered, isFree ? 0 : LATER_MOST, isLate);
	}

	/** What a question's address says. That it is gone is remembered, so that no words wait again. */
	private async look(delivered: Delivered, question: WaitingQuestion): Promise<Life> {
		while (this.looks >= LOOKS_MOST) {
			if (this.clock.now() >= delivered.until) return 'unknown';
			await this.clock.sleep(LOOK);
		}
		this.looks += 1;
		try {
			const time = Math.max(1, Math.min(CHECK_TIMEOUT, delivered.until - this.clock.now()));
			const life = await delivered.look(question, time);
			const key = keyOfQuestion(delivered.place, question);
			// What answered it is not forgotten.
			if (life === 'gone' && !this.ended.has(key)) this.ended.set(key, GONE);
			// A look that lacks the time says nothing of this n8n.
			return life === 'blind' && time < CHECK_TIMEOUT ? 'unknown' : life;
		} finally {
			this.looks -= 1;
		}
	}

	private warnOnce(
		{ place, warn }: Delivered,
		{ webhook, mark }: WaitingQuestion,
		what: string,
	): void {
		if (this.warned.has(keyAt(place, webhook.id))) return;
		this.warned.set(keyAt(place, webhook.id), true);
		warn(`${what} It waits in execution ${mark.executionId}`);
	}

	/** The question of this n8n that would take the message, if it gets it. `late`: it is over. */
	private findTaker(
		{ place, message, instanceId }: Delivered,
		list: WaitingList,
	): WaitingQuestion | 'late' | undefined {
		// Every message of a customer passes here.
		const author = () => list.marker.person(place.channelId, message.identifier);
		const open = indexOf(list)
			.openFor(instanceId, author)
			.filter((one) => isOpen(one) && !this.ended.has(keyOfQuestion(place, one)));
		if (open.length === 0) return undefined;
		const facts = factsOf(message, place.channelId, list.marker);
		const takers = open.filter((question) => wouldTake(question, facts));
		const taker = takers.find((question) => isInTime(message, question));
		return taker ?? (takers.some(({ mark }) => mark.key === list.marker.key) ? 'late' : undefined);
	}

	/** @param most how often the delivery is asked to come again */
	private async laterOrStart(delivered: Delivered, most: number, isLate = false): Promise<Fate> {
		const { place, receiver, message } = delivered;
		const key = JSON.stringify([receiver, claimKeyOf(place, message.messageId)]);
		const times = this.later.get(key) ?? 0;
		if (times >= most) return await this.start(delivered, isLate);
		this.later.set(key, times + 1);
		return 'later';
	}

	/** Claims the message for the workflow. */
	private async start(delivered: Delivered, isLate = false): Promise<Fate> {
		const lost = await this.awaitClaim(delivered, 0);
		if (lost) return lost;
		const claimed = this.claims.claim(
			claimKeyOf(delivered.place, delivered.message.messageId),
			WORKFLOWS,
		);
		if (claimed.state !== 'mine') return 'later';
		return { end: claimed.end, ...(isLate ? { isLate } : {}) };
	}

	/** Gives a question time to claim a message, and a claim time to end. Undefined: no claim. */
	private async awaitClaim(
		delivered: Delivered,
		time: number,
	): Promise<'taken' | 'later' | undefined> {
		const given = Math.min(delivered.until, this.clock.now() + time);
		for (;;) {
			const state = this.claimOfOthers(delivered);
			if (state === 'counted') return 'taken';
			const left = (state === 'pending' ? delivered.until : given) - this.clock.now();
			if (left <= 0) return state === 'pending' ? 'later' : undefined;
			await this.clock.sleep(Math.min(LOOK, left));
		}
	}

	private claimOfOthers({ place, message }: Delivered): 'no' | 'pending' | 'counted' {
		return this.claims.othersHave(claimKeyOf(place, message.messageId), WORKFLOWS);
	}
}

const isInTime = ({ lastTime }: Written, { mark }: WaitingQuestion): boolean =>
	arrivalOf(lastTime, mark, Date.now()) === 'inTime';

/** Another account can name a question or a webhook by the same ID. */
const keyAt = (place: Place, id: string): string => JSON.stringify([placeKeyOf(place), id]);

/** A mark of another version names no question. */
const keyOfQuestion = (place: Place, { webhook, mark }: WaitingQuestion): string =>
	keyAt(place, mark.takes?.question ?? webhook.id);

/** By its address, if n8n tells its own. */
const isOfAnother = (question: WaitingQuestion, own: ThisN8n): boolean =>
	own.resumeStart === undefined
		? question.node.instanceId !== own.instanceId
		: !isOfThisN8n(question, own);

/** Whether a question of any process took the message, by its mark. */
const isNamed = (list: WaitingList, { messageId }: Written): boolean =>
	indexOf(list).named.has(idKey(messageId));

/** One for the whole process: for every node that asks and every trigger. */
export const replyRouter = new ReplyRouter(steadyClock);
