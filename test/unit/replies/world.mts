/**
 * A question, a trigger, the service that delivers to both, and one or two processes of n8n that
 * receive: what became of one message.
 */
import type { Written } from '#nodes/replies/judge.ts';
import type { WaitingList } from '#nodes/replies/waitingLists.ts';
import { markerOf, type WaitingQuestion } from '#nodes/replies/questionMark.ts';
import { ReplyRouter } from '#nodes/replies/router.ts';
import { startDeadline } from '#nodes/service/deadline.ts';
import { formsOfLabels } from '#nodes/shared/texts/sameWords.ts';
import { PlayedClock, settled } from '../../support/clocks.mts';
import { CHANNEL } from '../../support/constants.mts';

const QUESTION = 'asked';
const MESSAGE = 'B'.repeat(32);
const HOUR = 3_600_000;
const RESUME = 'https://n8n.example.com/webhook-waiting/';
const RETRIES = [0, 5000, 300_000, ...[0.5, 2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];

/** What happens, and when: milliseconds. */
export interface Plan {
	/** The message: an answer, a tap on the question's button, or something else. */
	says: 'words' | 'tap' | 'other';
	/** When each of the two is first delivered, after the question was asked. */
	question: number;
	trigger: number;
	/** How often n8n fails to store what a delivery started, or dies in between. */
	questionFails: number;
	triggerFails: number;
	/** How many 2xx of each the service does not see, so it delivers again. */
	questionLost: number;
	triggerLost: number;
	/** Milliseconds that n8n needs to store an execution. */
	storing: number;
	/** When the execution is stopped, or deleted. */
	stopped: number | undefined;
	/** When the question is asked, and its execution begins to wait: n8n refuses before. */
	asked: number;
	waitsFrom: number;
	/** How long it goes on after an answer. */
	goesOn: number;
	/** The processes that receive a delivery, in turn: of the question, of the trigger. */
	questionAt: readonly (0 | 1)[];
	triggerAt: readonly (0 | 1)[];
	otherAnswer: number | undefined;
	restart: number | undefined;
	/** Milliseconds that a list takes, in turn. A negative one fails after that time. */
	lists: readonly number[];
	keyChange: number | undefined;
	/** The question is another n8n's, or its address cannot be asked. */
	place: 'here' | 'another' | 'blind';
	isStranger: boolean;
	/** When another message makes every process read the list. */
	warmUp: number | undefined;
}

export interface Outcome {
	/** Times at which the question took the message, by what n8n stored. */
	taken: number[];
	/** Times at which an execution of the trigger's workflow was stored, and whether it said late. */
	started: Array<{ at: number; isLate: boolean; wasWaiting: boolean }>;
	/** How often the trigger asked for a redelivery. */
	later: number;
	/** Claims of the question that came to nothing. While one is pending, the trigger asks, too. */
	failedClaims: number;
	/** The trigger's first response, in milliseconds after its delivery came. */
	firstResponse: number | undefined;
	warnings: string[];
}

export async function play(plan: Plan): Promise<Outcome> {
	const clock = new PlayedClock(0.37);
	const outcome: Outcome = {
		taken: [],
		started: [],
		later: 0,
		failedClaims: 0,
		firstResponse: undefined,
		warnings: [],
	};
	const processOf = () => new ReplyRouter(clock);
	let processes = [processOf(), processOf()] as const;
	const another = processOf();
	/** The execution of the question, as n8n's database has it. */
	let state: 'running' | 'waiting' | 'finished' | 'stopped' = 'running';
	let key = 'first key';
	let listed: WaitingQuestion | undefined;
	let reads = 0;
	const left = { ...plan };
	const at = (time: number | undefined, work: () => unknown) => {
		if (time !== undefined) void clock.sleep(time).then(work);
	};
	const place = () => ({ account: key, channelId: CHANNEL });

	const answer = (router: ReplyRouter, messageId: string) => {
		state = 'running';
		const mark = { ...questionOf(plan).mark, took: messageId };
		const { webhook } = questionOf(plan);
		router.noteAnswered(place(), QUESTION, messageId);
		at(100.5, () => {
			if (listed) listed = { ...listed, webhook: { ...webhook, status: 'DISABLED' }, mark };
		});
		at(10_100.5, () => (listed = undefined));
		at(plan.goesOn, () => (state = 'finished'));
	};

	/** A delivery to the question, as its receiver treats it. @returns whether it got a 2xx */
	async function toQuestion(router: ReplyRouter): Promise<boolean> {
		if (state !== 'waiting' || !listed) return false;
		if (plan.says === 'other' || plan.isStranger) return true;
		const claimed = router.claim(place(), QUESTION, MESSAGE, plan.says === 'tap');
		if (claimed.state !== 'mine') return claimed.state === 'counted';
		await clock.sleep(plan.storing);
		// Stopped or answered by another message meanwhile: n8n cannot go on.
		const fails = left.questionFails-- > 0 || state !== 'waiting';
		if (!fails) {
			outcome.taken.push(clock.now());
			answer(router, MESSAGE);
		} else outcome.failedClaims += 1;
		claimed.end(!fails);
		return !fails;
	}

	const fateAt = async (router: ReplyRouter, message: Written) =>
		await router.fateOf({
			place: place(),
			receiver: 'trigger',
			message,
			read: async (timeout) => await read(timeout),
			look: async () => {
				if (plan.place === 'blind') return 'blind';
				if (state === 'stopped' || state === 'finished') return 'gone';
				return state === 'running' ? 'running' : 'alive';
			},
			instanceId: 'here',
			thisN8n: () => ({ instanceId: 'here', resumeStart: RESUME }),
			warn: (words) => outcome.warnings.push(words),
			until: clock.now() + 12_000,
		});

	/** The list as it was when it was asked for. */
	async function read(timeout: number): Promise<WaitingList> {
		// As every request does.
		startDeadline({}, timeout).end();
		const list = { questions: listed ? [listed] : [], marker: markerOf(key) };
		const takes = plan.lists[reads++ % plan.lists.length] ?? 0;
		await clock.sleep(Math.min(Math.abs(takes), timeout));
		if (takes < 0 || takes > timeout) throw new Error('no list');
		return list;
	}

	/** A delivery to the trigger. */
	async function toTrigger(router: ReplyRouter): Promise<boolean> {
		const came = clock.now();
		const fate = await fateAt(router, messageOf(plan));
		outcome.firstResponse ??= clock.now() - came;
		if (fate === 'later') outcome.later += 1;
		if (typeof fate === 'string') return fate === 'taken';
		await clock.sleep(plan.storing);
		const fails = left.triggerFails-- > 0;
		const wasWaiting = state === 'waiting';
		if (!fails) outcome.started.push({ at: clock.now(), isLate: fate.isLate === true, wasWaiting });
		fate.end(!fails);
		return !fails;
	}

	async function deliver(which: 'question' | 'trigger'): Promise<void> {
		await clock.sleep(plan.asked + plan[which] + 0.25);
		for (let times = 0; ; times += 1) {
			const turns = plan[`${which}At`];
			const router = processes[turns[times % turns.length] ?? 0];
			const asker = plan.place === 'another' ? another : router;
			const isDone = await (which === 'question' ? toQuestion(asker) : toTrigger(router));
			// What started already would be left out by its ID, so a lost 2xx of it changes nothing.
			const isKnown = which === 'trigger' && outcome.started.length > 0;
			if (isDone && (isKnown || left[`${which}Lost`]-- <= 0)) return;
			const pause = RETRIES[times];
			if (pause === undefined || (which === 'question' && !listed)) return;
			await clock.sleep(pause);
		}
	}

	at(plan.asked, () => {
		listed = questionOf(plan);
		processes[0].noteAsked(place());
	});
	at(plan.asked + plan.waitsFrom, () => (state = state === 'running' ? 'waiting' : state));
	at(plan.stopped, () => (state = 'stopped'));
	at(plan.otherAnswer, () => {
		if (state === 'waiting') answer(processes[0], 'another message');
	});
	at(plan.restart, () => (processes = [processOf(), processOf()]));
	at(plan.keyChange, () => (key = 'second key'));
	at(plan.warmUp, () => {
		for (const router of processes)
			void fateAt(router, { ...messageOf(plan), messageId: 'C', identifier: 'somebody' });
	});
	void deliver('question');
	void deliver('trigger');
	await clock.pass(80 * HOUR);
	await settled();
	return outcome;
}

function questionOf({ place }: Plan): WaitingQuestion {
	const marker = markerOf('first key');
	const origin = place === 'another' ? 'https://other.example.com' : 'https://n8n.example.com';
	return {
		webhook: {
			id: 'C'.repeat(32),
			url: `${origin}/webhook-waiting/1/node`,
			events: ['MESSAGE_RECEIVED'],
			status: 'ENABLED',
		},
		node: { instanceId: place === 'another' ? 'there' : 'here' },
		mark: {
			executionId: '1',
			key: marker.key,
			takes: {
				question: QUESTION,
				words: formsOfLabels(['Approve'])
					.flat()
					.map((form) => marker.words(QUESTION, form)),
				takesBareTaps: false,
				tapsCarryIds: true,
				messageIds: [null],
			},
			recipient: marker.person(CHANNEL, 'ana'),
			deadline: new Date(Date.now() + 24 * HOUR).toISOString(),
			wrongAnswers: 0,
			sent: [{ from: 1, until: 2 }],
		},
	};
}

function messageOf({ says, isStranger }: Plan): Written {
	const tapped = [{ type: 'INTERACTIVE_BUTTON', id: `n8n-question:${QUESTION}:1` }];
	const text = says === 'other' ? null : 'Approve';
	const contents = says === 'tap' ? tapped : [{ type: 'TEXT', message: text }];
	const identifier = isStranger ? 'ben' : 'ana';
	return { messageId: MESSAGE, identifier, text, author: null, written: 3, raw: { contents } };
}
