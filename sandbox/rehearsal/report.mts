/** The results of rehearsals, for people and for build servers. */
import type { Rehearsed } from './play.mts';
import type { Problem } from './unasked.mts';

export interface Outcome extends Rehearsed {
	/** The file of the script. */
	file: string;
}

export const isGreen = ({ problems, broken }: Rehearsed): boolean =>
	problems.length === 0 && broken === undefined;

/** `line 9: …` or `unexpected: …`. */
const told = ({ what, line }: Problem): string =>
	`${line === undefined ? 'unexpected' : `line ${line}`}: ${what}`;

/** One problem after the other. */
const problemsOf = ({ problems, broken }: Rehearsed): string[] => [
	...(broken === undefined ? [] : [`could not go on: ${broken}`]),
	...problems.map(told),
];

/** `✓ Orders (orders.yaml), 1.9 s`, or `✗ …` if it failed. */
const titleOf = (outcome: Outcome): string =>
	`${isGreen(outcome) ? '✓' : '✗'} ${outcome.name} (${outcome.file}), ${outcome.seconds.toFixed(1)} s`;

/** A rehearsal for people: one line if all went well, else its problems and chats. */
export function inWords(outcome: Outcome): string {
	const problems = problemsOf(outcome);
	if (problems.length === 0) return titleOf(outcome);
	const chats = outcome.transcripts.map((transcript) => `\n${indented(transcript)}`);
	return [titleOf(outcome), ...problems.map(indented), ...chats].join('\n');
}

const indented = (text: string): string =>
	text
		.split('\n')
		.map((line) => `  ${line}`)
		.join('\n');

/** JUnit XML for build servers, with one test case for each script. */
export function junit(outcomes: readonly Outcome[]): string {
	const isBroken = ({ broken }: Outcome) => broken !== undefined;
	const counts = attributes({
		name: 'Rehearsals',
		tests: outcomes.length,
		failures: outcomes.filter((outcome) => !isGreen(outcome) && !isBroken(outcome)).length,
		errors: outcomes.filter(isBroken).length,
		time: outcomes.reduce((sum, outcome) => sum + outcome.seconds, 0).toFixed(3),
	});
	const cases = outcomes.map((outcome) => {
		const { name, file, transcripts } = outcome;
		const open = `\t\t<testcase ${attributes({ name, classname: file, file, time: outcome.seconds.toFixed(3) })}`;
		const problems = problemsOf(outcome);
		if (problems.length === 0) return `${open}/>`;
		const text = [...problems, '', ...transcripts].join('\n');
		const element = isBroken(outcome) ? 'error' : 'failure';
		return `${open}>\n\t\t\t<${element} ${attributes({ message: problems[0] ?? '' })}>${escaped(text)}</${element}>\n\t\t</testcase>`;
	});
	return [
		'<?xml version="1.0" encoding="UTF-8"?>',
		`<testsuites ${counts}>`,
		`\t<testsuite ${counts}>`,
		...cases,
		'\t</testsuite>',
		'</testsuites>',
		'',
	].join('\n');
}

const attributes = (values: Record<string, string | number>): string =>
	Object.entries(values)
		.map(([name, value]) => `${name}="${escaped(String(value))}"`)
		.join(' ');

const ENTITIES: Record<string, string> = {
	...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' },
	...{ '\n': '&#10;', '\t': '&#9;', '\r': '&#13;' },
};

/**
 * Characters that XML allows. Most control characters, lone surrogates and two others are not
 * allowed.
 */
function isXml(character: string): boolean {
	const code = character.codePointAt(0)!;
	return code >= 0x20 && !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}

export const escaped = (text: string): string =>
	[...text]
		.map((character) => ENTITIES[character] ?? (isXml(character) ? character : '\ufffd'))
		.join('');
