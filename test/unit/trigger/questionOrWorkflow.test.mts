/**
 * Whose a customer's message is, as a model: a question and a trigger get it in deliveries of their
 * own, which fail, come late and come again. One process or two.
 */
import fc from 'fast-check';

import {
	claimKeyOf,
	Claims,
} from '../../../nodes/BusinessMessaging/delivery/questionOrWorkflow.ts';
import { WhoIsAsked } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/inChat/whoIsAsked.ts';
import type { Tools, Written } from '../../../nodes/BusinessMessaging/shared/repliesInChat.ts';
import type { WaitingQuestion } from '../../../nodes/BusinessMessaging/shared/waitingQuestion.ts';
import { PlayedClock, settled } from './playedClock.mts';

const CHANNEL = 'A'.repeat(32);
const KEY = { credentialId: '1', channelId: CHANNEL };
const QUESTION = 'asked';
const MESSAGE = 'B'.repeat(32);
const HOUR = 3_600_000;
const CLAIM = claimKeyOf(CHANNEL, MESSAGE);

/** What happens, and when: milliseconds. */
interface Plan {
	/** The message: an answer or a wrong one, a tap on the question's button, or something else. */
	says: 'words' | 'tap' | 'other';
	/** When each of the two is first delivered. */
	question: number;
	trigger: number;
	/** How often n8n fails to store what a delivery started, or dies in between. */
	questionFails: number;
	triggerFails: number;
	/** Milliseconds from a delivery that failed to the next one. */
	again: number;
	/** Milliseconds that n8n needs to store an execution. */
	storing: number;
	/** When the execution is stopped, or deleted. */
	stopped: number | undefined;
	/** When the execution begins to wait. Before, n8n refuses deliveries of the question. */
	waitsFrom: number;
	/** How long it goes on after an answer. */
	goesOn: number;
	/** Whether the trigger's process is another than the question's. */
	isApart: boolean;
	/** When another message answers the question. */
	otherAnswer: number | undefined;
	/** When the memory of the processes is lost. */
	restart: number | undefined;
}

interface Outcome {
	/** Times at which the question took the message, by what n8n stored. */
	taken: number[];
	/** Times at which an execution of the trigger's workflow was stored. */
	started: number[];
}

async function play(plan: Plan): Promise<Outcome> {
	const clock = new PlayedClock();
	const outcome: Outcome = { taken: [], started: [] };
	let questionClaims = new Claims();
	let triggerClaims = plan.isApart ? new Claims() : questionClaims;
	let whoIsAsked = new WhoIsAsked(clock, triggerClaims);
	/** The execution of the question, as n8n's database has it. */
	let state: 'running' | 'waiting' | 'finished' | 'stopped' = 'running';
	let listed: WaitingQuestion | undefined = listedQuestion();
	const at = async (time: number, work: () => unknown) => {
		await clock.sleep(time);
		await work();
	};

	const answer = (messageId: string) => {
		state = 'running';
		const took = { ...listedQuestion().mark, took: messageId };
		const webhook = { ...listedQuestion().webhook, status: 'DISABLED' };
		if (listed) void at(100, () => (listed = { ...listedQuestion(), webhook, mark: took }));
		void at(10_100, () => (listed = undefined));
		void at(plan.goesOn, () => (state = 'finished'));
	};

	/** A delivery to the question, as its receiver treats it. @returns whether it got a 2xx */
	async function toQuestion(): Promise<boolean> {
		if (state === 'finished' || state === 'stopped') return true;
		if (state === 'running' || !listed) return false;
		if (plan.says === 'other') return true;
		const claims = questionClaims;
		const claimed = claims.claim(CLAIM, QUESTION);
		if (claimed.state !== 'mine') return claimed.state === 'counted';
		await clock.sleep(plan.storing);
		// Stopped or answered by another message meanwhile: n8n cannot go on.
		const fails = plan.questionFails-- > 0 || state !== 'waiting';
		if (!fails) {
			outcome.taken.push(clock.now());
			answer(MESSAGE);
		}
		claimed.end(!fails);
		return !fails;
	}

	/** A delivery to the trigger. */
	async function toTrigger(): Promise<boolean> {
		const tools: Tools = {
			read: async () => ({
				questions: listed ? [listed] : [],
				markOf: () => 'ana',
				markOfWords: () => 'approve',
			}),
			check: async () => {
				if (state === 'stopped' || state === 'finished') return 'gone';
				return state === 'running' ? 'running' : 'alive';
			},
			until: clock.now() + 12_000,
		};
		const fate = await whoIsAsked.fateOf(KEY, messageOf(plan.says), tools);
		if (fate === 'later') return false;
		if (fate === 'taken') return true;
		await clock.sleep(plan.storing);
		const fails = plan.triggerFails-- > 0;
		if (!fails) outcome.started.push(clock.now());
		fate.end(!fails);
		return !fails;
	}

	async function deliver(which: 'question' | 'trigger', first: number): Promise<void> {
		await clock.sleep(first);
		while (!(await (which === 'question' ? toQuestion() : toTrigger())))
			await clock.sleep(plan.again);
	}

	void at(plan.waitsFrom, () => (state = state === 'running' ? 'waiting' : state));
	if (plan.stopped !== undefined) void at(plan.stopped, () => (state = 'stopped'));
	if (plan.otherAnswer !== undefined)
		void at(plan.otherAnswer, () => {
			if (state === 'waiting') answer('another message');
		});
	if (plan.restart !== undefined)
		void at(plan.restart, () => {
			questionClaims = new Claims();
			triggerClaims = plan.isApart ? new Claims() : questionClaims;
			whoIsAsked = new WhoIsAsked(clock, triggerClaims);
		});
	void deliver('question', plan.question);
	void deliver('trigger', plan.trigger);
	await clock.pass(20 * 60_000);
	await settled();
	return outcome;
}

