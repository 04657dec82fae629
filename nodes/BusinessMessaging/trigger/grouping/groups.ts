import { type EndingResponse, endOfResponse } from '../../delivery/respond';
import type { Clock } from '../../shared/tools/clock';

/** When a group starts. */
export interface GroupRules {
	/** A group starts as soon as it has this many events. A delivery with more is a group alone. */
	mostEvents: number;
	/** Undefined: a group waits only until the execution before it is stored. */
	pause?: Pause;
}

/** The pause that a group waits for: a time without another delivery. */
export interface Pause {
	/** Milliseconds from the last delivery of a group until it starts. */
	quietTime: number;
	/** Milliseconds from the first request of a group until it starts at the latest. */
	longestWait: number;
	/** When this many deliveries of the process wait for a pause, the largest group starts. */
	mostWaiting: number;
}

/** A delivery that was proven and admitted, and may wait for others. */
export interface Delivery<Content> {
	content: Content;
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
	/** Nothing: the sender disconnected before the group started. Its event was not stored. */
	| { role: 'gone' };

interface Member<Content> extends Delivery<Content> {
	take(turn: Turn<Content>): void;
}

interface Group<Content> {
	key: string;
	rules: GroupRules;
	members: Array<Member<Content>>;
	events: number;
	/** When the first of its requests came. */
	firstAt: number;
	/** When the last of its deliveries entered. */
	lastAt: number;
}

/**
 * Holds deliveries unanswered until one execution takes several of them. One for the whole process.
 *
 * A delivery goes through these states, and never back:
 *
 * 1. Waiting: it is a member of the one open group of its key. If its sender disconnects, it leaves
 *    the group and is answered 503, which nobody sees. It is admitted again when it comes again.
 * 2. The group starts, once: when its time has come and no execution of its key is being stored, at
 *    once when it is full, and at once when it is the largest and the number of waiting deliveries
 *    reaches its bound. The first member whose sender is still connected is the leader, the others
 *    are followers. From here on, one execution holds all events of the group. Whether it is stored
 *    decides for all members, even for those whose senders disconnect.
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
	/** Groups that have not started, the oldest first: a Map keeps insertion order. */
	private readonly open = new Map<string, Group<Content>>();
	/** The number of executions that are being stored, by key. */
	private readonly storing = new Map<string, number>();
	/** The number of deliveries in open groups that wait for a pause. */
	private waiting = 0;

	constructor(private readonly clock: Clock) {}

	get size(): { waiting: number; groups: number; storing: number } {
		return { waiting: this.waiting, groups: this.open.size, storing: this.storing.size };
	}

	/**
	 * Resolves when its wait is over:
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
			const member = { ...delivery, take };
			group.members.push(member);
			group.events += delivery.events;
			this.count(group, 1);
			group.lastAt = this.clock.now();
			const isFirst = delivery.since < group.firstAt;
			if (isFirst) group.firstAt = delivery.since;
			delivery.response.once('close', () => this.leave(group, member));
			if (group.events >= rules.mostEvents) return this.start(group);
			if (rules.pause && this.waiting >= rules.pause.mostWaiting) this.startLargest();
			// The sleep that is under way would end too late for a request that came earlier.
			if (isFirst) void this.startInTime(group);
		});
	}

	private openGroup(key: string, rules: GroupRules): Group<Content> {
		const group = { key, rules, members: [], events: 0, firstAt: Infinity, lastAt: 0 };
		this.open.set(key, group);
		return group;
	}

	private count({ rules }: Group<Content>, more: number): void {
		if (rules.pause) this.waiting += more;
	}

	/** Takes a member whose sender disconnected out of a group that has not started. */
	private leave(group: Group<Content>, member: Member<Content>): void {
		if (this.open.get(group.key) !== group || !group.members.includes(member)) return;
		group.members = group.members.filter((other) => other !== member);
		group.events -= member.events;
		this.count(group, -1);
		if (group.members.length === 0) this.open.delete(group.key);
		member.take({ role: 'gone' });
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
		const { members } = group;
		this.count(group, -members.length);
		// A connection can have ended before its event has arrived. Its delivery stays a member.
		const leader = members.find(({ response }) => !response.destroyed);
		if (!leader) {
			for (const member of members) member.take({ role: 'gone' });
			return;
		}
		const followers = members.filter((member) => member !== leader);
		void this.awaitStoring(group.key, leader, followers);
		// Two deliveries can enter in another order than they came: each may have waited for a list.
		const inOrder = [...members].sort((one, other) => one.since - other.since);
		leader.take({ role: 'leader', contents: inOrder.map(({ content }) => content) });
	}

	private async awaitStoring(
		key: string,
		leader: Member<Content>,
		followers: ReadonlyArray<Member<Content>>,
	): Promise<void> {
		this.storing.set(key, (this.storing.get(key) ?? 0) + 1);
		const stored = await endOfResponse(leader.response, this.clock);
		const left = (this.storing.get(key) ?? 1) - 1;
		if (left > 0) this.storing.set(key, left);
		else this.storing.delete(key);
		for (const follower of followers) follower.take({ role: 'follower', stored });
		const next = this.open.get(key);
		if (next) void this.startInTime(next);
	}
}

/** When a group should start. A group without a pause should start as soon as it can. */
const timeOf = ({ rules: { pause }, firstAt, lastAt }: Group<unknown>): number =>
	pause ? Math.min(lastAt + pause.quietTime, firstAt + pause.longestWait) : firstAt;
