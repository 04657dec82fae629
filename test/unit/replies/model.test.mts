/**
 * Whose a customer's message is, as a model: a question and a trigger get it in deliveries of their
 * own, which fail, come late, come again and reach any process. The page
 * docs/decisions/whose-words.md names every case in which it is of both or of neither.
 */
import fc from 'fast-check';

import { type Plan, play } from './world.mts';
import { runs } from '../../support/runs.mts';

const time = fc.oneof(
	fc.integer({ min: 0, max: 20_000 }),
	fc.integer({ min: 0, max: 200 }),
	fc.constantFrom(4900, 5000, 5100, 10_000, 60_000),
);
const maybe = fc.option(time, { nil: undefined });
const few = fc.integer({ min: 0, max: 2 });
const here = fc.constant([0] as const);
const anywhere = fc.array(fc.constantFrom(0 as const, 1 as const), { minLength: 1, maxLength: 4 });
const never = fc.constant(undefined);
/** Late enough for a list that does not have it. */
const asked = fc.constantFrom(0, 1500);

/** One process, a service whose lists are read, and a key that stays. */
const usual = {
	says: fc.constantFrom<Plan['says']>('words', 'tap', 'other'),
	question: time,
	trigger: time,
	questionFails: few,
	triggerFails: few,
	questionLost: few,
	triggerLost: few,
	storing: fc.constantFrom(1, 50, 3000),
	stopped: never as fc.Arbitrary<number | undefined>,
	asked: fc.constant(0),
	waitsFrom: fc.constantFrom(0, 100, 3000, 8000),
	goesOn: fc.constantFrom(200, 3000, 60_000),
	questionAt: here as fc.Arbitrary<readonly (0 | 1)[]>,
	triggerAt: here as fc.Arbitrary<readonly (0 | 1)[]>,
	otherAnswer: never as fc.Arbitrary<number | undefined>,
	restart: never as fc.Arbitrary<number | undefined>,
	lists: fc.array(fc.constantFrom(0, 1, 100, 1000), { minLength: 1, maxLength: 4 }),
	keyChange: never as fc.Arbitrary<number | undefined>,
	place: fc.constant<Plan['place']>('here'),
	isStranger: fc.constant(false),
	warmUp: maybe,
};
/** Everything at once. */
const wild = {
	...usual,
	asked,
	stopped: maybe,
	questionAt: anywhere,
	triggerAt: anywhere,
	otherAnswer: maybe,
	restart: maybe,
	lists: fc.array(fc.constantFrom(0, 100, 2500, 4999, -1, -3000, 60_000), {
		minLength: 1,
		maxLength: 6,
	}),
	keyChange: maybe,
	place: fc.constantFrom<Plan['place']>('here', 'another', 'blind'),
};
const says = (what: Plan['says']) => ({ ...usual, says: fc.constant(what) });
const LIMIT_MS = 1_200_000;
/** How many plans each of the properties tries. */
const numRuns = runs(10_000);

const property = (name: string, check: () => Promise<void>): void => it(name, check, LIMIT_MS);
const holds = async (
	plans: { [Name in keyof Plan]: fc.Arbitrary<Plan[Name]> },
	check: (plan: Plan, outcome: Awaited<ReturnType<typeof play>>) => void,
) =>
	await fc.assert(
		fc.asyncProperty(fc.record(plans), async (plan) => check(plan, await play(plan))),
		{ numRuns },
	);

property(
	'a tap on the own button of a question that waits is its, in whatever order, and starts nothing',
	async () => {
		const plans = { ...says('tap'), questionAt: anywhere, triggerAt: anywhere, keyChange: maybe };
		await holds(
			{ ...plans, asked, restart: maybe, place: fc.constantFrom('here', 'blind') },
			(plan, outcome) => {
				expect(outcome.taken).toHaveLength(1);
				// The execution can end before the webhook says what it took.
				expect(outcome.later).toBeLessThanOrEqual(1);
				// Left, as the page says: without the webhook only the process knows who took it.
				const soon = outcome.started.filter(({ at }) => at < (outcome.taken[0] ?? 0) + 10_000);
				const isForgotten = plan.restart !== undefined || plan.keyChange !== undefined;
				const isApart = new Set([...plan.questionAt, ...plan.triggerAt]).size > 1;
				expect({ soon, isLeft: isApart || isForgotten || outcome.started.length === 0 }).toEqual({
					soon: [],
					isLeft: true,
				});
			},
		);
	},
);

