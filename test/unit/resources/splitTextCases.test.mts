/**
 * Cases in which two places to split a text compete, or there is none. For usual texts, see
 * splitText.test.mts.
 */
import { splitText } from '../../../nodes/BusinessMessaging/resources/message/content/splitText.ts';

const MARK = '\u{1E944}';

test.each<[string, string, number, string[]]>([
	['as long as a part, with a blank before it', ` ${'a'.repeat(19)}`, 20, [` ${'a'.repeat(19)}`]],
	[
		'never behind a list sign alone',
		`${'x'.repeat(15)}\n\n   - ${'y'.repeat(25)}`,
		20,
		['x'.repeat(15), `   - ${'y'.repeat(15)}`, 'y'.repeat(10)],
	],
	[
		'never behind the sign of a second item',
		`ab\n- ${'y'.repeat(25)}`,
		20,
		['ab', `- ${'y'.repeat(18)}`, 'y'.repeat(7)],
	],
	[
		'without the blanks around the text',
		'  one two three four five\n',
		20,
		['one two three four', 'five'],
	],
	[
		'in a long word, not at the blanks before it',
		`- one of the items\n  ${'x'.repeat(30)}`,
		20,
		['- one of the items', `  ${'x'.repeat(18)}`, 'x'.repeat(12)],
	],
	[
		'the rest is as long as a part',
		`${'a'.repeat(20)} ${'b'.repeat(9)} ${'c'.repeat(10)}`,
		20,
		['a'.repeat(20), `${'b'.repeat(9)} ${'c'.repeat(10)}`],
	],
	[
		'at a paragraph that just fills a part enough',
		'abcde\n\nfghij klmno pqrst',
		20,
		['abcde', 'fghij klmno pqrst'],
	],
	[
		'at a sentence of Chinese, though a blank would come later',
		'一二三四五六七。八九十一 二三四五六七八九十',
		20,
		['一二三四五六七。', '八九十一 二三四五六七八九十'],
	],
	[
		'at a line that ends in bold, though it has a sentence',
		'It is so. This is *bold*\nand more of it',
		30,
		['It is so. This is *bold*', 'and more of it'],
	],
	[
		'at a line that begins in bold, though it has a sentence',
		'*Note:* One. Two here\nand more words',
		30,
		['*Note:* One. Two here', 'and more words'],
	],
	[
		'a line loses the blanks that would fill half a part',
		`one two three four\n${' '.repeat(10)}five`,
		20,
		['one two three four', 'five'],
	],
	[
		'a letter with more marks than a part can hold',
		`a${MARK.repeat(40)}`,
		21,
		[`a${MARK.repeat(10)}`, MARK.repeat(10), MARK.repeat(10), MARK.repeat(10)],
	],
])('%s', (_what, text, most, parts) => {
	expect(splitText(text, most)).toEqual(parts);
});

describe('blocks of code', () => {
	test.each<[string, string, number, string[]]>([
		[
			'behind a block, though more words would fit',
			'```\nab\n```\nmore words here',
			20,
			['```\nab\n```', 'more words here'],
		],
		[
			'at a blank line in it, though another line would fit',
			'```\nlet a;\n\nlet b;\nlet c;\nlet d;\n```',
			26,
			['```\nlet a;\n```', '```\nlet b;\nlet c;\n```', '```\nlet d;\n```'],
		],
		[
			'not behind its last sentence',
			'```\n一二三四五。六七八九十。\n```，一二三',
			20,
			['```\n一二三四五。\n```', '```\n六七八九十。\n```，一二三'],
		],
		[
			'not behind its last sign, when blank lines follow',
			`\`\`\`\n${'x'.repeat(12)}\n\n\n\`\`\``,
			20,
			[`\`\`\`\n${'x'.repeat(11)}\n\`\`\``, '```\nx\n\n\n```'],
		],
		[
			'before the block, where a word would be cut at its beginning',
			`${'a'.repeat(12)}\`\`\`\n${'x'.repeat(10)}\n\`\`\``,
			20,
			['a'.repeat(12), `\`\`\`\n${'x'.repeat(10)}\n\`\`\``],
		],
		[
			'in the block, where a word would be cut further on',
			`aaaaa\`\`\`\n${'x'.repeat(12)}\n\`\`\``,
			20,
			[`aaaaa\`\`\`\n${'x'.repeat(7)}\n\`\`\``, '```\nxxxxx\n```'],
		],
		[
			'a block that the part before looked at, and did not reach',
			'Some words here.\n\n```\nlet a;\nlet b;\nlet c;\n``` is it. And this is more of it, too',
			60,
			[
				'Some words here.',
				'```\nlet a;\nlet b;\nlet c;\n``` is it.',
				'And this is more of it, too',
			],
		],
	])('%s', (_what, text, most, parts) => {
		expect(splitText(text, most)).toEqual(parts);
	});

	test.each([
		['behind its code', `\`\`\`\n${'x'.repeat(12)}${'\n'.repeat(13)}\`\`\``],
		['before its code', `\`\`\`${' '.repeat(20)}x\n\`\`\``],
		['and nothing else in it', `\`\`\`${'\n'.repeat(20)}\`\`\``],
	])('many blanks %s: each part is one block, and nothing is lost', (_what, text) => {
		const parts = splitText(text, 20);
		const bare = (written: string) => written.replace(/[\s`]/g, '');
		expect(bare(parts.join(''))).toBe(bare(text));
		for (const part of parts) {
			expect(part).toMatch(/^```[\sx]+```$/);
			expect(part.length).toBeLessThanOrEqual(20);
		}
	});
});
