import * as fc from 'fast-check';

import { toChatMarks } from '#nodes/resources/message/content/markdown.ts';
import { EXAMPLES, missingIn } from './commonMark.mts';
import { CONVERTED, UNCHANGED } from './markdownRows.mts';
import { runs } from '../../support/runs.mts';
import { workOf } from '../../support/timing.mts';

test.each(CONVERTED)('%s', (_what, markdown, sent) => {
	expect(toChatMarks(markdown)).toBe(sent);
});

test.each(UNCHANGED)('%s: as it is', (_what, text) => {
	expect(toChatMarks(text)).toBe(text);
});

/** The examples of CommonMark of which something changes, by number, with the reason. */
const CHANGED: Record<number, string> = {
	5: 'a tab stays one, and is not turned into blanks',
	6: 'a tab stays one, and is not turned into blanks',
	7: 'blanks behind the sign of a list are one',
	137: 'models indent the end of a block of code differently from its beginning',
	335: 'blanks at the end of a line are cut, also in code that goes over lines',
	337: 'blanks at the end of a line are cut, also in code that goes over lines',
	640: 'blanks at the end of a line are cut, also in code that goes over lines',
	642: 'blanks at the end of a line are cut, also in a tag of HTML',
	643: 'the end of a line breaks it, also in a tag of HTML',
};

test('of all examples of CommonMark, no address and no code changes, and no text is lost', () => {
	expect(EXAMPLES.length).toBeGreaterThan(600);
	for (const counted of ['addresses', 'codes', 'words'] as const)
		expect(EXAMPLES.flatMap((example) => example[counted]).length).toBeGreaterThan(100);
	const changed = EXAMPLES.map((example) => ({
		...example,
		missing: missingIn(toChatMarks(example.markdown), example),
	})).filter(({ missing }) => missing.length > 0);
	expect(changed.filter(({ number }) => CHANGED[number] === undefined)).toEqual([]);
	expect(changed.map(({ number }) => `${number}`)).toEqual(Object.keys(CHANGED));
});

test('converts a text of 64 KB, and sends a longer one unchanged, at once', () => {
	const bold = '**abc** '.repeat(65_536 / 8);
	expect(toChatMarks(bold)).not.toContain('**');
	const longer = `${bold} `;
	expect(toChatMarks(longer)).toBe(longer);
	const worked = workOf(() => {
		for (let round = 0; round < 100; round++) toChatMarks('**abc** '.repeat(131_072));
	});
	// A hundred conversions of 1 MB took more than twenty seconds.
	expect(worked).toBeLessThan(2000);
});

const SIGNS = ['**', '***', '~~', '```', '](', '\n\n', '> ', '- ', '1. '];
const WORDS = ['word', 'Ünï', '重要', '🎉', '42', 'https://shop.example/a_b', '&amp;', '<br>'];
/** Signs with a meaning, and words between them. */
const written = fc
	.array(
		fc.oneof(
			fc.constantFrom(...'*_~`[]()<>!#-+>|\\&:/= \n'.split(''), ...SIGNS),
			fc.constantFrom(...WORDS),
		),
		{ maxLength: 60 },
	)
	.map((pieces) => pieces.join(''));

test('loses no word and no digit of any text, and keeps their order', () => {
	const wordsOf = (text: string) =>
		text.replace(/<br>|&amp;/g, '').match(/[\p{L}\p{N}🎉]+/gu) ?? [];
	fc.assert(
		fc.property(written, (text) => {
			// A number is lost if it names the language of a code block.
			fc.pre(!/(```|~~~)/.test(text));
			expect(wordsOf(toChatMarks(text)).join('')).toBe(wordsOf(text).join(''));
		}),
		{ numRuns: runs(2000) },
	);
});
