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
