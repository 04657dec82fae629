/**
 * Models what `webhook()` does with its memory of deliveries and its groups: deliveries in any
 * order, senders that disconnect and come again, an n8n that stores, fails or hangs, and time that
 * passes. The service redelivers what was not acknowledged.
 */
import fc from 'fast-check';

import { DeliveryMemory } from '#nodes/delivery/respond.ts';
import { endOfResponse } from '#nodes/delivery/respond.ts';
import { Groups } from '#nodes/trigger/grouping/groups.ts';
import type { GroupRules } from '#nodes/trigger/groupingSettings.ts';
import { FakeResponse } from '../../../support/fakeResponse.mts';
import { PlayedClock, settled } from '../../../support/clocks.mts';
import { runs } from '../../../support/runs.mts';

/** Deliveries of the last key wait only until the previous execution is stored. */
const KEYS = ['one', 'two', 'three', 'by arrival'];
const BY_ARRIVAL = KEYS.length - 1;

type Step =
	| { do: 'arrive'; key: number }
	/** The sender of an unanswered delivery disconnects. */
	| { do: 'goAway'; which: number }
	/** n8n stores an execution and responds 200, or fails and responds 500. */
	| { do: 'store'; which: number; works: boolean }
	/** An unacknowledged event comes again. */
	| { do: 'repeat'; which: number }
	| { do: 'pass'; milliseconds: number };

const which = fc.nat(20);
const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.oneof(
		{
			weight: 4,
			arbitrary: fc.record({ do: fc.constant('arrive' as const), key: fc.nat(KEYS.length - 1) }),
		},
		{ weight: 2, arbitrary: fc.record({ do: fc.constant('goAway' as const), which }) },
		{
			weight: 3,
			arbitrary: fc.record({ do: fc.constant('store' as const), which, works: fc.boolean() }),
		},
		{ weight: 2, arbitrary: fc.record({ do: fc.constant('repeat' as const), which }) },
		{
			weight: 3,
			arbitrary: fc.record({
				do: fc.constant('pass' as const),
				milliseconds: fc.constantFrom(1, 100, 999, 3000, 8000, 50_000),
			}),
		},
	),
	{ maxLength: 60 },
);
const rules: fc.Arbitrary<Required<GroupRules>> = fc.record({
	mostEvents: fc.integer({ min: 1, max: 5 }),
	pause: fc.record({
		mostWaiting: fc.integer({ min: 1, max: 6 }),
		quietTime: fc.constantFrom(0, 1000, 3000),
		longestWait: fc.constantFrom(0, 2000, 8000),
	}),
});

interface Delivered {
	event: number;
	response: FakeResponse;
}

interface Leader {
	since: number;
	events: number[];
	response: FakeResponse;
}

class World {
	readonly clock = new PlayedClock();
	readonly groups = new Groups<Delivered>(this.clock);
	readonly memory = new DeliveryMemory(1000);
	/** Keys, by event. */
	readonly events: number[] = [];
	readonly acknowledged = new Set<number>();
	/** Deliveries in progress. */
	underWay: Delivered[] = [];
	/** Deliveries whose group has started. */
	private readonly started = new WeakSet<Delivered>();
	/** Executions that n8n got and has not stored. */
	leaders: Leader[] = [];
	/** The events of each stored execution. */
	readonly stored: number[][] = [];

	/** @param isUnclear whose each second message is takes a time, and each sixth is a question's */
	constructor(
		private readonly rules: Required<GroupRules>,
		private readonly isUnclear: boolean,
	) {}

	private async contentOf(delivery: Delivered): Promise<Delivered | undefined> {
		if (!this.isUnclear || delivery.event % 2 === 0) return delivery;
		await this.clock.sleep(1500 * (delivery.event % 5));
		return this.isTaken(delivery.event) ? undefined : delivery;
	}

	isTaken = (event: number): boolean => this.isUnclear && event % 6 === 1;

	/** Deliveries of a key that wait for their group to start. */
	waiting(key: number): number {
		const isWaiting = (delivery: Delivered) =>
			this.events[delivery.event] === key && !this.started.has(delivery);
		return this.underWay.filter(isWaiting).length;
	}

	async deliver(event: number): Promise<void> {
		const response = new FakeResponse();
		const delivery = { event, response };
		this.underWay.push(delivery);
		response.once('finish', () => {
			this.underWay = this.underWay.filter((other) => other !== delivery);
			if (response.statusCode === 200) this.acknowledged.add(event);
			response.close();
		});
		const leaders = this.leaders.length;
		void this.webhook(delivery);
		await settled();
		// No time has passed, so a group of another key started because it is the largest.
		for (const { events } of this.leaders.slice(leaders)) {
			const key = this.events[events[0] ?? -1];
			if (key === this.events[event] || this.isUnclear) continue;
			for (const other of [...KEYS.keys()].filter((one) => one !== BY_ARRIVAL))
				expect(events.length).toBeGreaterThanOrEqual(this.waiting(other));
		}
	}

