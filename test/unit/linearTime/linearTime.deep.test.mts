/**
 * n8n is one thread, so no outside text may block it. Whatever reads such a text takes linear time.
 * ESLint says so of each regular expression by itself.
 */
import { FULL_SIZE, leastTime, type Read, slowness, time } from '../../support/timing.mts';
import { templatesListed, templateWith, webhooksListed } from './listed.mts';
import { type Pumped, textOf } from './pumped.mts';
import { READERS } from './readers.mts';

/** For 64 KB, where it was set. A linear reader takes one or two, a quadratic one hundreds. */
const LIMIT_MS = 50;

/**
 * The best of three tries after a first one that warms up, in processor time of this thread.
 * Garbage collection and compilation can only add to it, and other work of the machine does not
 * count. So a busy machine fails nothing that is right.
 */
async function needed(read: Read, text: Pumped): Promise<number> {
	const full = textOf(text, FULL_SIZE);
	const { passed: first } = await time(read, full);
	// A try that is fast at once needs no second one, and one that takes seconds fails anyway.
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

test('the lists are read to their ends', async () => {
	expect(await webhooksListed([{ id: 'A', url: 'x', events: [], status: 'ENABLED' }])).toHaveLength(
		1,
	);
	const listed = await templatesListed([templateWith('{{#}} '.repeat(130))]);
	expect(listed).toMatchObject([{ variables: { length: 100 }, variablesLeftOff: 30 }]);
});
