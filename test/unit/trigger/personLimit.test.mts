import fc from 'fast-check';

import { PersonLimit, type LimitRules } from '#nodes/trigger/personLimit.ts';
import { runs } from '../../support/runs.mts';
import { PlayedClock } from '../../support/clocks.mts';

interface Counted {
	person: string;
	at: number;
	response: 'none' | '2xx' | 'other';
	end: (isConfirmed: boolean) => void;
	tells: boolean;
}

type Step =
	| { do: 'write'; person: string }
	| { do: 'respond'; which: number; isConfirmed: boolean }
	| { do: 'pass'; milliseconds: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.oneof(
		{
			weight: 5,
			arbitrary: fc.record({
				do: fc.constant('write' as const),
				person: fc.constantFrom('Ana', 'Ana', 'Bo'),
			}),
		},
		{
			weight: 5,
			arbitrary: fc.record({
				do: fc.constant('respond' as const),
				which: fc.nat(3),
				isConfirmed: fc.constantFrom(true, true, true, false),
			}),
		},
		{
			weight: 3,
			arbitrary: fc.record({
				do: fc.constant('pass' as const),
				milliseconds: fc.constantFrom(0, 1, 20, 40, 99, 100),
			}),
		},
	),
	{ maxLength: 150, size: 'max' },
);
const rules: fc.Arbitrary<LimitRules> = fc.record({
	executions: fc.integer({ min: 1, max: 6 }),
	time: fc.constant(100),
});

/** Keeps every start for ever, and counts anew each time. */
class Model {
	readonly all: Counted[] = [];
	private readonly told = new Set<string>();

	constructor(private readonly rules: LimitRules) {}

	stateAt(now: number, person: string): string {
		const { executions, time } = this.rules;
		const counted = this.all.filter(
			(one) => one.person === person && one.response !== 'other' && one.at > now - time,
		);
		if (counted.length * 2 < executions) this.told.delete(person);
		if (counted.length < executions) return 'below';
		const sure = counted.filter(({ response }) => response === '2xx').length;
		if (this.told.has(person) && sure >= executions) return 'over';
		return sure < counted.length ? 'unclear' : 'reached';
	}

	respond(one: Counted, isConfirmed: boolean): void {
		one.response = isConfirmed ? '2xx' : 'other';
		if (isConfirmed && one.tells) this.told.add(one.person);
	}
}

test('property: who may start an execution is as a plain model says, and none exceeds the limit by more than one', async () => {
	await fc.assert(
		fc.asyncProperty(rules, steps, async (given, taken) => {
			const clock = new PlayedClock();
			const limit = new PersonLimit(clock);
			const model = new Model(given);
			for (const step of taken) {
				if (step.do === 'pass') await clock.pass(step.milliseconds);
				else if (step.do === 'respond') {
					const open = model.all.filter(({ response }) => response === 'none');
					const one = open[step.which % open.length];
					one?.end(step.isConfirmed);
					if (one) model.respond(one, step.isConfirmed);
				} else {
					const { person } = step;
					const at = clock.now();
					const state = limit.stateOf(person, given);
					expect(state).toBe(model.stateAt(at, person));
					if (state === 'over' || state === 'unclear') continue;
					const { end, overFor } = limit.start(person, given);
					const tells = overFor !== undefined;
					expect(tells).toBe(state === 'reached');
					model.all.push({ person, at, response: 'none', end, tells });
					const inTime = (time: number) =>
						model.all.filter(
							(one) =>
								one.person === person &&
								one.response !== 'other' &&
								one.at > at + time - given.time,
						).length;
					expect(inTime(0)).toBeLessThanOrEqual(given.executions + 1);
					if (overFor === undefined) continue;
					expect(inTime(overFor)).toBeLessThan(given.executions);
					expect(inTime(overFor - 1)).toBeGreaterThanOrEqual(given.executions);
				}
			}
		}),
		{ numRuns: runs(1000) },
	);
}, 60_000);

test('forgets who has not written for longest, and not who goes on writing', () => {
	const limit = new PersonLimit(new PlayedClock(), 10);
	const given = { executions: 1, time: 1000 };
	for (const _ of [1, 2]) limit.start('flood', given).end(true);
	for (let number = 0; number < 100; number++) {
		limit.start(`${number}`, given).end(true);
		expect(limit.stateOf('flood', given)).toBe('over');
		expect(limit.people.size).toBeLessThanOrEqual(10);
	}
	expect(limit.stateOf('0', given)).toBe('below');
});
