/**
 * n8n is one thread: a text of others must not be able to block it. So no expression over a text of others is worse than
 * linear, and none is forgotten: one that is new in the code fails here until it is listed.
 */
import { ALONE, NOT_FOREIGN } from '../fuzz/expressions.mts';
import { FULL_SIZE, leastTime, type Read, slowness, time } from '../fuzz/growth.mts';
import { attacksOn, type Pumped, textOf } from '../fuzz/pumped.mts';
import { READERS } from '../fuzz/readers.mts';
import { expressionsIn, expressionsOf, idOf } from '../support/expressions.mts';

/** For 64 KB, by the speed of the machine for which it was set. A linear one takes one or two; a quadratic one takes hundreds. */
const LIMIT_MS = 50;
/** In an eighth of the text a quadratic expression shows itself already, and a linear one takes next to nothing. */
const GLANCE = { size: FULL_SIZE / 8, ms: 1 };

const found = expressionsOf('nodes', 'credentials', 'sandbox');

/**
 * The best of three after one that warms up, in the time that the thread worked: what the code itself needs. The collection of garbage and the
 * compilation of the expression can only add to it, and what else the machine does is not in it, so that a busy machine fails nothing that is right.
 */
async function needed(read: Read, text: Pumped): Promise<number> {
	const full = textOf(text, FULL_SIZE);
	const { passed: first } = await time(read, full);
	// Who passes at once needs no second try, and who takes seconds fails just as well with one.
	if (first <= LIMIT_MS) return first;
	const { worked } = await leastTime(read, full, first > 20 * LIMIT_MS ? 1 : 3);
	return worked / (await slowness());
}

describe.each(READERS)('$name', ({ read, worst }) => {
	test.each(worst.map((text): [string, Pumped] => [JSON.stringify(text), text]))(
		`64 KB of %s take at most ${LIMIT_MS} ms`,
		async (_shown, text) => {
			expect(await needed(read, text)).toBeLessThanOrEqual(LIMIT_MS);
		},
	);
});

describe('each expression by itself, on every text made of what it looks for', () => {
	// Normalisation is worse than linear by itself: it takes the square of the number of marks. Who uses it has to bound the text, and a reader shows it.
	const alone = found.filter(
		(expression) => expression.regex && !(idOf(expression) in NOT_FOREIGN),
	);
	test.each([...new Map(alone.map((expression) => [idOf(expression), expression]))])(
		'%s',
		async (_id, expression) => {
			// As replacements go through a text: to its end, from each match on.
			const read = (text: string) => text.replace(expression.regex!, '');
			const slow: Array<Pumped & { ms: number }> = [];
			for (const attack of attacksOn(expression)) {
				if ((await time(read, textOf(attack, GLANCE.size))).passed < GLANCE.ms) continue;
				const ms = await needed(read, attack);
				if (ms > LIMIT_MS) slow.push({ ...attack, ms });
				// One says it, and each takes seconds.
				if (slow.length > 0) break;
			}
			expect(slow).toEqual([]);
		},
	);
});

describe('nothing is forgotten', () => {
	const covered = READERS.flatMap(({ covers }) => covers);
	const listed = [...covered, ...Object.keys(ALONE), ...Object.keys(NOT_FOREIGN)];

	test('each expression in nodes/, credentials/ and sandbox/ is listed: with what reads it, by itself, or with the reason why no text of others meets it', () => {
		expect(found.map(idOf).filter((id) => !listed.includes(id))).toEqual([]);
	});

	test('each is listed in one place, and the code still has it', () => {
		expect(listed.filter((id, index) => listed.indexOf(id) !== index)).toEqual([]);
		const ids = new Set(found.map(idOf));
		expect(listed.filter((id) => !ids.has(id))).toEqual([]);
	});

	test('what cannot be run by itself is read by a reader: normalisations, and expressions that are made as the code runs', () => {
		expect(
			found
				.filter(({ regex }) => !regex)
				.map(idOf)
				.filter((id) => !covered.includes(id) && !(id in NOT_FOREIGN)),
		).toEqual([]);
	});

	test('a new one is found wherever it stands', () => {
		const code =
			"const a = /x+$/u; const b = text.split(/,/); const c = new RegExp(word, 'g'); const d = RegExp('y'); const e = name.normalize('NFD'); const f = '={{ $json.a.replace(/z+$/, \"\") }}'; // /no/\nconst g = 8 / 4 / 2; const h = '/no/';";
		expect(expressionsIn('a.ts', code).map(({ text }) => text)).toEqual([
			'/x+$/u',
			'/,/',
			"new RegExp(word, 'g')",
			"RegExp('y')",
			".normalize('NFD')",
			'/z+$/',
		]);
	});
});
