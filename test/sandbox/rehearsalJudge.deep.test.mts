/** Free words and plain words, in one run and in several. */
import type { Judge, Question } from '../../sandbox/rehearsal/judge/judge.mts';
import type { Rehearsed } from '../../sandbox/rehearsal/play.mts';
import { inWords, isGreen, junit } from '../../sandbox/rehearsal/report.mts';
import { botHarness, type Heard, text, told } from './playedBot.mts';

jest.setTimeout(120_000);

const { botThat } = botHarness();

const kinds = ({ problems }: Rehearsed) => problems.map(({ kind }) => kind);
const reported = (rehearsed: Rehearsed) => inWords({ file: 'a.yaml', ...rehearsed });

/** On a busy machine, a second message may take a while. */
const LONGER = 'settle: 1500ms';
const RIGHT = 'Sorry, order 17 cannot be refunded.';
const WRONG = 'Your refund is on its way!';

/** Stands in for a model: says no to a refund that is granted. */
const judge: Judge = async ({ conversation }) => {
	const yes = conversation.at(-1)?.text === RIGHT;
	return { yes, reason: yes ? 'it refuses' : 'it grants the refund' };
};

/** Some of ten runs, which go wrong. */
const THREE = [2, 5, 9];

/** A bot that grants refunds in some runs. A run has a customer of its own. */
async function planted(wrong: ReadonlySet<number>, more: (heard: Heard) => object[] = () => []) {
	const heard: string[] = [];
	const bot = await botThat((said) => {
		if (!heard.includes(said.customer)) heard.push(said.customer);
		if (said.text !== 'A refund for order 17!') return more(said);
		return [text(wrong.has(heard.length) ? WRONG : RIGHT)];
	});
	return { bot, heard };
}

const REFUND = `
name: Refund
customers: { ana: { name: Ana } }
settle: 50ms
runs: 10
atLeast: 9
steps:
  - ana: writes A refund for order 17!
  - ana: { gets: { means: refuses the refund politely and names the order } }
`;

describe('a bot whose words are wrong in some of ten runs', () => {
	it('is caught if more go wrong than may, and the report shows what was said', async () => {
		const { bot, heard } = await planted(new Set(THREE));
		const rehearsed = await bot.plays(REFUND, { judge });
		expect(new Set(heard).size).toBe(10);
		expect(told(rehearsed)).toEqual([
			'tooFew: 7 of 10 runs were right; at least 9 must be',
			...THREE.map(
				(run) =>
					`wrongWords: run ${run} of 10: Ana expected a message that means 'refuses the refund politely and names the order'. The judge said no to '${WRONG}': it grants the refund`,
			),
		]);
		const report = reported(rehearsed);
		expect(report).toMatch(
			/^✗ Refund \(a\.yaml\), 7 of 10 runs right, [\d.]+ s\n {2}7 of 10 runs were/,
		);
		expect(report.match(/^ {2}run \d+ of 10, line 9: Ana expected/gm)).toHaveLength(3);
		expect(report.match(/^ {2}run \d+ of 10\. The chat of Ana \(\d+\):$/gm)).toHaveLength(3);
		expect(report.match(/business {2}Your refund is on its way!\n {2}✗/g)).toHaveLength(3);
	});

	it('passes if no more go wrong than may, and they are reported', async () => {
		const { bot } = await planted(new Set([7]));
		const rehearsed = await bot.plays(REFUND, { judge });
		expect(told(rehearsed)).toEqual([]);
		expect(isGreen(rehearsed)).toBe(true);
		const report = reported(rehearsed);
		expect(report).toMatch(
			/^✓ Refund \(a\.yaml\), 9 of 10 runs right, [\d.]+ s\n {2}run \d+ of 10, line 9: Ana/,
		);
		expect(report).toContain(`business  ${WRONG}\n`);
		const xml = junit([{ file: 'a.yaml', ...rehearsed }]);
		expect(xml).toContain('failures="0"');
		expect(xml).toContain('<system-out>run ');
		expect(xml).toContain(WRONG);
	});

	it('must be right in all runs if the script does not say in how many', async () => {
		const { bot } = await planted(new Set([2]));
		const script = REFUND.replace('runs: 10\natLeast: 9', 'runs: 3');
		const [problem] = told(await bot.plays(script, { judge }));
		expect(problem).toBe('tooFew: 2 of 3 runs were right; at least 3 must be');
	});
});

