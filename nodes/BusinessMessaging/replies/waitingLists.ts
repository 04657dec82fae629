import { idKey, type Webhook } from '../service/contract';
import { startDeadline } from '../service/deadline';
import type { WebhookApi } from '../service/webhooks';
import { BoundedMap } from '../shared/tools/boundedMap';
import type { Clock } from '../shared/tools/clock';
import { isOfThisN8n, type ThisN8n } from './waitingExecution';
import { type Place, placeKeyOf } from './claims';
import { leftovers } from './leftovers';
import type { Marker, WaitingQuestion } from './questionMark';
import { isOver, isTaken, markerOf, marksOf, readWaiting } from './questionMark';

/** Milliseconds for which a list, or the failure to get it, is kept. */
const LIST_KEPT = 2000;
/** Milliseconds that a reading may take. */
const LIST_TIMEOUT = 5000;
const CHANNELS_MAX = 500;

/** The questions that wait on a channel, of any n8n, and how to recognise their marks. */
export interface WaitingList {
	questions: readonly WaitingQuestion[];
	marker: Marker;
}

/** Reads the list, if it can. @param timeout milliseconds */
export type ReadList = (timeout: number) => Promise<WaitingList | undefined>;

/** Milliseconds after its deadline when a question's webhook is removed. */
const OVER_FOR = 60_000;

/** Removes this n8n's questions that are over, because n8n runs nothing then, and nobody waits. */
function removeOver(
	api: WebhookApi,
	questions: readonly WaitingQuestion[],
	own: () => ThisN8n,
): void {
	const over = questions.filter((question) => isOver(question, Date.now() - OVER_FOR));
	if (over.length === 0) return;
	const here = own();
	void leftovers.remove(
		api,
		over.filter((question) => isOfThisN8n(question, here)),
	);
}

/** The same for whoever needs the webhooks. */
export const removingOver = (api: WebhookApi, own: () => ThisN8n): WebhookApi => ({
	...api,
	list: async (timeout) => {
		const webhooks = await api.list(timeout);
		removeOver(api, readQuestions(webhooks), own);
		return webhooks;
	},
});

export const readQuestions = (webhooks: readonly Webhook[]): WaitingQuestion[] =>
	webhooks.map(readWaiting).filter((question) => question !== undefined);

/** @param own called if a question is over */
export const listReader =
	(api: WebhookApi, secretKey: string, own: () => ThisN8n): ReadList =>
	async (timeout) => {
		const questions = readQuestions(await api.list(timeout));
		removeOver(api, questions, own);
		return { questions, marker: markerOf(secretKey) };
	};

interface Reading {
	/** Counts the readings and the questions of a channel. A reading knows what came before it. */
	begun: number;
	/** When it ended. Undefined while it is under way. */
	endedAt?: number;
	/** Undefined if the list cannot be read. Never rejects. */
	list: Promise<WaitingList | undefined>;
}

interface Channel {
	count: number;
	/** What was read before is too old. */
	notBefore: number;
	last?: Reading;
	/** Begins when the last one has ended. */
	next?: Promise<Reading>;
}

/** What waits, by the service's lists, which all processes share. One reading at a time. */
export class WaitingLists {
	private readonly channels = new BoundedMap<Channel>(CHANNELS_MAX);

	/** @param clock a steady one */
	constructor(private readonly clock: Clock) {}

	/** This process registered a question or updated its webhook. What was read before is too old. */
	noteAsked(place: Place): void {
		const channel = this.channelOf(place);
		channel.notBefore = ++channel.count;
	}

	/** A list of at most two seconds ago. Undefined if it cannot be read, or not by that time. */
	async recent(place: Place, read: ReadList, until: number): Promise<WaitingList | undefined> {
		const channel = this.channelOf(place);
		const { last, notBefore } = channel;
		const isOld = last?.endedAt !== undefined && this.clock.now() >= last.endedAt + LIST_KEPT;
		return await this.by(until, this.after(channel, isOld ? last.begun : notBefore, read));
	}

	/** A list that was requested after this call. Undefined as well. */
	async fresh(place: Place, read: ReadList, until: number): Promise<WaitingList | undefined> {
		const channel = this.channelOf(place);
		return await this.by(until, this.after(channel, ++channel.count, read));
	}

	private async after(
		channel: Channel,
		moment: number,
		read: ReadList,
	): Promise<WaitingList | undefined> {
		const { last } = channel;
		if (last && last.begun > moment) return await last.list;
		if (!last || last.endedAt !== undefined) return await this.begin(channel, read).list;
		channel.next ??= last.list.then(() => this.begin(channel, read));
		return await (
			await channel.next
		).list;
	}

	/** Others share the reading, so it goes on when the time of one of them is over. */
	private async by(
		until: number,
		list: Promise<WaitingList | undefined>,
	): Promise<WaitingList | undefined> {
		const deadline = startDeadline({}, Math.max(1, Math.ceil(until - this.clock.now())));
		return await deadline
			.race(list)
			.catch(() => undefined)
			.finally(() => deadline.end());
	}

	private begin(channel: Channel, read: ReadList): Reading {
		delete channel.next;
		const list = read(LIST_TIMEOUT).catch(() => undefined);
		const reading: Reading = { begun: ++channel.count, list };
		channel.last = reading;
		void list.then(() => (reading.endedAt = this.clock.now()));
		return reading;
	}

	private channelOf(place: Place): Channel {
		const key = placeKeyOf(place);
		const channel = this.channels.get(key) ?? { count: 0, notBefore: 0 };
		this.channels.set(key, channel);
		return channel;
	}
}

/** Questions for one person that are looked at. A person has one at a time. */
const FOR_ONE_MAX = 100;

/** What each message of a delivery asks of a list, which others can make long. */
interface ListIndex {
	/** The messages that the marks name: a question of any process took them. */
	named: ReadonlySet<string>;
	byId: ReadonlyMap<string, WaitingQuestion>;
	/** The open ones of an n8n that would take a message of this author, if anything. */
	openFor(instanceId: string, author: () => string): readonly WaitingQuestion[];
}

/** Whether its webhook lets a question be answered, by what is written before its deadline. */
export const isOpen = (question: WaitingQuestion): boolean =>
	question.webhook.status === 'ENABLED' && !isTaken(question);

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
		const instance = String(question.node.instanceId);
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
