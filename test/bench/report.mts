/** The sections of docs/benchmarks.md, and the document made of new and kept ones. */
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
	/** Paragraphs, tables and pictures in Markdown. */
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

/**
 * A section in Markdown. `circumstances`: when and where it was measured, because sections can be
 * measured separately.
 */
export function renderSection(
	title: string,
	{ blocks, bounds }: Measured,
	circumstances: string,
): string {
	const rows = bounds.map((bound) => [bound.what, bound.limit, bound.measured, verdict(bound)]);
	const verdicts = rows.length > 0 ? [table(['Bound', 'Wanted', 'Measured', ''], rows)] : [];
	return [`## ${title}`, ...blocks, ...verdicts, circumstances].join('\n\n');
}

/** The sections of a document by their titles. */
export function sectionsOf(document: string): Map<string, string> {
	const [, ...sections] = `\n${document}`.split(/\n(?=## )/);
	return new Map(sections.map((section) => [/^## (.*)/.exec(section)?.[1] ?? '', section.trim()]));
}

/** The whole document: for each title its new section, else the previous one. */
export function renderDocument(
	introduction: string,
	titles: readonly string[],
	measured: ReadonlyMap<string, string>,
	before: string,
): string {
	const kept = sectionsOf(before);
	const sections = titles
		.map((title) => measured.get(title) ?? kept.get(title))
		.filter((section) => section !== undefined);
	return `${[introduction.trim(), ...sections].join('\n\n')}\n`;
}
