/** Minimum, median and maximum of a figure over its runs. */
export interface Spread {
	min: number;
	median: number;
	max: number;
}

export function spreadOf(values: number[]): Spread {
	const sorted = [...values].sort((left, right) => left - right);
	const middle = sorted.length / 2;
	const median = sorted.length % 2 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
	return { min: sorted[0]!, median, max: sorted.at(-1)! };
}

/** `median (min to max)` with so many decimals. */
export function showSpread({ min, median, max }: Spread, decimals = 2): string {
	return `${median.toFixed(decimals)} (${min.toFixed(decimals)} to ${max.toFixed(decimals)})`;
}

/** A table in Markdown. */
export function table(heads: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}
