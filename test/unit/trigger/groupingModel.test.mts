/**
 * Deliveries in any order, senders that go away and come again, an n8n that stores, fails or hangs, and time that passes: what `webhook()` does
 * with its memory of deliveries and its groups, beside a service that delivers again whatever was not acknowledged.
 */
import fc from 'fast-check';

import {
	DeliveryMemory,
	settleWithResponse,
} from '../../../nodes/BusinessMessaging/delivery/deduplicate.ts';
import { Grouping, type GroupRules } from '../../../nodes/BusinessMessaging/trigger/grouping.ts';
import { FakeResponse } from '../fakeResponse.mts';
import { PlayedClock, settled } from './playedClock.mts';

const KEYS = ['one', 'two', 'three'];

type Step =
	| { do: 'arrive'; key: number }
	/** The sender of an unanswered delivery goes away. */
	| { do: 'goAway'; which: number }
	/** n8n stores an execution and answers, or cannot and answers 500. */
	| { do: 'store'; which: number; works: boolean }
	/** Of the events that were not acknowledged, one comes again. */
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
const rules: fc.Arbitrary<GroupRules> = fc.record({
	mostEvents: fc.integer({ min: 1, max: 5 }),
	mostWaiting: fc.integer({ min: 1, max: 6 }),
	quietTime: fc.constantFrom(0, 1000, 3000),
	longestWait: fc.constantFrom(0, 2000, 8000),
});

interface Carrier {
	since: number;
	events: number[];
	response: FakeResponse;
}

class World {
	readonly clock = new PlayedClock();
	readonly grouping = new Grouping<number>(this.clock);
	readonly memory = new DeliveryMemory(1000, () => this.clock.now());
	/** Keys, by event. */
	readonly events: number[] = [];
	readonly acknowledged = new Set<number>();
	/** Deliveries under way. */
	underWay: Array<{ event: number; response: FakeResponse }> = [];
	/** Executions that n8n was given and has not stored. */
	carriers: Carrier[] = [];
	/** The events of each execution that was stored. */
	readonly stored: number[][] = [];

	constructor(private readonly rules: GroupRules) {}

	async deliver(event: number): Promise<void> {
		const response = new FakeResponse();
		const delivery = { event, response };
		this.underWay.push(delivery);
		response.once('finish', () => {
			this.underWay = this.underWay.filter((other) => other !== delivery);
			if (response.statusCode === 200) this.acknowledged.add(event);
			response.close();
		});
		void this.webhook(event, response);
		await settled();
	}

	private async webhook(event: number, response: FakeResponse): Promise<void> {
		const admission = this.memory.admit(String(event));
		if (admission.state !== 'new') return response.end(admission.state === 'seen' ? 200 : 503);
		settleWithResponse(response, admission);
		const turn = await this.grouping.enter(
			KEYS[this.events[event] ?? 0] ?? '',
			{ content: event, events: 1, response },
			this.rules,
		);
		if (turn.role === 'carrier')
			this.carriers.push({ since: this.clock.now(), events: turn.contents, response });
		else response.end(turn.role === 'passenger' && turn.stored ? 200 : 503);
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
				const carrier = pick(this.carriers, step.which);
				if (carrier) this.store(carrier, step.works);
				return await settled();
			}
			case 'repeat': {
				const event = pick(this.unacknowledged, step.which);
				if (event !== undefined) await this.deliver(event);
				return;
			}
			case 'pass':
				// n8n comes to an end with what it was given within a minute: the memory of deliveries counts on it.
				for (const carrier of this.carriers)
					if (this.clock.now() + step.milliseconds - carrier.since >= 60_000)
						this.store(carrier, true);
				return await this.clock.pass(step.milliseconds);
		}
	}

	store(carrier: Carrier, works: boolean): void {
		this.carriers = this.carriers.filter((other) => other !== carrier);
		if (works) this.stored.push(carrier.events);
		carrier.response.end(works ? 200 : 500);
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

it('executes each acknowledged event once, lets nothing wait for ever, and holds its bounds', async () => {
	await fc.assert(
		fc.asyncProperty(rules, steps, async (groupRules, taken) => {
			const world = new World(groupRules);
			for (const step of taken) {
				await world.take(step);
				expect(world.grouping.size.waiting).toBeLessThanOrEqual(groupRules.mostWaiting);
				const executed = world.stored.flat();
				expect(new Set(executed).size).toBe(executed.length);
				for (const event of world.acknowledged) expect(executed).toContain(event);
			}
			// From here on n8n works, and the service delivers again what it has no 2xx for.
			for (let round = 0; round < 10 && world.acknowledged.size < world.events.length; round++) {
				for (const event of world.unacknowledged) await world.deliver(event);
				for (let time = 0; time < 20; time++) {
					for (const carrier of world.carriers) world.store(carrier, true);
					await world.clock.pass(1000);
				}
			}
			expect(world.acknowledged.size).toBe(world.events.length);
			const executed = world.stored.flat();
			expect(executed.toSorted((left, right) => left - right)).toEqual([...world.events.keys()]);
			for (const execution of world.stored)
				expect(execution.length).toBeLessThanOrEqual(groupRules.mostEvents);
			for (const execution of world.stored)
				expect(new Set(execution.map((event) => world.events[event])).size).toBe(1);
			await world.clock.pass(100_000);
			expect(world.grouping.size).toEqual({ waiting: 0, groups: 0, storing: 0 });
			expect(world.clock.sleeping).toBe(0);
		}),
		{ numRuns: 1000 },
	);
}, 120_000);
