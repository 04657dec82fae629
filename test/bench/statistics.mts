export function medianOf(values: readonly number[]): number {
	const sorted = [...values].sort((left, right) => left - right);
	const middle = sorted.length / 2;
	return sorted.length % 2
		? sorted[Math.floor(middle)]!
		: (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Each figure in the one that was measured beside it. */
export const ratiosOf = (figures: readonly number[], beside: readonly number[]): number[] =>
	figures.map((figure, round) => figure / beside[round]!);

/** Measures each in turn, another one first each round. Rounds before the first warm up. */
export async function byTurns<Name extends string, T>(
	names: readonly Name[],
	rounds: number,
	measure: (name: Name) => Promise<T>,
	warmUps = 1,
): Promise<Record<Name, T[]>> {
	const measured = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Name, T[]>;
	for (let round = -warmUps; round < rounds; round += 1)
		for (let turn = 0; turn < names.length; turn += 1) {
			const name = names[(round + warmUps + turn) % names.length]!;
			const result = await measure(name);
			if (round >= 0) measured[name].push(result);
		}
	return measured;
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
