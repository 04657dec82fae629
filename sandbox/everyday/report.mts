/** The verdict over what was played: data first, then words. */
import { type Phone, type Played, transcriptOf } from './played.mts';
import { type Rule, RULES } from './rules.mts';

/** A rule that was broken, with each phone that shows it. */
export interface Finding {
	rule: Rule;
	seen: Array<{ scene: string; phone: Phone; what: string }>;
}

export interface Report {
	played: readonly Played[];
	findings: Finding[];
	seconds: number;
	/** Whether the rest was not played, because nothing answered. */
	isStopped: boolean;
}

export interface Judged {
	played: readonly Played[];
	/** Keys and addresses that no customer should read. */
	secrets: readonly string[];
	/** Whether the bot need not answer. */
	mayBeSilent: boolean;
}

const OF_SILENCE = /^(?:unanswered|silent)/;

/** The rules that were broken, faults first. */
export function judge({ played, secrets, mayBeSilent }: Judged): Finding[] {
	const marks = played.flatMap(({ phones }) => phones.map(({ mark }) => mark));
	return RULES.filter(({ name }) => !mayBeSilent || !OF_SILENCE.test(name)).flatMap((rule) => {
		const seen = played.flatMap(({ name: scene, phones }) =>
			phones.flatMap((phone) => {
				const what = rule.brokenBy(phone, { scene, marks, secrets });
				return what === undefined ? [] : [{ scene, phone, what }];
			}),
		);
		return seen.length > 0 ? [{ rule, seen }] : [];
	});
}

const SIGNS = { fault: '✘', remark: '!' } as const;

export const isPassed = ({ findings, played, isStopped }: Report): boolean =>
	!isStopped &&
	findings.every(({ rule }) => rule.level === 'remark') &&
	played.every(({ broken }) => broken === undefined);

function signOf({ name, broken }: Played, findings: readonly Finding[]): string {
	const own = findings.filter(({ seen }) => seen.some(({ scene }) => scene === name));
	if (broken !== undefined || own.some(({ rule }) => rule.level === 'fault')) return SIGNS.fault;
	return own.length > 0 ? SIGNS.remark : '✓';
}

const counted = (count: number, what: string): string =>
	`${count === 0 ? 'no' : count} ${what}${count === 1 ? '' : 's'}`;

/** For the terminal: the verdict, a line a scene, what to change, the proof. */
export function inWords(report: Report): string {
	const { findings, played, seconds } = report;
	const count = (level: Rule['level']) =>
		findings.filter(({ rule }) => rule.level === level).length;
	const found = `${counted(count('fault'), 'fault')} (✘) and ${counted(count('remark'), 'remark')} (!)`;
	const width = Math.max(...played.map(({ name }) => name.length));
	const lines = played.map((one) => {
		const why = one.broken === undefined ? '' : `: could not go on: ${one.broken}`;
		return `${signOf(one, findings)} ${one.name.padEnd(width)}  ${one.title}${why}`;
	});
	return [
		`${isPassed(report) ? 'The bot passes' : 'The bot does not pass'}: ${found} in ${counted(played.length, 'scene')}, ${Math.round(seconds)} s.`,
		lines.join('\n'),
		...(findings.length > 0 ? ['What to change:', ...findings.map(advice)] : []),
		...(findings.length > 0 ? ['What was seen:', ...findings.map(proof)] : []),
	].join('\n\n');
}

const heading = ({ rule }: Finding): string => `${SIGNS[rule.level]} ${rule.owed}`;

const advice = (finding: Finding): string => {
	const scenes = [...new Set(finding.seen.map(({ scene }) => scene))].join(', ');
	return `${heading(finding)}\n  Seen in: ${scenes}\n  Change: ${finding.rule.change}`;
};

/** One phone is enough to see it. */
function proof(finding: Finding): string {
	const [first, ...more] = finding.seen;
	if (!first) return '';
	const others = more.length > 0 ? `, and ${more.length} more` : '';
	const lines = `${heading(finding)}\n${first.scene}: ${first.what}${others}\n${transcriptOf(first.phone)}`;
	return lines.replaceAll('\n', '\n  ');
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
			...(one.broken === undefined ? {} : { broken: one.broken }),
		};
	});
