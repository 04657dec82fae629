import { parseScript, ScriptError } from '../../sandbox/rehearsal/parse.mts';

const HEAD = 'name: A script\ncustomers: { ana: { name: Ana }, ben: }\nsteps:\n';

/** What is wrong with a script, a line for each. */
function problemsOf(text: string): string[] {
	try {
		parseScript(text, 'a.yaml');
		return [];
	} catch (error) {
		if (!(error instanceof ScriptError)) throw error;
		return error.message.split('\n');
	}
}

it('short forms are written out, and keep their text as it is', () => {
	const { script } = parseScript(
		`${HEAD}  - ana: "writes  two: spaces\\nand a line"\n  - ana: { gets: gets }\n  - together:\n      - ben: taps Yes\n`,
		'a.yaml',
	);
	expect(script.steps).toEqual([
		{ ana: { writes: ' two: spaces\nand a line' } },
		{ ana: { gets: { text: 'gets' } } },
		{ together: [{ ben: { taps: 'Yes' } }] },
	]);
	expect(script).toMatchObject({ answers: 'required', customers: { ben: null } });
});

it('knows on which line each step stands', () => {
	const { script, lineOf } = parseScript(
		`${HEAD}  - ana: writes Hello\n\n  # a comment\n  - together:\n      - ben: writes One\n      - ana:\n          writes: Two\n`,
		'a.yaml',
	);
	const [first, second] = script.steps;
	expect([first!, second!, ...second!.together!].map((step) => lineOf(step))).toEqual([4, 7, 8, 9]);
});

it.each<[string, string, string | RegExp]>([
	['no YAML', '  - ana: writes Hello: you', /^a\.yaml:4: is no YAML: .*needs quotes$/],
	[
		'a stranger',
		'  - eva: writes Hello',
		'a.yaml:4: step 1: eva: is no customer. Add them under customers, which has ana, ben',
	],
	[
		'a message to a stranger',
		'  - business: { writes: x, to: eva }',
		"a.yaml:4: step 1: business.to: 'eva' is no customer. Add them under customers, which has ana, ben",
	],
	[
		'a stranger beside others',
		'  - together:\n      - ana: writes x\n      - eva: writes x',
		'a.yaml:6: step 1: together 2.eva: is no customer. Add them under customers, which has ana, ben',
	],
	[
		'an unknown verb',
		'  - ana: shouts Hello',
		"a.yaml:4: step 1: ana: must be 'writes …', 'taps …' or 'gets …', or an object",
	],
	[
		'an unknown field',
		'  - ana:\n      gets: Hello\n      withn: 5s',
		/^a\.yaml:4: step 1: ana: there is no 'withn' here\. docs\/rehearsal\.md/,
	],
	[
		'nothing said',
		'  - ana: { within: 5s }',
		/^a\.yaml:4: step 1: ana: must say one thing of writes, taps.*; it says none$/,
	],
	[
		'two things said',
		'  - ana: { writes: a, gets: b }',
		/^a\.yaml:4: step 1: ana: must say one thing.*; it says writes and gets$/,
	],
	[
		'a detail of another verb',
		'  - ana: { writes: a, within: 5s }',
		'a.yaml:4: step 1: ana.within: goes with taps, gets, getsTemplate, isRefused alone',
	],
	[
		'two steps in one',
		'  - ana: writes a\n    ben: writes b',
		/^a\.yaml:4: step 1: must begin with one of business, advance.* or a customer, and hold nothing else$/,
	],
	[
		'a number for a text',
		'  - ana: { writes: 5 }',
		'a.yaml:4: step 1: ana.writes: must be a text: put it in quotes',
	],
	[
		'no time span',
		'  - ana: { getsNothing: soon }',
		/^a\.yaml:4: step 1: ana\.getsNothing: must be a time span: milliseconds, or such as '500ms'/,
	],
	[
		'no expression',
		"  - ana: { gets: { matches: '(' } }",
		'a.yaml:4: step 1: ana.gets.matches: is no regular expression',
	],
	[
		'an empty pattern',
		'  - ana: { gets: {} }',
		'a.yaml:4: step 1: ana.gets: says nothing: give text, matches or type',
	],
	[
		'no fault',
		'  - faults: { on: route, kind: status }',
		'a.yaml:4: step 1: faults.status: is missing',
	],
	[
		'a colleague who says nothing',
		'  - business: { to: ana }',
		'a.yaml:4: step 1: business: must say one thing of writes, sends',
	],
	[
		'a clock among others',
		'  - together:\n      - advance: 1h',
		/^a\.yaml:5: step 1: together 1\.advance: must be 'writes …'/,
	],
	['no list', '  ana: writes Hello', 'a.yaml:3: steps: must be a list'],
])('refuses %s', (_name, steps, problem) => {
	const [first, ...more] = problemsOf(`${HEAD}${steps}\n`);
	if (typeof problem === 'string') expect([first, ...more]).toEqual([problem]);
	else expect(first).toMatch(problem);
});

it('says all that is wrong, each at its line, and what a script must have', () => {
	expect(problemsOf('')).toEqual(['a.yaml:1: must be an object of name, customers and steps']);
	expect(
		problemsOf(
			'customers: { business: }\nanswers: never\nsteps:\n  - advance: 1\n  - ana: { reads: false }\n',
		),
	).toEqual([
		'a.yaml:1: name: is missing',
		"a.yaml:2: answers: Invalid enum value. Expected 'required' | 'optional', received 'never'",
		'a.yaml:5: step 2: ana.reads: must be true',
	]);
	expect(problemsOf('name: x\ncustomers: { business: }\nsteps:\n  - advance: 1h\n')).toEqual([
		'a.yaml:2: customers.business: is a word of scripts. Choose another',
	]);
});
