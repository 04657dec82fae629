/** The bounds of docs/benchmarks.md, and the document made of new and kept ones. */
import { medianOf } from './statistics.mts';

/** A bound and its measured value. */
export interface Bound {
	what: string;
	/** Such as "≤ 15 ms". */
	limit: string;
	/** Such as "9.31 ms": the median, if there are several figures. */
	measured: string;
	/** The figures from the lowest to the highest, such as "9.1 to 10.4 ms". */
	range: string;
	isHeld: boolean;
}

interface Format {
	/** Follows the number, such as " ms". */
	unit?: string;
	decimals?: number;
}

const bound =
	(sign: string, isHeld: (figure: number, limit: number) => boolean) =>
	(
		what: string,
		figures: number | number[],
		limit: number,
		{ unit = '', decimals = 2 }: Format = {},
	): Bound => {
		const all = [figures].flat();
		const median = medianOf(all);
		// Rounded, a figure could seem to hold a bound that it missed.
		let digits = decimals;
		while (isHeld(Number(median.toFixed(digits)), limit) && !isHeld(median, limit)) digits += 1;
		return {
			what,
			limit: `${sign} ${limit.toLocaleString('en')}${unit}`,
			measured: `${median.toFixed(digits)}${unit}`,
			range: `${Math.min(...all).toFixed(decimals)} to ${Math.max(...all).toFixed(decimals)}${unit}`,
			isHeld: isHeld(median, limit),
		};
	};
export const atMost = bound('≤', (figure, limit) => figure <= limit);
export const atLeast = bound('≥', (figure, limit) => figure >= limit);

/** One line a bound, for the terminal. */
export const lineOf = ({ isHeld, what, measured, limit, range }: Bound): string =>
	`${isHeld ? 'held  ' : 'MISSED'}  ${what}: ${measured} (${limit}; ${range})`;

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
