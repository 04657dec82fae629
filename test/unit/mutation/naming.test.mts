import type { MutantResult, MutationTestResult } from 'mutation-testing-report-schema';

import { nameSurvivors, survivorsOf, tellOf, type Where } from '../../mutation/naming.mts';
import { RULES } from '../../mutation/survivors/index.mts';

const FILE = 'nodes/BusinessMessaging/trigger/receive.ts';
const SOURCE = "if (isOdd) {\n\tlog('It is odd');\n}\nreturn 1;";

const mutant = (
	status: MutantResult['status'],
	mutatorName: string,
	line: number,
	replacement: string,
): MutantResult => ({
	id: `${mutatorName} ${line} ${replacement}`,
	status,
	mutatorName,
	replacement,
	location: { start: { line, column: 1 }, end: { line, column: 2 } },
});

const report = (...mutants: MutantResult[]): MutationTestResult => ({
	schemaVersion: '2',
	thresholds: { high: 80, low: 60 },
	files: { [FILE]: { language: 'typescript', source: SOURCE, mutants } },
});

const logged = mutant('Survived', 'StringLiteral', 2, '""');
const unreached = mutant('NoCoverage', 'ConditionalExpression', 1, 'true');
const survived = [report(logged, unreached)];

const nameBy = (...where: Where[]) =>
	nameSurvivors(survived, [{ reason: "a log line's words", where }]);

test('survivors are the faults that tests did not find, or did not reach', () => {
	const all = report(
		logged,
		unreached,
		...(['Killed', 'Timeout', 'Ignored', 'RuntimeError', 'CompileError', 'Pending'] as const).map(
			(status) => mutant(status, 'StringLiteral', 2, '""'),
		),
	);
	expect(survivorsOf([all])).toEqual([
		{
			file: FILE,
			line: 2,
			mutator: 'StringLiteral',
			source: "log('It is odd');",
			replacement: '""',
		},
		{
			file: FILE,
			line: 1,
			mutator: 'ConditionalExpression',
			source: 'if (isOdd) {',
			replacement: 'true',
		},
	]);
});

test.each<[string, Where, number]>([
	['a file', { file: FILE }, 2],
	['the files of a folder', { file: '**/trigger/*.ts' }, 2],
	['another file', { file: '**/sending/*.ts' }, 0],
	['a kind of fault', { file: FILE, mutators: ['StringLiteral'] }, 1],
	['several kinds', { file: FILE, mutators: ['StringLiteral', 'ConditionalExpression'] }, 2],
	['another kind', { file: FILE, mutators: ['Regex'] }, 0],
	['a text of the line', { file: FILE, source: 'isOdd' }, 1],
	['a text of another line', { file: FILE, source: 'return' }, 0],
	['what stood there instead', { file: FILE, replacement: 'true' }, 1],
	['a part of what stood there instead', { file: FILE, replacement: 'tru' }, 0],
	['all of it', { file: FILE, mutators: ['StringLiteral'], source: 'odd', replacement: '""' }, 1],
	['not all of it', { file: FILE, mutators: ['StringLiteral'], source: 'isOdd' }, 0],
])('a rule that names %s', (_what, where, named) => {
	const naming = nameBy(where);
	expect([naming.named, naming.unnamed.length]).toEqual([named, 2 - named]);
});

test('a rule that no survivor of its tested file fits is idle; one for a file that was not tested, or for many files, is not', () => {
	const past = { file: FILE, source: 'a line of the past' };
	const others = [
		{ file: 'nodes/BusinessMessaging/sending/sendAll.ts' },
		{ ...past, file: '**/*.ts' },
	];
	expect(nameBy({ file: FILE }, past, ...others).idle).toEqual([past]);
});

test('a run tells how many are named, and each that is not with its line', () => {
	expect(tellOf(nameBy({ file: FILE, source: 'isOdd' }))).toBe(
		[
			'2 survivors, 1 of them named in test/mutation/survivors.',
			'Not named:',
			`  ${FILE}:2 StringLiteral: log('It is odd'); => ""`,
		].join('\n'),
	);
	expect(tellOf(nameBy({ file: FILE }, { file: FILE, source: 'past' }))).toBe(
		[
			'2 survivors, 2 of them named in test/mutation/survivors.',
			'Named, and found by a test or not there any more:',
			`  {"file":"${FILE}","source":"past"}`,
		].join('\n'),
	);
});

test('each reason is a sentence, and names something narrower than a whole file', () => {
	for (const { reason, where } of RULES) {
		expect(reason).toMatch(/^\S.{14,}[^.]$/s);
		for (const { mutators, source, replacement } of where)
			expect(mutators ?? source ?? replacement).toBeDefined();
	}
});
