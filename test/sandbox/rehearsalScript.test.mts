import { parseScript } from '#sandbox/rehearsal/parse.mts';
import { ScriptError } from '#sandbox/rehearsal/scriptError.mts';

const HEAD = 'name: A script\ncustomers: { ana: { name: Ana }, ben: }\nsteps:\n';
const ADD = 'Add it under customers, which has ana, ben';

/** The problems of a script, one per line. */
function problemsOf(text: string): string[] {
	try {
		parseScript(text, 'a.yaml');
		return [];
	} catch (error) {
		if (!(error instanceof ScriptError)) throw error;
		return error.message.split('\n');
	}
}

it('expands short forms and keeps their text unchanged', () => {
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

it('knows the line of each step', () => {
	const { script, lineOf } = parseScript(
		`${HEAD}  - ana: writes Hello\n\n  # a comment\n  - together:\n      - ben: writes One\n      - ana:\n          writes: Two\n`,
		'a.yaml',
	);
	const [first, second] = script.steps;
	expect([first!, second!, ...second!.together!].map((step) => lineOf(step))).toEqual([4, 7, 8, 9]);
});

/** Steps, and what is said of them after `a.yaml:`. */
it.each<[string, string, string | RegExp]>([
	['no YAML', '  - ana: writes Hello: you', /^4: is not valid YAML: .*needs quotes$/],
	['a stranger', '  - eva: writes Hello', `4: step 1: eva: is not a customer. ${ADD}`],
	[
		'a message to a stranger',
		'  - business: { writes: x, to: eva }',
		`4: step 1: business.to: 'eva' is not a customer. ${ADD}`,
	],
	[
		'a stranger beside others',
		'  - together:\n      - ana: writes x\n      - eva: writes x',
		`6: step 1: together 2.eva: is not a customer. ${ADD}`,
	],
	[
		'an unknown verb',
		'  - ana: shouts Hello',
		"4: step 1: ana: must be 'writes …', 'taps …' or 'gets …', or an object",
	],
	[
		'an unknown field',
		'  - ana:\n      gets: Hello\n      withn: 5s',
		/^4: step 1: ana: there is no 'withn' here\. sandbox\/docs\/rehearsal\.md/,
	],
	['nothing said', '  - ana: { within: 5s }', /^4: step 1: ana: must .* taps.*; it has none$/],
	['two things said', '  - ana: { writes: a, gets: b }', /exactly one of.* writes and gets$/],
	[
		'a detail of another verb',
		'  - ana: { writes: a, within: 5s }',
		'4: step 1: ana.within: works only with taps, gets, getsTemplate, isRefused',
	],
	[
		'a pace for a tap',
		'  - ana: { taps: Yes, pace: 0 }',
		'4: step 1: ana.pace: works only with writes, sends, sendsFile',
	],
	[
		'two steps in one',
		'  - ana: writes a\n    ben: writes b',
		/^4: step 1: must have exactly one key: business, advance.* or a customer$/,
	],
	['a number for a text', '  - ana: { writes: 5 }', /1: ana.writes: must be a text: put it in/],
	[
		'no time span',
		'  - ana: { getsNothing: soon }',
		/^4: step 1: ana\.getsNothing: must be a time/,
	],
	['no expression', "  - ana: { gets: { matches: '(' } }", /matches: is not a regular expression$/],
	['an empty pattern', '  - ana: { gets: {} }', /ana.gets: is empty: give text, matches, contains/],
	['words that are no list', '  - ana: { gets: { contains: x } }', /contains: must be a list of/],
	['no fault', '  - faults: { on: route, kind: status }', '4: step 1: faults.status: is missing'],
	['a silent colleague', '  - business: { to: ana }', /business: must have exactly one of writes/],
	[
		'a clock among others',
		'  - together:\n      - advance: 1h',
		/^5: step 1: together 1\.advance: /,
	],
	['no list', '  ana: writes Hello', '3: steps: must be a list'],
	...['/etc/x.png', '../x.png', 'a/../../x.png', 'C:\\x.png', '\\x.png', '..\\x.png'].map(
		(file): [string, string, string] => [
			`the file ${file}`,
			`  - ana: { sendsFile: '${file}' }`,
			"4: step 1: ana.sendsFile: must be a path in the script's folder or below, without ..",
		],
	),
	...['/sdk/post', '/reset', '/import', '/inbound', '/channels/other/disconnect', '/../x'].map(
		(path): [string, string, RegExp] => [
			`a control of ${path}`,
			`  - control: { path: '${path}' }`,
			/^4: step 1: control\.path: is not for scripts\. They can call .*\/settings/,
		],
	),
	[
		'a control of another account',
		'  - control: { path: /templates, body: { tenant: x, field: status, status: PAUSED } }',
		/^4: step 1: control\.body\.tenant: .*account/,
	],
	[
		'a control of other settings',
		'  - control: { method: PATCH, path: /settings, body: { templateReview: {}, blockedAddress: x } }',
		/^4: step 1: control\.body: there is no 'blockedAddress' here/,
	],
])('refuses %s', (_name, steps, problem) => {
	const [first, ...more] = problemsOf(`${HEAD}${steps}\n`);
	const said = first!.replace('a.yaml:', '');
	if (typeof problem === 'string') expect([said, ...more]).toEqual([problem]);
	else expect(said).toMatch(problem);
});

it('takes the controls and the files that scripts may use', () => {
	const steps = [
		'control: { path: "/channels/{channel}/connect" }',
		'control: { path: /templates, body: { tenant: "{account}", field: status, status: PAUSED } }',
		'control: { method: PATCH, path: /settings, body: { templateReview: { verdict: APPROVED } } }',
		'ana: { sendsFile: files/..hidden/a.png }',
	];
	expect(problemsOf(HEAD + steps.map((step) => `  - ${step}\n`).join(''))).toEqual([]);
});

it('reports every problem with its line, and missing parts of the script', () => {
	expect(problemsOf('')).toEqual(['a.yaml:1: must be an object with name, customers and steps']);
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
		'a.yaml:2: customers.business: is reserved in scripts. Choose another name',
	]);
});

/** Nine lists of nine aliases to the list before: 9^9 values when expanded. */
const BOMB = [
	`a: &a [${Array(9).fill('x').join(', ')}]`,
	...[...'bcdefghi'].map(
		(name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[index]}`).join(', ')}]`,
	),
].join('\n');

it.each<[string, string, string]>([
	[
		'an alias bomb',
		BOMB,
		'a.yaml:2: aliases such as *a repeat too much. Write the values out instead',
	],
	[
		'an alias of nothing',
		`${HEAD}  - ana: *who\n`,
		'a.yaml:4: *who repeats nothing: no &who comes before it. A text that begins with * needs quotes',
	],
	[
		'a list in itself',
		`name: x\ncustomers: { ana: }\nsteps: &all\n  - together: *all\n`,
		'a.yaml:4: *all repeats a value that contains it. Write the values out instead',
	],
])('refuses %s in a sentence', (_name, text, problem) => {
	expect(problemsOf(text)).toEqual([problem]);
});

it('accepts a step that an alias repeats', () => {
	const { script } = parseScript(`${HEAD}  - &hello { ana: writes Hello }\n  - *hello\n`, 'a.yaml');
	expect(script.steps).toHaveLength(2);
});
