import { idKey } from '../service/contract';
import type { WaitingList } from './lists';
import type { WaitingQuestion } from './mark';
import { isOver, isTaken, marksOf } from './mark';

/** Questions for one person that are looked at. A person has one at a time. */
const FOR_ONE_MAX = 100;

/** What each message of a delivery asks of a list, which others can make long. */
export interface ListIndex {
	/** The messages that the marks name: a question of any process took them. */
	named: ReadonlySet<string>;
	/** By the question's ID. */
	byId: ReadonlyMap<string, WaitingQuestion>;
	/** The open ones of an n8n that would take a message of this author, if anything. */
	openFor(instanceId: string, author: () => string): readonly WaitingQuestion[];
}

/** Whether a question can still be answered, as far as its webhook tells. */
export const isOpen = (question: WaitingQuestion): boolean =>
	question.webhook.status === 'ENABLED' && !isOver(question, Date.now()) && !isTaken(question);

const indexes = new WeakMap<WaitingList, ListIndex>();

/** Goes through a list once, for all messages. */
export function indexOf(list: WaitingList): ListIndex {
	const known = indexes.get(list);
	if (known) return known;
	const named = new Set<string>();
	const byId = new Map<string, WaitingQuestion>();
	const open = new Map<string, WaitingQuestion[]>();
	const add = (key: string, question: WaitingQuestion) => {
		const questions = open.get(key) ?? [];
		if (questions.length < FOR_ONE_MAX) questions.push(question);
		open.set(key, questions);
	};
	for (const question of list.questions) {
		const { took, lastWrong, askedFor, takes, key } = question.mark;
		for (const id of [took, lastWrong, askedFor]) if (id !== undefined) named.add(idKey(id));
		if (takes && !byId.has(takes.question)) byId.set(takes.question, question);
		if (!isOpen(question)) continue;
		const instance = String(question.owner.instanceId);
		// Of another key nobody knows whom it asked.
		const people = takes && key === list.marker.key ? new Set(marksOf(question)) : [''];
		for (const person of people) add(JSON.stringify([instance, person]), question);
	}
	const index: ListIndex = {
		named,
		byId,
		openFor: (instanceId, author) => {
			if (open.size === 0) return [];
			const of = (person: string) => open.get(JSON.stringify([instanceId, person])) ?? [];
			return [...of(author()), ...of('')];
		},
	};
	indexes.set(list, index);
	return index;
}
