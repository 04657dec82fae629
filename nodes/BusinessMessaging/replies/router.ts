import { readTap } from '../delivery/event/tap';
import { idKey } from '../service/contract';
import { BoundedMap, shortKey } from '../shared/tools/boundedMap';
import { type Clock, steadyClock } from '../shared/tools/clock';
import { CHECK_TIMEOUT, type Life } from './waitingExecution';
import { type Claiming, claimKeyOf, Claims, type Place, placeKeyOf, WORKFLOWS } from './claims';
import { fateOf, type Known, type FateStep } from './fate';
import { type Asked, GONE, hasEnded, takerIn } from './takerIn';
import { indexOf, type ReadList, type WaitingList, WaitingLists } from './waitingLists';
import { isOver, type WaitingQuestion } from './questionMark';

/** Milliseconds that a question gets to claim a message that it would take. */
const QUESTION_TIME = 5000;
/** Milliseconds between two looks at a claim. */
const LOOK = 100;
/** Addresses that are asked at a time. Each is a request to this n8n. */
const LOOKS_MOST = 5;
const REMEMBERED = 20_000;

const WARNINGS = {
	blind:
		'n8n cannot reach the address of a question of its own, so what its people write is held back for five seconds only, and a reply that comes later to the question also starts this workflow.',
	elsewhere:
		"A tap on a question's button started nothing, because another n8n asked that question.",
};

/** A delivery of a message to a trigger, and what it takes to find out whose the message is. */
export interface Delivered extends Asked {
	/** The trigger. Several can get a message, each in deliveries of its own. */
	receiver: string;
	read: ReadList;
	/** Asks a question's own address. Never rejects. */
	look: (question: WaitingQuestion, timeout: number) => Promise<Life>;
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

/** What is known of a message, and by which list, of which question. */
interface Matter extends Known {
	/** The ID that a tap carries. */
	readonly tapped: string | undefined;
	lastList?: WaitingList | undefined;
	taker?: WaitingQuestion | undefined;
}

/**
 * Finds out whose a customer's message is: a question's, or the workflow's. The service delivers it
 * to both, in any order and at any time, and each delivery again until it gets a 2xx. `fateOf`
 * decides; this reads, waits and remembers.
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
		const tapped = readTap(delivered.message.raw)?.question;
		const matter: Matter = {
			...{ tapped, isTap: tapped !== undefined, list: 'unread', question: 'none', blind: 0 },
			...{ isTaken: this.claimOfOthers(delivered) === 'counted' },
			...{ isPastDeadline: false, hadTime: false },
		};
		for (;;) {
			const step = fateOf(matter);
			if ('tells' in step && step.tells) this.warnOnce(delivered, matter, step.tells);
			if (step.do === 'leaveIt') return 'taken';
			if (step.do === 'start') return await this.start(delivered, step);
			if (step.do === 'comeAgain') return await this.comeAgain(delivered, step);
			if (step.do === 'read') await this.read(delivered, matter, step.list);
			if (step.do === 'askAddress') matter.life = await this.ask(delivered, matter);
			if (step.do !== 'wait') continue;
			const claimed = await this.awaitClaim(delivered, QUESTION_TIME);
			if (claimed) return claimed;
			matter.hadTime = true;
			matter.blind = this.blind.get(webhookKeyOf(delivered, matter)) ?? 0;
		}
	}

	private async read(
		delivered: Delivered,
		matter: Matter,
		which: 'recent' | 'fresh' | 'again',
	): Promise<void> {
		const { place, message, read, until } = delivered;
		const list = await this.lists[which === 'recent' ? 'recent' : 'fresh'](place, read, until);
		// What was read before serves if this could not be.
		const lastList = list ?? matter.lastList;
		matter.list = lastList ? which : 'unreadable';
		if (!lastList) return;
		matter.isTaken =
			indexOf(lastList).named.has(idKey(message.messageId)) || this.isAnswer(delivered, matter);
		if (which !== 'again') {
			const endOf = (one: WaitingQuestion) => this.ended.get(keyOfQuestion(place, one));
			Object.assign(matter, { lastList, ...takerIn(lastList, delivered, matter.tapped, endOf) });
		}
		const { taker } = matter;
		if (!taker) return;
		matter.isPastDeadline = isOver(taker, Date.now());
		if (which === 'again' && list && hasEnded(taker, list))
			matter.question = matter.isPastDeadline ? 'over' : 'none';
	}

	/** Whether a tap is what this process knows to have answered its question. */
	private isAnswer({ place, message }: Delivered, { tapped }: Matter): boolean {
		const answer = tapped === undefined ? undefined : this.ended.get(keyAt(place, tapped));
		return answer === shortKey(idKey(message.messageId));
	}

	/**
	 * What a question's address says. That it is gone is remembered, so that no words wait again, and
	 * that it could not be asked.
	 */
	private async ask(delivered: Delivered, matter: Matter): Promise<Life> {
		const { taker } = matter;
		if (!taker) return 'unknown';
		while (this.looks >= LOOKS_MOST) {
			if (this.clock.now() >= delivered.until) return 'unknown';
			await this.clock.sleep(LOOK);
		}
		this.looks += 1;
		try {
			const time = Math.max(1, Math.min(CHECK_TIMEOUT, delivered.until - this.clock.now()));
			const life = await delivered.look(taker, time);
			const key = keyOfQuestion(delivered.place, taker);
			// What answered it is not forgotten.
			if (life === 'gone' && !this.ended.has(key)) this.ended.set(key, GONE);
			// A look that lacks the time says nothing of this n8n.
			if (life === 'blind' && time < CHECK_TIMEOUT) return 'unknown';
			// A tap is the question's all the same.
			if (life === 'blind' && matter.hadTime)
				this.blind.set(webhookKeyOf(delivered, matter), (matter.blind += 1));
			return life;
		} finally {
			this.looks -= 1;
		}
	}

	private warnOnce(delivered: Delivered, matter: Matter, what: keyof typeof WARNINGS): void {
		const key = webhookKeyOf(delivered, matter);
		if (!matter.taker || this.warned.has(key)) return;
		this.warned.set(key, true);
		delivered.warn(`${WARNINGS[what]} It waits in execution ${matter.taker.mark.executionId}`);
	}

	private async comeAgain(
		delivered: Delivered,
		step: Extract<FateStep, { most: number }>,
	): Promise<Fate> {
		const { place, receiver, message } = delivered;
		const key = JSON.stringify([receiver, claimKeyOf(place, message.messageId)]);
		const times = this.later.get(key) ?? 0;
		if (times >= step.most) return await this.start(delivered, step);
		this.later.set(key, times + 1);
		return 'later';
	}

	/** Claims the message for the workflow, unless a question may take it, too. */
	private async start(
		delivered: Delivered,
		{ isLate = false, isUnclaimed = false }: { isLate?: boolean; isUnclaimed?: boolean },
	): Promise<Fate> {
		const lost = await this.awaitClaim(delivered, 0);
		if (lost) return lost;
		if (isUnclaimed) return { end: () => {} };
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

const webhookKeyOf = ({ place }: Delivered, { taker }: Matter): string =>
	keyAt(place, taker?.webhook.id ?? '');

/** Another account can name a question or a webhook by the same ID. */
const keyAt = (place: Place, id: string): string => JSON.stringify([placeKeyOf(place), id]);

/** A mark of another version names no question. */
const keyOfQuestion = (place: Place, { webhook, mark }: WaitingQuestion): string =>
	keyAt(place, mark.takes?.question ?? webhook.id);

/** One for the whole process: for every node that asks and every trigger. */
export const replyRouter = new ReplyRouter(steadyClock);
