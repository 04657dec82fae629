/** The bounds of docs/benchmarks.md, and the document made of new and kept ones. */
/** A bound and its measured value. */
export interface Bound {
	what: string;
	/** Such as "≤ 15 ms". */
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
		limit: `≤ ${limit.toLocaleString('en')}${unit}`,
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
		limit: `≥ ${limit.toLocaleString('en')}${unit}`,
		measured: `${figure.toFixed(decimals)}${unit}`,
		isHeld: figure >= limit,
	};
}

/** One line a bound, for the terminal. */
export const lineOf = (bound: Bound): string =>
	`${bound.isHeld ? 'held  ' : 'MISSED'}  ${bound.what}: ${bound.measured} (${bound.limit})`;

/** A section of the document. @param day because sections can be measured separately */
export const blockOf = (section: string, bounds: readonly Bound[], day: string): string =>
	[
		`${section}, ${day}`,
		...bounds.map(({ what, measured, limit, isHeld }) =>
			[
				`  ${what.padEnd(54)}`,
				`${measured.padStart(13)}   ${limit}${isHeld ? '' : '   MISSED'}`,
			].join(' '),
		),
	].join('\n');

/** The whole document: of each section its new block, else the one that it had before. */
export function renderDocument(
	introduction: string,
	sections: readonly string[],
	measured: ReadonlyMap<string, string>,
	before: string,
): string {
	const kept = (before.split('```\n')[1] ?? '').trimEnd().split('\n\n');
	const blocks = sections.flatMap(
		(section) => measured.get(section) ?? kept.filter((block) => block.startsWith(`${section}, `)),
	);
	return `${introduction.trim()}\n\n\`\`\`\n${blocks.join('\n\n')}\n\`\`\`\n`;
}
