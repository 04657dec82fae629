import { matchesGlob } from 'node:path';

import type { MutationTestResult } from 'mutation-testing-report-schema';

/** A planted fault that no test noticed. */
export interface Survivor {
	/** From the checkout's folder. */
	file: string;
	line: number;
	/** Stryker's name of the kind of fault. */
	mutator: string;
	/** The line at which it begins, as it is written. */
	source: string;
	/** What stood there instead. */
	replacement: string;
}

/** Survivors, by what they have in common: all that is given must fit. */
export interface Where {
	/** Glob. */
	file: string;
	mutators?: readonly string[];
	/** Stands in the line at which the fault begins. */
	source?: string;
	/** What stood there instead. */
	replacement?: string;
}

/** Why survivors do not matter. */
export interface Rule {
	reason: string;
	where: readonly Where[];
}

export interface Naming {
	named: number;
	unnamed: Survivor[];
	/** For a single file that was tested, and no survivor fits: the fault is found now, or the line is another. */
	idle: Where[];
}

/** The survivors of Stryker's reports, those that no test reached among them. */
export function survivorsOf(reports: readonly MutationTestResult[]): Survivor[] {
	return filesOf(reports).flatMap(([file, { source, mutants }]) => {
		const lines = source.split('\n');
		return mutants
			.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
			.map(({ location: { start }, mutatorName, replacement }) => ({
				file,
				line: start.line,
				mutator: mutatorName,
				source: lines[start.line - 1]?.trim() ?? '',
				replacement: replacement ?? '',
			}));
	});
}

/** Which survivors the rules give a reason for, and which not. */
export function nameSurvivors(
	reports: readonly MutationTestResult[],
	rules: readonly Rule[],
): Naming {
	const survivors = survivorsOf(reports);
	const all = rules.flatMap(({ where }) => where);
	const unnamed = survivors.filter((survivor) => !all.some((where) => fits(survivor, where)));
	const tested = new Set(filesOf(reports).map(([file]) => file));
	return {
		named: survivors.length - unnamed.length,
		unnamed,
		idle: all.filter(
			(where) => tested.has(where.file) && !survivors.some((survivor) => fits(survivor, where)),
		),
	};
}

/** As lines of text, for whoever runs the tester. */
export function tellOf({ named, unnamed, idle }: Naming): string {
	return [
		`${named + unnamed.length} survivors, ${named} of them named in test/mutation/survivors.`,
		...(unnamed.length > 0 ? ['Not named:'] : []),
		...unnamed.map(
			({ file, line, mutator, source, replacement }) =>
				`  ${file}:${line} ${mutator}: ${source} => ${replacement.replace(/\s+/g, ' ')}`,
		),
		...(idle.length > 0 ? ['Named, and found by a test or not there any more:'] : []),
		...idle.map((where) => `  ${JSON.stringify(where)}`),
	].join('\n');
}

const filesOf = (reports: readonly MutationTestResult[]) =>
	reports.flatMap(({ files }) => Object.entries(files));

const fits = ({ file, mutator, source, replacement }: Survivor, where: Where): boolean =>
	matchesGlob(file, where.file) &&
	(where.mutators === undefined || where.mutators.includes(mutator)) &&
	(where.source === undefined || source.includes(where.source)) &&
	(where.replacement === undefined || replacement === where.replacement);
