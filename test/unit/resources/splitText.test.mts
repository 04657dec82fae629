import * as fc from 'fast-check';

import { splitText } from '../../../nodes/BusinessMessaging/resources/message/content/splitText.ts';

const words = (count: number, word = 'word') => Array.from({ length: count }, () => word).join(' ');

test.each<[string, string, number, string[]]>([
	['what is short enough stays as it is', ' a  \n', 20, [' a  \n']],
	['exactly as long as a part', 'a'.repeat(20), 20, ['a'.repeat(20)]],
	[
		'at a paragraph, though a line and a sentence would come later',
		'First one here.\n\nSecond. Third\nline of words',
		40,
		['First one here.', 'Second. Third\nline of words'],
	],
	[
		'before a title, not after it',
		'First one here.\n\n*Second*\n\nof words',
		30,
		['First one here.', '*Second*\n\nof words'],
	],
	[
		'before what leads on to the next line',
		'First one here.\nThese are they:\n- one\n- two',
		34,
		['First one here.', 'These are they:\n- one\n- two'],
	],
	['at a line', 'first line of it\nsecond line', 25, ['first line of it', 'second line']],
	['at a sentence', 'One is here. Two is not over', 22, ['One is here.', 'Two is not over']],
	[
		'at a question in quotes',
		'He said "why?" I do not know',
		24,
		['He said "why?"', 'I do not know'],
	],
	[
		'at a sentence of Chinese',
		'这是第一句话很长很长。这是第二句话很长很长。',
		20,
		['这是第一句话很长很长。', '这是第二句话很长很长。'],
	],
	[
		'at a question in Arabic',
		'كيف حالك اليوم؟ أنا بخير شكرا',
		24,
		['كيف حالك اليوم؟', 'أنا بخير شكرا'],
	],
	[
		'after a bold word in a sentence',
		'This one is *bold* and *this*\nis not any more',
		32,
		['This one is *bold* and *this*', 'is not any more'],
	],
	['at a word', 'one two three four five', 20, ['one two three four', 'five']],
	['at the only word, before a long address', `see ${'a'.repeat(19)}`, 20, ['see', 'a'.repeat(19)]],
	[
		'not at a paragraph that leaves a part nearly empty',
		`a\n\n${words(8)}`,
		24,
		[`a\n\n${words(4)}`, words(4)],
	],
	['in a word that is too long', 'a'.repeat(45), 20, ['a'.repeat(20), 'a'.repeat(20), 'aaaaa']],
	[
		'a line keeps the blanks that it begins with',
		`- one of the items\n  - two of them`,
		20,
		['- one of the items', '  - two of them'],
	],
	[
		'blanks alone make no part',
		`${'a '.repeat(10)}${' '.repeat(60)}\n${' '.repeat(60)}b`,
		20,
		[words(10, 'a'), 'b'],
	],
	[
		'a block of code is closed and opened again',
		'```\nlet a = 1;\nlet b = 2;\nlet c = 3;\n```',
		26,
		['```\nlet a = 1;\n```', '```\nlet b = 2;\n```', '```\nlet c = 3;\n```'],
	],
	[
		'before a block of code that fits into the next part',
		'Some words here:\n```\na\n\nb\n```\nmore',
		26,
		['Some words here:', '```\na\n\nb\n```\nmore'],
	],
	[
		'a block of code in the middle of a line of it',
		`\`\`\`\n${'x'.repeat(30)}\n\`\`\``,
		24,
		[`\`\`\`\n${'x'.repeat(16)}\n\`\`\``, `\`\`\`\n${'x'.repeat(14)}\n\`\`\``],
	],
	[
		'what never closes is no block of code',
		'``` one two three four five',
		20,
		['``` one two three', 'four five'],
	],
])('%s', (_what, text, most, parts) => {
	expect(splitText(text, most)).toEqual(parts);
});

test.each([
	['an emoji of two characters', '🎉'],
	['a family', '👨‍👩‍👧‍👦'],
	['a flag', '🇧🇷'],
	['a letter with marks', 'ẹ̀'],
])('never splits %s', (_what, sign) => {
	const parts = splitText(`a${sign.repeat(40)}`, 30);
	expect(parts.join('')).toBe(`a${sign.repeat(40)}`);
	for (const part of parts) {
		expect(part.length).toBeLessThanOrEqual(30);
		expect(part.replaceAll(sign, '')).toMatch(/^a?$/);
	}
});

test('splits a letter with more marks than a part can hold between two characters', () => {
	const parts = splitText(`a${'\u{1E944}'.repeat(40)}`, 21);
	expect(parts.join('')).toBe(`a${'\u{1E944}'.repeat(40)}`);
	for (const part of parts)
		expect([...part].join('')).not.toMatch(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/);
});

const anyText = fc
	.array(
		fc.oneof(
			fc.constantFrom(' ', '\n', '\n\n', '```', '.', '。', 'a', 'word', '🎉', '👨‍👩‍👧', '    ', '*b*'),
			fc.string({ unit: 'grapheme', maxLength: 12 }),
		),
		{ maxLength: 80 },
	)
	.map((pieces) => pieces.join(''));

test('makes short parts of any text, keeps all of it in order, and leaves no block of code open', () => {
	const bare = (text: string) => text.replace(/[\s`]/g, '');
	fc.assert(
		fc.property(anyText, fc.integer({ min: 20, max: 90 }), (text, most) => {
			const parts = splitText(text, most);
			expect(bare(parts.join(''))).toBe(bare(text));
			if (text.length <= most) return;
			const fences = text.split('```').length - 1;
			const open = parts.filter((part) => (part.split('```').length - 1) % 2 === 1).length;
			expect(open).toBeLessThanOrEqual(fences % 2);
			for (const part of parts) {
				expect(part.length).toBeLessThanOrEqual(most);
				expect(part.trim()).not.toBe('');
				// No empty block where there was none.
				if (!/```\s*```/.test(text)) expect(part).not.toMatch(/```\s*```/);
			}
		}),
		{ numRuns: 3000 },
	);
});