describe('in every run', () => {
	it('an answer that comes twice fails the rehearsal, which ends there', async () => {
		const heard: string[] = [];
		const doubling = await botThat(({ customer }) => {
			heard.push(customer);
			return [text(RIGHT), ...(heard.length === 3 ? [text(RIGHT)] : [])];
		});
		const rehearsed = await doubling.plays(
			REFUND.replace('settle: 50ms', LONGER).replace('atLeast: 9', 'atLeast: 1'),
			{ judge },
		);
		expect(told(rehearsed)).toEqual([
			`twice: run 3 of 10: the same answer twice to Ana: '${RIGHT}'`,
		]);
		expect(heard).toHaveLength(3);
	});

	it('the rest of the conversation is played and checked, also after wrong words', async () => {
		const { bot } = await planted(new Set([1]), () => [text('Are you sure?')]);
		const script = `${REFUND}  - ana: { writes: STOP, pace: 0 }\n  - ana: { getsNothing: 20s }\n`;
		const rehearsed = await bot.plays(script, { judge });
		expect(kinds(rehearsed)).toEqual(['wrongWords', 'notMet', 'unexpected']);
		expect(told(rehearsed)[1]).toBe(
			'notMet: run 1 of 10: Ana expected nothing for 20 s; a message came',
		);
	});

	it('an answer must come', async () => {
		const bot = await botThat(() => []);
		const rehearsed = await bot.plays(REFUND, { judge, within: '50ms' });
		expect(told(rehearsed)[0]).toBe(
			"notMet: run 1 of 10: Ana expected a message that means 'refuses the refund politely and names the order' within 50 ms; none came",
		);
		expect(kinds(rehearsed)).toEqual(['notMet', 'unanswered']);
	});
});

describe('runs of a step', () => {
	const FIRST = 'run 1 of 4 up to line 8';
	const STEP = `
name: Refund
customers: { ana: { name: Ana }, ben: }
settle: 50ms
pace: 0
steps:
  - ana: writes A refund for order 17!
  - ana: { gets: { means: refuses the refund }, runs: 4, atLeast: 3 }
  - ana: gets Anything else?
  - ana: writes No
  - ana: gets Bye
`;
	const talks =
		(wrong: ReadonlySet<number>, heard: string[], first: object[] = []) =>
		({ text: said, customer }: Heard): object[] => {
			if (said === 'No') return [text('Bye')];
			heard.push(customer);
			return [...first, text(wrong.has(heard.length) ? WRONG : RIGHT), text('Anything else?')];
		};

	it('play the file up to it, each with customers of its own, and the whole file once', async () => {
		const heard: string[] = [];
		// The first run is the whole file, where the words of this step are not judged.
		const bot = await botThat(talks(new Set([1, 3]), heard));
		const rehearsed = await bot.plays(STEP, { judge });
		expect(told(rehearsed)).toEqual([]);
		expect(rehearsed.tallies).toEqual(['3 of 4 runs right in line 8']);
		expect(rehearsed.allowed).toEqual([
			expect.objectContaining({ run: 'run 2 of 4 up to line 8', kind: 'wrongWords', line: 8 }),
		]);
		expect(new Set(heard).size).toBe(5);
		expect(bot.statuses).toHaveLength(11);
	});

	it.each([
		['comes twice', RIGHT, [`twice: ${FIRST}: the same answer twice to Ana: '${RIGHT}'`]],
		[
			'no step takes',
			WRONG,
			[
				`wrongWords: ${FIRST}: Ana expected a message that means 'refuses the refund'. The judge said no to '${WRONG}': it grants the refund`,
				`unexpected: ${FIRST}: a message to Ana that no step expected: '${RIGHT}'`,
			],
		],
	])('find what %s, though later steps would take more', async (_name, extra, problems) => {
		const heard: string[] = [];
		const bot = await botThat((said) =>
			talks(new Set(), heard, heard.length === 1 && said.text !== 'No' ? [text(extra)] : [])(said),
		);
		const script = STEP.replace('settle: 50ms', LONGER);
		expect(told(await bot.plays(script, { judge }))).toEqual(problems);
	});

	it('find what came too early for every later step', async () => {
		const heard: string[] = [];
		const early = [text('Anything else?')];
		const bot = await botThat((said) =>
			talks(new Set(), heard, heard.length === 1 && said.text !== 'No' ? early : [])(said),
		);
		const script = STEP.replace('means: refuses', 'matches: cannot, means: refuses');
		expect(told(await bot.plays(script, { judge }))).toEqual([
			`unexpected: ${FIRST}: a message to Ana that no step expected: 'Anything else?'`,
		]);
	});
});

