import * as fc from 'fast-check';

import { splitText } from '#nodes/resources/message/content/splitText.ts';
import { runs } from '../../support/runs.mts';

/** `¦` stands where the text is split, on both sides of what is left out there. */
test.each<[where: string, most: number, text: string]>([
	['what is short enough stays as it is', 20, ' a  \n'],
	['exactly as long as a part', 20, 'aaaaaaaaaaaaaaaaaaaa'],
	['at a paragraph, not at a later line', 40, 'First one here.¦\n\n¦Second. Third\nline of words'],
	['before a title, not after it', 30, 'First one here.¦\n\n¦*Second*\n\nof words'],
	['before what leads on', 34, 'First one here.¦\n¦These are they:\n- one\n- two'],
	['at a line', 25, 'first line of it¦\n¦second line'],
	['at a sentence', 22, 'One is here.¦ ¦Two is not over'],
	['at a question in quotes', 24, 'He said "why?"¦ ¦I do not know'],
	['at a sentence of Chinese', 20, '这是第一句话很长很长。¦¦这是第二句话很长很长。'],
	[
		'behind the quote that a sentence closes',
		20,
		'「これは長い長い一つの文です。」¦¦次の文も長いのです。',
	],
	['at a sentence with full-width signs', 20, 'これは３．５メートルの長さです．¦¦次の文です．'],
	['at a sentence with half-width signs', 20, 'ｺﾚﾊﾅｶﾞｲﾋﾄﾂﾉﾌﾞﾝﾃﾞｽ｡¦¦ﾂｷﾞﾉﾌﾞﾝﾃﾞｽ｡'],
	['at signs that are an emoji', 20, 'どうしてそうなるのですか⁉️¦¦わからないです。'],
	['at a sentence of Amharic', 20, 'ሰላም ነው።¦ ¦እንዴት ነህ ዛሬ ጠዋት'],
	['at a word of Thai', 20, 'สวัสดีครับผมชื่อ¦¦สมชายและผมอยากจะจอง¦¦โต๊ะ'],
	['at a word of Lao', 20, 'ຂ້ອຍຢາກຈອງໂຕະສຳລັບ¦¦ສອງຄົນໃນມື້ອື່ນ'],
	['at a word of Khmer', 20, 'ខ្ញុំចង់កក់តុសម្រាប់¦¦មនុស្សពីរនាក់'],
	['at a word of Burmese', 20, 'အတွက်စားပွဲကြိုတင်¦¦မှာယူချင်ပါသည်'],
	['at a zero-width blank', 20, 'aaaaaaaaaaaaaa¦\u200B¦bbbbbbbbbbbbbb'],
	['before a phone number, not in it', 26, 'Call me now:¦ ¦+55 11 98765-4321, or not'],
	['before a number in brackets', 26, 'Call me on the¦ ¦(11) 98765 - 4321, or not'],
	['between two phone numbers, not in one', 26, '+55 11 98765-4321¦ ¦+55 11 91234-5678'],
	['at a line among numbers', 20, '1 234 567¦\n¦8 901 234 567'],
	['at a word among many numbers', 20, '1 2 3 4 5 6 7 8 9 10¦ ¦11 12 13 14 15 16'],
	['at a question in Arabic', 24, 'كيف حالك اليوم؟¦ ¦أنا بخير شكرا'],
	['after a bold word', 32, 'This one is *bold* and *this*¦\n¦is not any more'],
	['at a word', 20, 'one two three four¦ ¦five'],
	['not if a part is nearly empty', 24, 'a\n\nword word word word¦ ¦word word word word'],
	['in a word that is too long', 20, 'aaaaaaaaaaaaaaaaaaaa¦¦aaaaaaaaaaaaaaaaaaaa¦¦aaaaa'],
	['before a block that fits next', 26, 'Some words here:¦\n¦```\na\n\nb\n```\nmore'],
	['what never closes is no block of code', 20, '``` one two three¦ ¦four five'],
	['never behind a list sign alone', 20, 'xxxxxxxxxxxxxxx¦\n\n¦   - yyyyyyyyyyyyyyy¦¦yyyyyyyyyy'],
	['at a line that ends in bold', 30, 'It is so. This is *bold*¦\n¦and more of it'],
	['at a line that begins in bold', 30, '*Note:* One. Two here¦\n¦and more words'],
	['before a block, not in a word', 20, 'aaaaaaaaaaaa¦¦```\nxxxxxxxxxx\n```'],
])('%s', (_where, most, text) => {
	const parts = text.split('¦').filter((_part, place) => place % 2 === 0);
	expect(splitText(text.replaceAll('¦', ''), most)).toEqual(parts);
});

