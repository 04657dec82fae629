/**
 * n8n is one thread, so no outside text may block it. Whatever reads such a text takes linear time,
 * and so does each regular expression of the code by itself.
 */
import { FULL_SIZE, leastTime, type Read, slowness, time } from '../../support/timing.mts';
import { templatesListed, templateWith, webhooksListed } from './listed.mts';
import { attacksOn, type Pumped, textOf } from './pumped.mts';
import { READERS } from './readers.mts';
import { expressionsIn, expressionsOf, idOf } from './expressions.mts';

/**
 * For 64 KB, on the machine for which it was set. A linear reader takes one or two, a quadratic one
 * hundreds.
 */
const LIMIT_MS = 50;
/**
 * An eighth of the text already shows a quadratic expression, and a linear one takes next to
 * nothing.
 */
const GLANCE = { size: FULL_SIZE / 8, ms: 1 };

const found = expressionsOf('nodes', 'credentials', 'sandbox');

/**
 * The best of three tries after a first one that warms up, in processor time of this thread.
 * Garbage collection and compilation can only add to it, and other work of the machine does not
 * count. So a busy machine fails nothing that is right.
 */
async function needed(read: Read, text: Pumped): Promise<number> {
	const full = textOf(text, FULL_SIZE);
	const { passed: first } = await time(read, full);
	// A try that is fast at once needs no second one. A try that takes seconds fails with one as
	// well.
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

describe('each expression of the code by itself, on texts made of what it matches', () => {
	const alone = found.filter(({ regex }) => regex);
	test.each([...new Map(alone.map((expression) => [idOf(expression), expression]))])(
		'%s',
		async (_id, expression) => {
			// As a replacement reads a text: to its end, from each match on.
			const read = (text: string) => text.replace(expression.regex!, '');
			const slow: Array<Pumped & { ms: number }> = [];
			for (const attack of attacksOn(expression)) {
				if ((await time(read, textOf(attack, GLANCE.size))).passed < GLANCE.ms) continue;
				const ms = await needed(read, attack);
				if (ms > LIMIT_MS) slow.push({ ...attack, ms });
				// One is enough to fail, and each takes seconds.
				if (slow.length > 0) break;
			}
			expect(slow).toEqual([]);
		},
	);
});

test('the lists are read to their ends', async () => {
	expect(await webhooksListed([{ id: 'A', url: 'x', events: [], status: 'ENABLED' }])).toHaveLength(
		1,
	);
	const listed = await templatesListed([templateWith('{{#}} '.repeat(130))]);
	expect(listed).toMatchObject([{ variables: { length: 100 }, variablesLeftOff: 30 }]);
});

test('finds an expression anywhere in the code', () => {
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
