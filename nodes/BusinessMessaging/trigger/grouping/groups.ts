import { type EndingResponse, endOfResponse } from '../../delivery/respond';
import type { Clock } from '../../shared/tools/clock';
import type { GroupRules } from '../groupingSettings';

/** A delivery that was proven and admitted, and may wait for others. */
export interface Delivery<Content> {
	/** What is the workflow's of it. Undefined if a question took it all. Never rejects. */
	content: Promise<Content | undefined>;
	/** Number of its events, at least one. */
	events: number;
	/** When its request came, by the clock. Its wait is counted from here. */
	since: number;
	/** n8n ends the response of a leader. The caller ends that of a follower. */
	response: EndingResponse;
}

/** What a delivery does when its wait is over. */
export type Turn<Content> =
	/** Start the execution of all these contents, its own among them, in the order of arrival. */
	| { role: 'leader'; contents: Content[] }
	/** Nothing: the leader's execution holds its event. `stored`: n8n responded 2xx to the leader. */
	| { role: 'follower'; stored: boolean }
	/** Nothing: the sender disconnected before the group started, or it has no content. */
	| { role: 'gone' };

interface Member<Content> extends Delivery<Content> {
	/** Its content. Undefined while it is not clear. */
	known?: Content;
	take(turn: Turn<Content>): void;
}

interface Group<Content> {
	key: string;
	rules: GroupRules;
	members: Array<Member<Content>>;
	events: number;
	/** When the first of its requests came. */
	firstAt: number;
	/** When the last of its requests came. */
	lastAt: number;
	/** All its members have started, or left. */
	isOver: boolean;
}

/**
 * Holds deliveries unanswered until one execution takes several of them. One for the whole process.
 *
 * A delivery goes through these states, and never back:
 *
 * 1. Waiting: it is a member of the one open group of its key. If its sender disconnects, it leaves
 *    the group and is answered 503, which nobody sees. It is admitted again when it comes again.
 * 2. The group closes, once: when its time has come and no execution of its key is being stored,
 *    at once when it is full, and at once when it is the largest and the number of waiting
 *    deliveries reaches its bound. It starts once the content of all is known. At its longest wait,
 *    those whose content is not known yet start after it. The first member whose sender is still
 *    connected is the leader, the others are followers. From here on, one execution holds all
 *    events of the group. Whether it is stored decides for all, even if their senders disconnect.
 * 3. Leader: `webhook()` returns the events of all, n8n stores the execution and ends the response.
 *    If its sender disconnects and n8n makes no response within `ABANDONED_LIMIT`, the execution
 *    counts as not stored.
 * 4. Follower: it waits for the end of the leader's response. After a 2xx it is answered 200, after
 *    anything else 503, and the service delivers it again.
 *
 * When n8n stops or dies, the connections of all waiting deliveries are cut without a response. If
 * the workflow is unpublished or changed meanwhile, the workflow as it was when the leader came
 * executes the group.
 */
export class Groups<Content> {
	/** Groups that have not closed, the oldest first: a Map keeps insertion order. */
	private readonly open = new Map<string, Group<Content>>();
	/** The number of closed groups and of executions that are being stored, by key. */
	private readonly storing = new Map<string, number>();
	/** The number of deliveries in open groups that wait for a pause. */
	private waiting = 0;

	constructor(private readonly clock: Clock) {}

	get size(): { waiting: number; groups: number; storing: number } {
		return { waiting: this.waiting, groups: this.open.size, storing: this.storing.size };
	}

	/**
	 * Resolves when its wait is over. Call it when the delivery comes, to which others may belong.
	 *
	 *     const delivery = { content, events: 1, since, response: context.getResponseObject() };
	 *     const turn = await groups.enter(customer, delivery, { mostEvents: 100, pause });
	 *     if (turn.role === 'leader') return executionOf(turn.contents.flatMap(itemsOf));
	 *
	 * @param key those of the same can share an execution
	 */
	async enter(key: string, delivery: Delivery<Content>, rules: GroupRules): Promise<Turn<Content>> {
		const before = this.open.get(key);
		if (before && before.events + delivery.events > rules.mostEvents) this.start(before);
		return await new Promise((take) => {
			const group = this.open.get(key) ?? this.openGroup(key, rules);
			const member: Member<Content> = { ...delivery, take };
			group.members.push(member);
			group.events += delivery.events;
			this.count(group, 1);
			group.lastAt = Math.max(group.lastAt, delivery.since);
			const isFirst = delivery.since < group.firstAt;
			if (isFirst) group.firstAt = delivery.since;
			delivery.response.once('close', () => {
				if (this.open.get(key) === group) this.leave(group, member);
			});
			void delivery.content.then((content) => {
				if (content === undefined) this.leave(group, member);
				else member.known = content;
				if (this.open.get(key) !== group) this.startKnown(group);
			});
			if (group.events >= rules.mostEvents) return this.start(group);
			if (rules.pause && this.waiting >= rules.pause.mostWaiting) this.startLargest();
			// The sleep that is under way would end too late for a request that came earlier.
			if (isFirst) void this.startInTime(group);
		});
	}

