/** Minimum, median and maximum of a figure over its runs. */
export interface Spread {
	min: number;
	median: number;
	max: number;
}

export function spreadOf(values: number[]): Spread {
	const sorted = [...values].sort((left, right) => left - right);
	const middle = sorted.length / 2;
	const median =
		sorted.length % 2 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
	return { min: sorted[0]!, median, max: sorted.at(-1)! };
}

export const medianOf = (values: number[]): number => spreadOf(values).median;

/** `median (min to max)` with this many decimals. */
export function showSpread({ min, median, max }: Spread, decimals = 2): string {
	return `${median.toFixed(decimals)} (${min.toFixed(decimals)} to ${max.toFixed(decimals)})`;
}

export interface Point {
	x: number;
	y: number;
}

/**
 * The slope of the line through points on logarithmic axes (least squares): 1 is linear, 2
 * quadratic, 0 constant.
 */
export function slopeOf(points: Point[]): number {
	const logs = points.map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }));
	const mean = (pick: (point: Point) => number) =>
		logs.reduce((sum, point) => sum + pick(point), 0) / logs.length;
	const meanX = mean(({ x }) => x);
	const meanY = mean(({ y }) => y);
	const covariance = mean(({ x, y }) => (x - meanX) * (y - meanY));
	return covariance / mean(({ x }) => (x - meanX) ** 2);
}

/** A table in Markdown. */
export function table(heads: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}