	private async webhook(delivery: Delivered): Promise<void> {
		const { event, response } = delivery;
		const admission = this.memory.admit(String(event));
		if (admission.state !== 'new') return response.end(admission.state === 'seen' ? 200 : 503);
		void endOfResponse(response, this.clock).then(admission.end);
		const key = this.events[event] ?? 0;
		const { mostEvents } = this.rules;
		const content = this.contentOf(delivery);
		const turn = await this.groups.enter(
			KEYS[key] ?? '',
			{ content, events: 1, since: this.clock.now(), response },
			key === BY_ARRIVAL ? { mostEvents } : this.rules,
		);
		if (turn.role === 'gone' && this.isTaken(event)) {
			await content;
			return response.end(200);
		}
		if (turn.role === 'leader') {
			for (const content of turn.contents) this.started.add(content);
			const events = turn.contents.map((content) => content.event);
			this.leaders.push({ since: this.clock.now(), events, response });
		} else response.end(turn.role === 'follower' && turn.stored ? 200 : 503);
	}

	async take(step: Step): Promise<void> {
		const pick = <Item,>(list: readonly Item[], which: number) => list[which % list.length];
		switch (step.do) {
			case 'arrive':
				return await this.deliver(this.events.push(step.key) - 1);
			case 'goAway': {
				const delivery = pick(this.underWay, step.which);
				this.underWay = this.underWay.filter((other) => other !== delivery);
				delivery?.response.close();
				return await settled();
			}
			case 'store': {
				const leader = pick(this.leaders, step.which);
				if (leader) this.store(leader, step.works);
				return await settled();
			}
			case 'repeat': {
				const event = pick(this.unacknowledged, step.which);
				if (event !== undefined) await this.deliver(event);
				return;
			}
			case 'pass':
				// The memory of deliveries relies on n8n's response within a minute.
				for (const leader of this.leaders)
					if (this.clock.now() + step.milliseconds - leader.since >= 60_000)
						this.store(leader, true);
				return await this.clock.pass(step.milliseconds);
		}
	}

	store(leader: Leader, works: boolean): void {
		this.leaders = this.leaders.filter((other) => other !== leader);
		if (works) this.stored.push(leader.events);
		leader.response.end(works ? 200 : 500);
	}

	get unacknowledged(): number[] {
		return this.events
			.map((_key, event) => event)
			.filter(
				(event) =>
					!this.acknowledged.has(event) && !this.underWay.some((other) => other.event === event),
			);
	}
}

it('executes each acknowledged event once, keeps its limits, and lets nothing wait for ever', async () => {
	await fc.assert(
		fc.asyncProperty(rules, fc.boolean(), steps, async (groupRules, isUnclear, taken) => {
			const world = new World(groupRules, isUnclear);
			for (const step of taken) {
				await world.take(step);
				expect(world.groups.size.waiting).toBeLessThan(groupRules.pause.mostWaiting);
				const byCustomer = [...KEYS.keys()].filter((key) => key !== BY_ARRIVAL);
				const waiting = byCustomer.reduce((sum, key) => sum + world.waiting(key), 0);
				// Of a closed group, it may not be clear yet whose its messages are.
				if (isUnclear) expect(world.groups.size.waiting).toBeLessThanOrEqual(waiting);
				else expect(world.groups.size.waiting).toBe(waiting);
				const executed = world.stored.flat();
				expect(new Set(executed).size).toBe(executed.length);
				for (const event of world.acknowledged)
					if (!world.isTaken(event)) expect(executed).toContain(event);
			}
			// From here on n8n works, and the service redelivers what got no 2xx.
			for (let round = 0; round < 10 && world.acknowledged.size < world.events.length; round++) {
				for (const event of world.unacknowledged) await world.deliver(event);
				for (let time = 0; time < 20; time++) {
					for (const leader of world.leaders) world.store(leader, true);
					await world.clock.pass(1000);
				}
			}
			expect(world.acknowledged.size).toBe(world.events.length);
			const executed = world.stored.flat();
			const expected = [...world.events.keys()].filter((event) => !world.isTaken(event));
			expect(executed.toSorted((left, right) => left - right)).toEqual(expected);
			for (const execution of world.stored)
				expect(execution.length).toBeLessThanOrEqual(groupRules.mostEvents);
			for (const execution of world.stored)
				expect(new Set(execution.map((event) => world.events[event])).size).toBe(1);
			await world.clock.pass(100_000);
			expect(world.groups.size).toEqual({ waiting: 0, groups: 0, storing: 0 });
			expect(world.clock.sleeping).toBe(0);
		}),
		{ numRuns: runs(1000) },
	);
}, 120_000);
