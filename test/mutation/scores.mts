import { calculateMutationTestMetrics, type Metrics } from 'mutation-testing-metrics';
import type { MutationTestResult } from 'mutation-testing-report-schema';

export interface Line {
	name: string;
	bound: number | undefined;
	score: Metrics;
}

/** Stryker's score of several of its reports together. */
export function scoreOf(reports: MutationTestResult[]): Metrics {
	const [first, ...others] = reports;
	if (!first) throw new Error('There is no report');
	const files = Object.assign(
		{},
		first.files,
		...others.map(({ files }) => files),
	) as MutationTestResult['files'];
	return calculateMutationTestMetrics({ ...first, files, testFiles: {} }).systemUnderTestMetrics
		.metrics;
}

export const isMissed = ({ bound, score }: Line): boolean =>
	bound !== undefined && score.mutationScore < bound;

/** The scores as lines of text. */
export function table(lines: Line[]): string {
	const columns = (cells: Array<string | number>) =>
		cells
			.map((cell, index) => (index === 0 ? String(cell).padEnd(12) : String(cell).padStart(9)))
			.join(' ');
	const HEAD = 'part|score %|bound %|killed|timeout|survived|no test|ignored|errors';
	const head = columns(HEAD.split('|'));
	const rows = lines.map(({ name, bound, score }) =>
		columns([
			name,
			score.mutationScore.toFixed(2),
			bound ?? '',
			score.killed,
			score.timeout,
			score.survived,
			score.noCoverage,
			score.ignored,
			score.runtimeErrors,
		]),
	);
	return [head, ...rows].join('\n');
}
