/** The bounds of docs/benchmarks.md, and the document made of new and kept ones. */
import { table } from './statistics.mts';

/** A bound and its measured value. */
export interface Bound {
	what: string;
	/** Such as "at most 15 ms". */
	limit: string;
	/** Such as "9.31 ms". */
	measured: string;
	isHeld: boolean;
}

/** The parts of a section from a measurement. */
export interface Measured {
	/** Paragraphs and tables in Markdown, for the terminal. */
	blocks: string[];
	bounds: Bound[];
}

interface Format {
	/** Follows the number, such as " ms". */
	unit?: string;
	decimals?: number;
}

export function atMost(
	what: string,
	figure: number,
	limit: number,
	{ unit = '', decimals = 2 }: Format = {},
): Bound {
	return {
		what,
		limit: `at most ${limit.toLocaleString('en')}${unit}`,
		measured: `${figure.toFixed(decimals)}${unit}`,
		isHeld: figure <= limit,
	};
}

export function atLeast(
	what: string,
	figure: number,
	limit: number,
	{ unit = '', decimals = 2 }: Format = {},
): Bound {
	return {
		what,
		limit: `at least ${limit.toLocaleString('en')}${unit}`,
		measured: `${figure.toFixed(decimals)}${unit}`,
		isHeld: figure >= limit,
	};
}

const verdict = ({ isHeld }: Bound): string => (isHeld ? 'held' : '**missed**');

/** One line a bound, for the terminal. */
export const lineOf = (bound: Bound): string =>
	`${bound.isHeld ? 'held  ' : 'MISSED'}  ${bound.what}: ${bound.measured} (${bound.limit})`;

const HEADINGS = ['Section', 'Bound', 'Wanted', 'Measured', '', 'On'];

/** The rows of a section. @param day because sections can be measured separately */
export const rowsOf = (section: string, bounds: readonly Bound[], day: string): string[][] =>
	bounds.map((bound) => [
		...[section, bound.what, bound.limit, bound.measured, verdict(bound)],
		day,
	]);

/** The whole document: of each section its new rows, else those that it had before. */
export function renderDocument(
	introduction: string,
	sections: readonly string[],
	measured: ReadonlyMap<string, string[][]>,
	before: string,
): string {
	const kept = before
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.map((line) => line.slice(2, -2).split(' | '));
	const rows = sections.flatMap(
		(section) => measured.get(section) ?? kept.filter(([name]) => name === section),
	);
	return `${introduction.trim()}\n\n${table(HEADINGS, rows)}\n`;
}