describe('plain words', () => {
	const plain = (gets: string) => `
name: Words
customers: { ana: { name: Ana } }
settle: 50ms
steps:
  - ana: writes A refund for order 17!
  - ana: { gets: ${gets} }
`;

	const LATE = "which does not contain 'order 18' and does not contain 'soon'";
	const OTHER = "Ana expected a message 'Something else' that contains 'Sorry' within 50 ms";
	it.each<[string, string, string[]]>([
		['are found in any case', '{ contains: [ORDER 17, sorry], containsNone: [your] }', []],
		[
			'that are missing fail at once',
			'{ contains: [order 18, Sorry, soon] }',
			[`wrongWords: Ana got '${RIGHT}', ${LATE}`],
		],
		[
			'that must not come are found',
			'{ contains: [Sorry], containsNone: [CANNOT] }',
			[`wrongWords: Ana got '${RIGHT}', which contains 'CANNOT'`],
		],
		[
			'do not weaken what else is asked',
			'{ text: Something else, contains: [Sorry] }',
			[
				`notMet: ${OTHER}; none came`,
				`unexpected: a message to Ana that no step expected: '${RIGHT}'`,
			],
		],
	])('%s', async (_name, gets, problems) => {
		const { bot } = await planted(new Set());
		const within = problems.some((problem) => problem.startsWith('notMet')) ? '50ms' : '20s';
		const rehearsed = await bot.plays(plain(gets), { within, settle: '300ms' });
		expect(told(rehearsed)).toEqual(problems);
		expect(rehearsed.tallies).toEqual([]);
	});

	it('that are wrong spare the judge', async () => {
		const { bot } = await planted(new Set());
		const unasked = jest.fn<never, []>();
		const rehearsed = await bot.plays(plain('{ contains: [soon], means: refuses }'), {
			judge: unasked,
		});
		expect(kinds(rehearsed)).toEqual(['wrongWords']);
		expect(unasked).not.toHaveBeenCalled();
	});
});

describe('a judge', () => {
	it('is asked when all is said, about the chat up to the message, and told who wrote', async () => {
		const bot = await botThat(({ text: said }) =>
			said === 'Hello' ? [] : [text(said === 'Bye' ? RIGHT : said)],
		);
		const asked: Question[] = [];
		let sent = 0;
		const rehearsed = await bot.plays(
			`
name: Question
customers: { ana: { name: Ana } }
settle: 50ms
pace: 0
steps:
  - ana: writes Hello
  - business: { writes: I look into it, to: ana }
  - ana: writes Bye
  - ana: { gets: { means: refuses } }
  - ana: writes End
  - ana: gets End
`,
			{
				judge: async (question) => {
					sent = bot.statuses.length;
					asked.push(question);
					return { yes: true, reason: 'it does' };
				},
			},
		);
		expect(told(rehearsed)).toEqual([]);
		const conversation = [
			{ from: 'customer', text: 'Hello' },
			{ from: 'colleague', text: 'I look into it' },
			{ from: 'customer', text: 'Bye' },
			{ from: 'workflow', text: RIGHT },
		];
		expect(asked).toEqual([{ expectation: 'refuses', customer: 'Ana', conversation }]);
		expect(sent).toBe(2);
	});

	it('that fails is an error of the rehearsal, which ends there', async () => {
		const { bot, heard } = await planted(new Set());
		const rehearsed = await bot.plays(REFUND.replace('atLeast: 9', 'atLeast: 1'), {
			judge: async (question) => {
				if (heard.length === 2) throw new Error('The judge is ill.');
				return await judge(question);
			},
		});
		expect(rehearsed).toMatchObject({ problems: [], broken: 'The judge is ill. (run 2 of 10)' });
		expect(isGreen(rehearsed)).toBe(false);
		expect(heard).toHaveLength(2);
		expect(junit([{ file: 'a.yaml', ...rehearsed }])).toContain('failures="0" errors="1"');
	});

	it('is needed for free words before anything is played', async () => {
		const { bot, heard } = await planted(new Set());
		await expect(bot.plays(REFUND)).rejects.toThrow(
			/^'Refund' has free words to judge \(means, line 9\)\. Name a command that judges them with --judge/,
		);
		expect(heard).toEqual([]);
	});
});
