/** The verdict over what was played: data first, then words. */
import { printable } from '../client/printable.mts';
import { linesOf, type Phone, type Played } from './played.mts';
import { type Rule, type RuleName, RULES } from './rules.mts';

/** A rule that was broken, with each phone that shows it. */
export interface Finding {
	name: RuleName;
	rule: Rule;
	seen: Array<{ scene: string; phone: Phone; what: string }>;
}

export interface Report {
	played: readonly Played[];
	findings: Finding[];
	seconds: number;
}

/** The rules that were broken, faults first. `secrets`: what no customer should read. */
export function judge(played: readonly Played[], secrets: readonly string[]): Finding[] {
	const marks = played.flatMap(({ phones }) => phones.map(({ mark }) => mark));
	const rules = Object.entries(RULES) as Array<[RuleName, Rule]>;
	return rules.flatMap(([name, rule]) => {
		const seen = played.flatMap(({ name: scene, phones }) =>
			phones.flatMap((phone) => {
				const what = rule.brokenBy(phone, { scene, marks, secrets });
				return what === undefined ? [] : [{ scene, phone, what }];
			}),
		);
		return seen.length > 0 ? [{ name, rule, seen }] : [];
	});
}

export const isPassed = ({ findings }: Report): boolean =>
	findings.every(({ rule }) => rule.level === 'remark');

const counted = (count: number, what: string): string =>
	`${count === 0 ? 'no' : count} ${what}${count === 1 ? '' : 's'}`;

export function verdictOf(report: Report): string {
	const { findings, played, seconds } = report;
	const count = (level: Rule['level']) =>
		counted(findings.filter(({ rule }) => rule.level === level).length, level);
	return `${isPassed(report) ? 'The bot passes' : 'The bot does not pass'}: ${count('fault')} (✘) and ${count('remark')} (!) in ${counted(played.length, 'scene')}, ${Math.round(seconds)} s.`;
}

const SIGNS = { fault: '✘', remark: '!' } as const;
export const headingOf = ({ rule }: Finding): string => `${SIGNS[rule.level]} ${rule.owed}`;

export function sceneLine({ name, title }: Played, findings: readonly Finding[]): string {
	// Faults come first.
	const worst = findings.find(({ seen }) => seen.some(({ scene }) => scene === name));
	return `${worst ? SIGNS[worst.rule.level] : '✓'} ${name}: ${title}`;
}

/** One phone is enough to see it. */
export const proofOf = ({ seen: [first, ...more] }: Finding): string =>
	`${first?.scene}: ${first?.what}${more.length > 0 ? `, and ${more.length} more` : ''}`;

const INDENTED = `\n${' '.repeat(4)}`;

function transcriptOf(phone: Phone): string {
	const lines = linesOf(phone).map(({ by, time, text }) => {
		const said = text.replaceAll('\n', INDENTED);
		return by === 'note' ? `(${said})` : `${time} ${by === 'customer' ? phone.name : by}: ${said}`;
	});
	return printable([`The phone of ${phone.name}:`, ...lines].join(INDENTED));
}

/** For the terminal: the verdict, a line a scene, what to change, the proof. */
export function inWords(report: Report): string {
	const { findings, played } = report;
	const changes = findings.map((one) => `${headingOf(one)}\n  Change: ${one.rule.change}`);
	const proofs = findings.map(
		(one) => `${headingOf(one)}\n  ${proofOf(one)}\n  ${transcriptOf(one.seen[0]!.phone)}`,
	);
	return [
		verdictOf(report),
		played.map((one) => sceneLine(one, findings)).join('\n'),
		...(findings.length > 0 ? ['What to change:', ...changes, 'What was seen:', ...proofs] : []),
	].join('\n\n');
}

/** As rehearsals, for JUnit. Remarks do not fail. */
export const asOutcomes = ({ played, findings }: Report) =>
	played.map((one) => {
		const faults = findings
			.filter(({ rule }) => rule.level === 'fault')
			.flatMap(({ rule, seen }) => seen.map((each) => ({ rule, ...each })))
			.filter(({ scene }) => scene === one.name);
		return {
			...{ name: one.title, file: one.name, seconds: one.seconds, newcomers: [] },
			problems: faults.map(({ rule, what }) => ({
				kind: 'unexpected' as const,
				what: `${rule.owed} ${what}. ${rule.change}`,
			})),
			transcripts: faults.map(({ phone }) => transcriptOf(phone)),
		};
	});
