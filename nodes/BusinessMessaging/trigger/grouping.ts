import type { EndingResponse } from '../delivery/deduplicate';
import { endOfResponse } from '../delivery/endOfResponse';
import type { Clock } from '../shared/clock';

/** When a group starts. */
export interface GroupRules {
	/** A group with so many events starts at once. Only a delivery that has more by itself exceeds it. */
	mostEvents: number;
	/** When so many deliveries of the process wait, the oldest group starts. */
	mostWaiting: number;
	/** Milliseconds without another delivery, after which a group starts. 0: it waits for nothing but the storing of the one before. */
	quietTime: number;
	/** Milliseconds from a group's first delivery, after which it starts, however many follow. */
	longestWait: number;
}

/** A delivery that was verified and admitted, and may wait for others. */
export interface Delivery<Content> {
	content: Content;
	/** Events in it, at least one. */
	events: number;
	/** What the sender gets; n8n ends the one of a delivery that starts an execution. */
	response: EndingResponse;
}

/** What a delivery is to do once it need not wait any more. */
export type Turn<Content> =
	/** Start the execution that holds all of these, its own among them, in the order in which they came. */
	| { role: 'carrier'; contents: Content[] }
	/** Nothing: its event is in an execution that another delivery started. `stored`: n8n answered that one 2xx, and it may be answered so, too. */
	| { role: 'passenger'; stored: boolean }
	/** Nothing: its sender went away before the group started, and its event is in no execution. */
	| { role: 'gone' };

interface Member<Content> extends Delivery<Content> {
	take(turn: Turn<Content>): void;
}

interface Group<Content> {
	key: string;
	rules: GroupRules;
	members: Array<Member<Content>>;
	events: number;
	firstAt: number;
	lastAt: number;
	/** Somebody sleeps until it is to start. */
	isTimed: boolean;
}

/**
 * Holds deliveries unanswered until one execution takes several of them. One for the whole process.
 *
 * A delivery passes these states; each is left for the next, and none is left for an earlier one:
 *
 * 1. waiting: it is a member of the one open group of its key. Its sender goes away → gone: the group no longer has it, it is answered 503 (which
 *    nobody sees), and so it is admitted again when it comes again.
 * 2. The group starts, once: when its time came and no execution of its key is being stored, or at once when it is full or too many wait. Its first
 *    member whose sender is still there → carrier, the others → passengers. From here on all events of the group are in one execution, and whether
 *    it is stored decides for all, whoever goes away.
 * 3. carrier: `webhook()` returns the events of all, n8n stores the execution and ends the response. Ends, at the latest `ABANDONED_LIMIT` after
 *    its sender went away without a response having been made: then nothing is known to be stored.
 * 4. passenger: waits for how the carrier's response ended. 2xx → 200; anything else → 503, and the service delivers it again.
 *
 * When n8n stops or dies, the connections of all that wait are cut without an answer. When the workflow is unpublished or changed meanwhile, what
 * waits is executed by the workflow as it was when its carrier came.
 */
export class Grouping<Content> {
	/** Groups that have not started, the oldest first: a Map keeps insertion order. */
	private readonly open = new Map<string, Group<Content>>();
	/** Executions that are being stored, by key. */
	private readonly storing = new Map<string, number>();
	/** Deliveries that wait: members of open groups, and passengers. Carriers are in n8n's hands, as every delivery is without grouping. */
	private waiting = 0;

	constructor(private readonly clock: Clock) {}

	get size(): { waiting: number; groups: number; storing: number } {
		return { waiting: this.waiting, groups: this.open.size, storing: this.storing.size };
	}

	/** Resolves as soon as the delivery need not wait any more. @param key deliveries of the same key can share an execution */
	async enter(key: string, delivery: Delivery<Content>, rules: GroupRules): Promise<Turn<Content>> {
		const before = this.open.get(key);
		if (before && before.events + delivery.events > rules.mostEvents) this.start(before);
		else if (this.waiting >= rules.mostWaiting) this.startOldest();
		return await new Promise((take) => {
			const now = this.clock.now();
			const group = this.open.get(key) ?? this.openGroup(key, rules, now);
			const member = { ...delivery, take };
			group.members.push(member);
			group.events += delivery.events;
			group.lastAt = now;
			this.waiting += 1;
			delivery.response.once('close', () => this.leave(group, member));
			if (group.events >= rules.mostEvents || this.waiting > rules.mostWaiting) this.start(group);
			else if (!group.isTimed) void this.startInTime(group);
		});
	}

	private openGroup(key: string, rules: GroupRules, now: number): Group<Content> {
		const group = { key, rules, members: [], events: 0, firstAt: now, lastAt: now, isTimed: false };
		this.open.set(key, group);
		return group;
	}

	/** Takes a member out of a group that has not started: nobody is there to be told, and it comes again. */
	private leave(group: Group<Content>, member: Member<Content>): void {
		if (this.open.get(group.key) !== group || !group.members.includes(member)) return;
		group.members = group.members.filter((other) => other !== member);
		group.events -= member.events;
		if (group.members.length === 0) this.open.delete(group.key);
		this.dismiss(member, { role: 'gone' });
	}

	private dismiss(member: Member<Content>, turn: Turn<Content>): void {
		this.waiting -= 1;
		member.take(turn);
	}

	private startOldest(): void {
		const [oldest] = this.open.values();
		if (oldest) this.start(oldest);
	}

	/** Starts the group when its time has come. While an execution of its key is being stored, the end of that calls this again. */
	private async startInTime(group: Group<Content>): Promise<void> {
		const { quietTime, longestWait } = group.rules;
		group.isTimed = true;
		for (;;) {
			const startAt = Math.min(group.lastAt + quietTime, group.firstAt + longestWait);
			const rest = startAt - this.clock.now();
			if (rest <= 0) break;
			await this.clock.sleep(rest);
			if (this.open.get(group.key) !== group) return;
		}
		group.isTimed = false;
		if (!this.storing.has(group.key)) this.start(group);
	}

	private start(group: Group<Content>): void {
		this.open.delete(group.key);
		const { members } = group;
		// Its connection may have ended without the event having come through yet: it is as good a member, but no carrier.
		const carrier = members.find(({ response }) => !response.destroyed);
		if (!carrier) {
			for (const member of members) this.dismiss(member, { role: 'gone' });
			return;
		}
		const passengers = members.filter((member) => member !== carrier);
		void this.awaitStoring(group.key, carrier, passengers);
		this.dismiss(carrier, { role: 'carrier', contents: members.map(({ content }) => content) });
	}

	private async awaitStoring(
		key: string,
		carrier: Member<Content>,
		passengers: ReadonlyArray<Member<Content>>,
	): Promise<void> {
		this.storing.set(key, (this.storing.get(key) ?? 0) + 1);
		const stored = await endOfResponse(carrier.response, this.clock);
		const left = (this.storing.get(key) ?? 1) - 1;
		if (left > 0) this.storing.set(key, left);
		else this.storing.delete(key);
		for (const passenger of passengers) this.dismiss(passenger, { role: 'passenger', stored });
		const next = this.open.get(key);
		if (next && !next.isTimed) void this.startInTime(next);
	}
}