	private openGroup(key: string, rules: GroupRules): Group<Content> {
		const times = { firstAt: Infinity, lastAt: -Infinity };
		const group = { key, rules, members: [], events: 0, ...times, isOver: false };
		this.open.set(key, group);
		return group;
	}

	private count({ rules }: Group<Content>, more: number): void {
		if (rules.pause) this.waiting += more;
	}

	/** Takes a member out that has not started. */
	private leave(group: Group<Content>, member: Member<Content>): void {
		if (!group.members.includes(member)) return;
		group.members = group.members.filter((other) => other !== member);
		member.take({ role: 'gone' });
		if (this.open.get(group.key) !== group) return;
		group.events -= member.events;
		this.count(group, -1);
		if (group.members.length === 0) this.open.delete(group.key);
	}

	/** Starts the group with the most deliveries, the oldest of equal ones: a flood splits itself. */
	private startLargest(): void {
		const groups = [...this.open.values()].filter(({ rules }) => rules.pause);
		const sizes = groups.map(({ members }) => members.length);
		const largest = groups[sizes.indexOf(Math.max(...sizes))];
		if (largest) this.start(largest);
	}

	/** Starts the group in time. Called again when the execution before it is stored. */
	private async startInTime(group: Group<Content>): Promise<void> {
		while (this.open.get(group.key) === group) {
			const rest = timeOf(group) - this.clock.now();
			if (rest > 0) await this.clock.sleep(rest);
			else if (this.storing.has(group.key)) return;
			else this.start(group);
		}
	}

	private start(group: Group<Content>): void {
		this.open.delete(group.key);
		this.count(group, -group.members.length);
		this.hold(group.key, 1);
		this.startKnown(group);
		const rest = group.firstAt + (group.rules.pause?.longestWait ?? 0) - this.clock.now();
		if (!group.isOver && rest > 0)
			void this.clock.sleep(rest).then(() => this.startKnown(group, true));
	}

	/** Starts a closed group, unless a content is not known yet, and there is time. */
	private startKnown(group: Group<Content>, isTime = false): void {
		const known = group.members.filter((member) => member.known !== undefined);
		const late = group.members.filter((member) => member.known === undefined);
		if (group.isOver || (late.length > 0 && !isTime)) return;
		group.members = late;
		group.isOver = late.length === 0;
		// A connection can have ended before its event has arrived. Its delivery stays a member.
		const leader = known.find(({ response }) => !response.destroyed);
		if (leader) void this.lead(group.key, leader, known);
		else for (const member of known) member.take({ role: 'gone' });
		if (group.isOver) this.hold(group.key, -1);
	}

	private async lead(
		key: string,
		leader: Member<Content>,
		members: ReadonlyArray<Member<Content>>,
	): Promise<void> {
		this.hold(key, 1);
		// By arrival, two deliveries enter in another order than they came if one waited for a list.
		const inOrder = [...members].sort((one, other) => one.since - other.since);
		const contents = inOrder.flatMap(({ known }) => (known === undefined ? [] : [known]));
		leader.take({ role: 'leader', contents });
		const stored = await endOfResponse(leader.response, this.clock);
		const followers = members.filter((member) => member !== leader);
		for (const follower of followers) follower.take({ role: 'follower', stored });
		this.hold(key, -1);
	}

	/** Holds the next group of a key back. */
	private hold(key: string, more: number): void {
		const held = (this.storing.get(key) ?? 0) + more;
		if (held > 0) this.storing.set(key, held);
		else this.storing.delete(key);
		const next = this.open.get(key);
		if (held === 0 && next) void this.startInTime(next);
	}
}

/** When a group should start. A group without a pause should start as soon as it can. */
const timeOf = ({ rules: { pause }, firstAt, lastAt }: Group<unknown>): number =>
	pause ? Math.min(lastAt + pause.quietTime, firstAt + pause.longestWait) : firstAt;