property('in one process, words are of the question or of the workflow, once', async () => {
	await holds(
		{ ...says('words'), stopped: maybe, otherAnswer: maybe },
		(_plan, { taken, started }) => expect(taken.length + started.length).toBe(1),
	);
});

property(
	'what no question would take starts the workflow at once, also in several processes',
	async () => {
		const apart = { questionAt: anywhere, triggerAt: anywhere, lists: fc.constant([0]) };
		const plans = fc.oneof(
			fc.record({ ...says('other'), ...apart }),
			fc.record({ ...says('words'), ...apart, isStranger: fc.constant(true) }),
			fc.record({ ...says('tap'), ...apart, isStranger: fc.constant(true) }),
		);
		await fc.assert(
			fc.asyncProperty(plans, async (plan) => {
				const { taken, started, firstResponse } = await play({ ...plan, triggerFails: 0 });
				expect([taken, started.length, firstResponse]).toEqual([[], 1, 0]);
			}),
			{ numRuns },
		);
	},
);

property(
	'a tap on a question that is answered or stopped starts the workflow, and says that it is late',
	async () => {
		const tap = { ...says('tap'), question: fc.constant(30_000), trigger: fc.constant(20_500) };
		const at = fc.constant(8001);
		await holds({ ...tap, otherAnswer: at }, (_plan, { taken, started }) => {
			expect(taken).toEqual([]);
			expect(started).toMatchObject([{ isLate: true }]);
		});
		await holds({ ...tap, stopped: at }, (_plan, { taken, started, later }) => {
			expect({ taken, later }).toEqual({ taken: [], later: 1 });
			expect(started).toMatchObject([{ isLate: true }]);
		});
	},
);

property(
	'a tap on the question of another n8n is left to it, and the log says so once',
	async () => {
		const plans = { ...says('tap'), question: fc.constant(60_000), warmUp: never };
		await holds({ ...plans, place: fc.constant('another') }, (_plan, outcome) => {
			expect(outcome).toMatchObject({ started: [], later: 0 });
			const words = expect.stringContaining('because another n8n asked') as string;
			expect(outcome.warnings).toEqual([words]);
		});
	},
);

property(
	'without a list, a tap starts the workflow after two 503s, and its question takes it nevertheless',
	async () => {
		await holds(
			{ ...says('tap'), lists: fc.constant([-1]), warmUp: never },
			(_plan, { taken, started, later }) => {
				if (started.length > 0) expect(later).toBe(2);
				expect(taken).toHaveLength(1);
			},
		);
	},
);

property(
	'whatever fails, a message is of one of the two, and of neither or both only as the page says',
	async () => {
		await holds(wild, (plan, { taken, started, later, failedClaims }) => {
			expect(taken.length).toBeLessThanOrEqual(1);
			// Each process asks twice, and forgets that with its memory or the key.
			const memories =
				1 + Number(plan.restart !== undefined) + Number(plan.keyChange !== undefined);
			const most = 2 * new Set(plan.triggerAt).size * memories;
			expect(later).toBeLessThanOrEqual(most + failedClaims);
			const isElsewhere = plan.place === 'another';
			if (taken.length + started.length === 0) {
				// Left, as the page says: a tap that a question never gets, or another n8n's question.
				const isTap = plan.says === 'tap';
				const hasEnded = plan.stopped !== undefined || plan.otherAnswer !== undefined;
				const isLost = hasEnded || isElsewhere || plan.keyChange !== undefined;
				expect({ isTap, isLost }).toEqual({ isTap: true, isLost: true });
			}
			if (plan.says === 'other') expect(started).toHaveLength(1);
			const [took] = taken;
			for (const { at, wasWaiting } of started) {
				if (plan.says === 'tap' && wasWaiting && !isElsewhere)
					expect(plan.lists.some((takes) => takes < 0 || takes > 4999)).toBe(true);
				if (took === undefined) continue;
				const isApart = new Set([...plan.questionAt, ...plan.triggerAt]).size > 1;
				const hasNoList = plan.lists.some((takes) => takes < 0 || takes > 4999);
				const isForgotten = plan.restart !== undefined || plan.keyChange !== undefined;
				const why = isApart || hasNoList || isForgotten || isElsewhere;
				expect({ took, at, plan, why }).toMatchObject({ why: true });
			}
		});
	},
);
