/** The table of chances in sandbox/docs/free-words.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '../../../scripts/checkout.mts';

/** How often `taken` of `count` can be chosen. */
function combinations(count: number, taken: number): number {
	let result = 1;
	for (let index = 1; index <= taken; index += 1)
		result = (result * (count - taken + index)) / index;
	return result;
}

/** The chance of at least so many right runs. @param wrong the share of wrong ones */
function chanceToPass(runs: number, atLeast: number, wrong: number): number {
	let chance = 0;
	for (let right = atLeast; right <= runs; right += 1)
		chance += combinations(runs, right) * (1 - wrong) ** right * wrong ** (runs - right);
	return chance;
}

function inPercent(chance: number): string {
	const percent = Math.round(chance * 100);
	if (percent === 0) return 'below 1%';
	return percent === 100 ? 'over 99%' : `${percent}%`;
}

const guide = readFileSync(join(checkout, 'sandbox', 'docs', 'free-words.md'), 'utf8');
const [header = [], , ...rows] = guide
	.slice(guide.indexOf('| Wrong in |'))
	.split('\n\n')[0]!
	.split('\n')
	.map((row) =>
		row
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
const shares = header.slice(1).map((share) => {
	const [wrong, all] = share.split(' in ').map(Number);
	return wrong! / all!;
});

it('calculates a chance that is known', () => {
	// 0.7^10 + 10 * 0.3 * 0.7^9
	expect(chanceToPass(10, 9, 0.3)).toBeCloseTo(0.149_308, 6);
	expect(chanceToPass(1, 1, 0.3)).toBeCloseTo(0.7, 6);
	expect(chanceToPass(4, 0, 0.3)).toBeCloseTo(1, 6);
});

it.each(rows.map((row): [string, string[]] => [row[0]!, row.slice(1)]))(
	'says how likely a bot passes %s',
	(name, cells) => {
		const runs = Number(/`runs: (\d+)`/.exec(name)?.[1] ?? (name === 'one run' ? 1 : NaN));
		const atLeast = Number(/`atLeast: (\d+)`/.exec(name)?.[1] ?? runs);
		expect(cells).toEqual(shares.map((share) => inPercent(chanceToPass(runs, atLeast, share))));
	},
);

it('agrees with the sentences below it', () => {
	expect(guide).toContain('it passes `atLeast: 9` in 15 of 100 rehearsals');
	expect(inPercent(chanceToPass(10, 9, 0.3))).toBe('15%');
	// Not found by ten runs, and found by a hundred.
	expect(chanceToPass(10, 9, 0.1)).toBeGreaterThan(0.5);
	expect(chanceToPass(100, 95, 0.1)).toBeLessThan(0.1);
});
