/** Whose a customer's message is: docs/decisions/whose-words.md has the same as a table. */
import type { Life } from './waitingExecution';

/** How often a trigger asks for a message to come again: the service's first two retries. */
const LATER_MOST = 2;
/** How often this n8n fails to ask a question's address before it no longer tries. */
const BLIND_MOST = 2;

const BLIND = { tells: 'blind' } as const;

/** What is known of a message that came to a trigger. Each step adds to it. */
export interface Known {
	/** Whether it carries a question's ID. */
	readonly isTap: boolean;
	/** Whether a question got a 2xx for it, or a mark names it. */
	isTaken: boolean;
	/** The list of questions that was read last. `again`: after the question had its time. */
	list: 'unread' | 'unreadable' | 'recent' | 'fresh' | 'again';
	/**
	 * The question that its ID names, or else one that would take it. `none`: no question would take
	 * it from its author. `over`: it takes nothing more. `elsewhere`: another n8n's, of a tap.
	 */
	question: 'none' | 'over' | 'elsewhere' | 'waits';
	/** Whether that question's deadline has passed, by this process's date. */
	isPastDeadline: boolean;
	/** Whether that question had its time to claim the message. */
	hadTime: boolean;
	/** What its address says, if it was asked. */
	life?: Life;
	/** How often its address could not be asked for claimable messages, this one among them. */
	blind: number;
}

export type FateStep =
	/** `tells`: it goes into the log. */
	| { do: 'leaveIt'; tells?: 'elsewhere' }
	| { do: 'read'; list: 'recent' | 'fresh' | 'again' }
	/** Gives the question its time. */
	| { do: 'wait' }
	| { do: 'askAddress' }
	/** `isUnclaimed`: the question may take it nevertheless. */
	| { do: 'start'; isLate?: boolean; isUnclaimed?: true; tells?: 'blind' }
	/** The delivery should come again, this often at most. Then the workflow starts. */
	| { do: 'comeAgain'; most: number; isLate?: boolean };

/** Says what a trigger does next with a message. */
export function fateOf(known: Known): FateStep {
	const { isTap, list, question, isPastDeadline } = known;
	if (known.isTaken) return { do: 'leaveIt' };
	if (list === 'unread') return { do: 'read', list: isTap ? 'fresh' : 'recent' };
	// Two responses are better than none.
	if (list === 'unreadable')
		return isTap ? { do: 'comeAgain', most: LATER_MOST } : { do: 'start', isUnclaimed: true };
	if (question === 'elsewhere') return { do: 'leaveIt', tells: 'elsewhere' };
	const isBlind = known.hadTime && known.blind >= BLIND_MOST;
	if (question !== 'waits')
		return { do: 'start', isLate: question === 'over', ...(isBlind ? BLIND : {}) };
	if (list === 'recent') return { do: 'read', list: 'fresh' };
	// n8n can end its wait at any moment, so past its deadline it has a tap only once it claimed it.
	return isTap && !isPastDeadline ? fateOfTap(known) : fateOfClaimable(known);
}

/** A tap on a question that waits is the question's, whoever claimed it. */
function fateOfTap({ life }: Known): FateStep {
	if (life === undefined) return { do: 'askAddress' };
	return life === 'gone' ? { do: 'comeAgain', most: 1, isLate: true } : { do: 'leaveIt' };
}

/** Anything else is the question's once it claimed it. */
function fateOfClaimable({ hadTime, life, blind, list, isPastDeadline: isLate }: Known): FateStep {
	if (!hadTime) return { do: 'wait' };
	if (life === undefined && blind < BLIND_MOST) return { do: 'askAddress' };
	if (list !== 'again') return { do: 'read', list: 'again' };
	if (life === 'gone' || life === 'elsewhere') return { do: 'start', isLate };
	if (blind >= BLIND_MOST) return { do: 'start', isLate, ...BLIND };
	return { do: 'comeAgain', most: LATER_MOST, isLate };
}
