import * as fc from 'fast-check';

import { toChatMarks } from '../../../nodes/BusinessMessaging/resources/message/markdown.ts';
import { MARKDOWN_ROWS } from './markdownRows.mts';

test.each(MARKDOWN_ROWS)('%s', (_what, markdown, sent) => {
	expect(toChatMarks(markdown)).toBe(sent);
});

test('the table tells enough of what models write', () => {
	expect(MARKDOWN_ROWS.length).toBeGreaterThanOrEqual(60);
	expect(new Set(MARKDOWN_ROWS.map(([what]) => what)).size).toBe(MARKDOWN_ROWS.length);
});

/** Signs that mean something, and words between them. */
const written = fc
	.array(
		fc.oneof(
			fc.constantFrom(
				...'*_~`[]()<>!#-+>|\\&:/= \n'.split(''),
				'**',
				'***',
				'~~',
				'```',
				'](',
				'\n\n',
				'> ',
				'- ',
				'1. ',
			),
			fc.constantFrom(
				'word',
				'Ünï',
				'重要',
				'🎉',
				'42',
				'https://shop.example/a_b',
				'&amp;',
				'<br>',
			),
		),
		{ maxLength: 60 },
	)
	.map((pieces) => pieces.join(''));

test('whatever is written, no word and no digit is lost, and their order stays', () => {
	const wordsOf = (text: string) =>
		text.replace(/<br>|&amp;/g, '').match(/[\p{L}\p{N}🎉]+/gu) ?? [];
	fc.assert(
		fc.property(written, (text) => {
			// A number is lost where it says in which language code is written.
			fc.pre(!/(```|~~~)/.test(text));
			expect(wordsOf(toChatMarks(text)).join('')).toBe(wordsOf(text).join(''));
		}),
		{ numRuns: 2000 },
	);
});