function listedQuestion(): WaitingQuestion {
	return {
		webhook: {
			id: 'C'.repeat(32),
			url: 'https://n8n.example.com/webhook-waiting/1/node',
			events: ['MESSAGE_RECEIVED'],
			status: 'ENABLED',
		},
		owner: {},
		mark: {
			executionId: '1',
			takes: {
				question: QUESTION,
				kind: 'approvalInChat',
				choices: 2,
				words: ['approve'],
				tapsCarryIds: true,
				messageIds: [null],
			},
			recipient: 'ana',
			deadline: new Date(Date.now() + HOUR).toISOString(),
			wrongAnswers: 0,
			sent: [{ from: 1, until: 2 }],
		},
	};
}

function messageOf(says: Plan['says']): Written {
	const tapped = [{ type: 'INTERACTIVE_BUTTON', id: `n8n-question:${QUESTION}:1` }];
	const text = says === 'other' ? null : 'Approve';
	const contents = says === 'tap' ? tapped : [{ type: 'TEXT', message: text }];
	return { messageId: MESSAGE, identifier: 'ana', text, written: 3, raw: { contents } };
}

const time = fc.oneof(
	fc.integer({ min: 0, max: 20_000 }),
	fc.integer({ min: 0, max: 200 }),
	fc.constantFrom(4_900, 5_000, 5_100, 10_000, 60_000, 90_000),
);
const maybe = fc.option(time, { nil: undefined });
const plan = {
	says: fc.constantFrom<Plan['says']>('words', 'tap', 'other'),
	question: time,
	trigger: time,
	questionFails: fc.integer({ min: 0, max: 3 }),
	triggerFails: fc.integer({ min: 0, max: 3 }),
	again: fc.constantFrom(1000, 5000, 30_000),
	storing: fc.constantFrom(1, 50, 3000),
	stopped: maybe,
	waitsFrom: fc.constantFrom(0, 100, 3000, 8000),
	goesOn: fc.constantFrom(200, 3000, 60_000),
	isApart: fc.constant(false),
	otherAnswer: maybe,
	restart: fc.constant(undefined),
};
const RUNS = { numRuns: 300 };

it('in one process, a message is of the question or of the workflow, once, and never of both or neither', async () => {
	await fc.assert(
		fc.asyncProperty(fc.record(plan), async (given) => {
			const { taken, started } = await play({ ...given });
			expect(taken.length + started.length).toBe(1);
		}),
		RUNS,
	);
}, 120_000);

it('what no question would take starts the workflow at once, also in several processes', async () => {
	const other = { ...plan, says: fc.constant('other' as const), isApart: fc.boolean() };
	await fc.assert(
		fc.asyncProperty(fc.record({ ...other, triggerFails: fc.constant(0) }), async (given) => {
			const { taken, started } = await play({ ...given });
			expect([taken, started]).toEqual([[], [given.trigger + given.storing]]);
		}),
		RUNS,
	);
}, 120_000);

it('in several processes, or after a restart, it is never of neither, and of both only if a delivery came late', async () => {
	const apart = fc.oneof(
		fc.record({ ...plan, isApart: fc.constant(true) }),
		fc.record({ ...plan, restart: time }),
		fc.record({ ...plan, isApart: fc.constant(true), restart: time }),
	);
	await fc.assert(
		fc.asyncProperty(apart, async (given) => {
			const { taken, started } = await play({ ...given });
			expect(taken.length + started.length).toBeGreaterThan(0);
			expect(taken.length).toBeLessThanOrEqual(1);
			expect(started.length).toBeLessThanOrEqual(1);
			const [took, start] = [taken[0], started[0]];
			if (took === undefined || start === undefined) return;
			// The question was not done within its time, or the trigger's delivery came after the mark.
			const isQuestionLate = took >= given.trigger + 5000;
			const isTriggerLate = start - took > 10_000;
			expect({ took, start, isLate: isQuestionLate || isTriggerLate }).toMatchObject({
				isLate: true,
			});
		}),
		RUNS,
	);
}, 120_000);