test('knows all signs that end a sentence in Unicode', () => {
	const signs = Array.from({ length: 0x110000 }, (_, point) => point)
		.filter((point) => point < 0xd800 || point > 0xdfff)
		.map((point) => String.fromCodePoint(point))
		.filter((sign) => /\p{Sentence_Terminal}/u.test(sign));
	expect(signs.length).toBeGreaterThan(150);
	for (const sign of signs) {
		const [sentence, rest] = [`aaa bbb ccc${sign}`, 'ddd eee fff'];
		expect(splitText(`${sentence} ${rest}`, 20)).toEqual([sentence, rest]);
		if (!/[.!?]/.test(sign)) expect(splitText(sentence + rest, 20)).toEqual([sentence, rest]);
	}
});

/** A block of code is closed at the end of a part, and opened again in the next one. */
test.each<[where: string, most: number, text: string, parts: string]>([
	[
		'without the blanks around the text',
		20,
		'  one two three four five\n',
		'one two three four¦five',
	],
	['blanks alone make no part', 20, `a a${' '.repeat(60)}\n${' '.repeat(60)}b`, 'a a¦b'],
	[
		'at its lines',
		26,
		'```\nlet a = 1;\nlet b = 2;\n```',
		'```\nlet a = 1;\n```¦```\nlet b = 2;\n```',
	],
	[
		'in a line of it',
		24,
		'```\nxxxxxxxxxxxxxxxxxxyy\n```',
		'```\nxxxxxxxxxxxxxxxx\n```¦```\nxxyy\n```',
	],
	[
		'at a blank line in it, not at a later line',
		26,
		'```\nlet a;\n\nlet b;\nlet c;\nlet d;\n```',
		'```\nlet a;\n```¦```\nlet b;\nlet c;\n```¦```\nlet d;\n```',
	],
	[
		'not behind its last sentence',
		20,
		'```\n一二三四五。六七八九十。\n```，一二三',
		'```\n一二三四五。\n```¦```\n六七八九十。\n```，一二三',
	],
	[
		'a block that the part before looked at',
		60,
		'Some words here.\n\n```\nlet a;\nlet b;\nlet c;\n``` is it. And this is more of it, too',
		'Some words here.¦```\nlet a;\nlet b;\nlet c;\n``` is it.¦And this is more of it, too',
	],
])('%s', (_where, most, text, parts) => {
	expect(splitText(text, most)).toEqual(parts.split('¦'));
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
	const mark = '\u{1E944}'.repeat(10);
	const parts = [`a${mark}`, mark, mark, mark];
	expect(splitText(parts.join(''), 21)).toEqual(parts);
});

const anyText = fc
	.array(
		fc.oneof(
			fc.constantFrom(
				' ',
				'\u200B',
				'\n',
				'\n\n',
				'```',
				'.',
				'。',
				'a',
				'word',
				'🎉',
				'👨‍👩‍👧',
				'    ',
				'*b*',
			),
			fc.string({ unit: 'grapheme', maxLength: 12 }),
		),
		{ maxLength: 80 },
	)
	.map((pieces) => pieces.join(''));

test('makes short parts of any text, keeps all of it in order, and leaves no block of code open', () => {
	const bare = (text: string) => text.replace(/[\s\u200B`]/g, '');
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
		{ numRuns: runs(3000) },
	);
});
