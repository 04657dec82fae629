/** Rare Markdown, by the code that decides. For what models write, see markdownRows.mts. */
import { toChatMarks } from '../../../nodes/BusinessMessaging/resources/message/content/markdown.ts';
import { addressAfter } from '../../../nodes/BusinessMessaging/resources/message/content/markdownLinks.ts';

const KEYCAP = '*\uFE0F\u20E3';

describe('lines', () => {
	test.each([
		['a line of blanks ends a paragraph', 'a\n  \nb', 'a\n\nb'],
		['a rule below a text', 'a\n***\nb', 'a\n---\nb'],
		['a rule of dashes and blanks', 'a\n\n- - -', 'a\n\n---'],
		['a heading below a text', 'a\n# b', 'a\n*b*'],
		['a heading that ends with a sign and blanks', '# Our prices #  ', '*Our prices*'],
		['a heading of signs alone', '# ##', '*##*'],
		['a heading that ends with a line break', '# Our prices<br>', '*Our prices*'],
		['a heading with a line break', '# Our<br>prices', '*Our prices*'],
		['signs under a title with blanks around them', 'Our prices\n  ===  ', '*Our prices*'],
		['signs under an item of a list', '- one\n===', '- one\n==='],
		['signs under two lines', 'a\nb\n===', 'a\nb\n==='],
		['signs under nothing', '===', '==='],
	])('%s', (_what, markdown, sent) => {
		expect(toChatMarks(markdown)).toBe(sent);
	});
});

describe('blocks of code', () => {
	test.each([
		['a line that only begins like its end', '~~~\n~~~ b\n~~~', '```\n~~~ b\n```'],
		['a backtick behind waves', '~~~ `a`\n*b*\n~~~', '```\n*b*\n```'],
		['a line with fewer blanks than the first', '  ```\n  a\nbc\n  ```', '```\na\nbc\n```'],
		['tabs before its lines', '\t```\n\ta\n\t```', '```\na\n```'],
	])('%s', (_what, markdown, sent) => {
		expect(toChatMarks(markdown)).toBe(sent);
	});
});

describe('tables', () => {
	test.each([
		['below a text', 'Prices:\na | b\n---|---\n1 | 2', 'Prices:\n*a* | *b*\n1 | 2'],
		['before a heading', 'a | b\n---|---\n1 | 2\n# c', '*a* | *b*\n1 | 2\n*c*'],
		['with blanks before its lines', '  | a | b |\n  |---|---|\n  | 1 | 2 |', '*a* | *b*\n1 | 2'],
		['with lines at the end only', 'aa | b |\n---|---|\n11 | 2 |', '*aa* | *b*\n11 | 2'],
		['with nothing in its first line', '|\n|---|\n| a |', '\na'],
	])('%s', (_what, markdown, sent) => {
		expect(toChatMarks(markdown)).toBe(sent);
	});

	test.each([
		['numbers below zero', 'a | b\n-1 | -2'],
		['words that end in dashes', 'a | b\nc- | d-'],
		['dashes in one column only', 'a | b\n--- | c'],
		['dashes for fewer columns', 'a | b | c\n--- | ---'],
	])('%s make no table', (_what, markdown) => {
		expect(toChatMarks(markdown)).toBe(markdown);
	});
});

describe('marks', () => {
	test.each([
		['bold at the end of italic', '*a **b***', '_a *b*_'],
		['italic at the end of bold', '**a *b ~~c~~!***', '*a _b ~c~!_*'],
		['three signs that close in a third mark', '~~a **b *c***~~', '~a *b _c_*~'],
		['three signs that open in a third mark', '~~a ***b** c*~~', '~a _*b* c_~'],
		['a sign too many', '*a* b*', '_a_ b*'],
		['italic that never ends, in bold', '**a *b** c', '*a *b* c'],
		['a full stop behind underscores', 'This is __it__.', 'This is *it*.'],
		['empty lines in bold', '**a<br><br>b**', '*a*\n\n*b*'],
		['a line break at the ends of bold', '**<br>a<br>**', '\n*a*\n'],
		['empty lines in two marks', '**_a<br><br>b_**', '*_a_*\n\n*_b_*'],
		['a line break behind bold', '**a** b\nc', '*a* b\nc'],
	])('%s', (_what, markdown, sent) => {
		expect(toChatMarks(markdown)).toBe(sent);
	});

	test.each([
		['italic that closes with two', '*a**'],
		['keycap emoji around a code', `Dial ${KEYCAP}21${KEYCAP}`],
		['short keycap emoji around a code', 'Dial *\u20E321*\u20E3'],
		['a star behind a keycap emoji', `Press ${KEYCAP} on the 5* phone`],
		['a star before a keycap emoji', `*Press ${KEYCAP} now`],
		['underscores at the end of a path', 'see src/__tests__ now'],
		['underscores behind a word', 'a__b__ c'],
		['underscores before a word', '__a__b'],
		['underscores behind a blank', '__a __ b'],
		['a star before a word', '*a*b'],
		['a star behind a word', 'f*(a)*'],
		['a star with blanks around it, and one behind a word', 'a, * b* c'],
	])('%s: none', (_what, markdown) => {
		expect(toChatMarks(markdown)).toBe(markdown);
	});
});

describe('code in a line', () => {
	test.each([
		['over two lines', '`a\nb`', '`a b`'],
		['with room on both sides', '` *a* `', '`*a*`'],
		['with room before it', 'b ` *a*`', 'b ` *a*`'],
		['with room behind it', 'b `*a* `', 'b `*a* `'],
		['of a blank', 'b ` ` c', 'b ` ` c'],
		['with three backticks in it', 'b ````*a*```c```` d', 'b ````*a*```c```` d'],
		['an escaped backtick is none', 'b \\`*a*', 'b `_a_'],
		['behind an escaped backtick', '\\``*a*`', '``*a*`'],
		['behind an escaped backtick, without an end', '\\``a', '``a'],
	])('%s', (_what, markdown, sent) => {
		expect(toChatMarks(markdown)).toBe(sent);
	});
});

describe('addresses', () => {
	test.each([
		['a struck one', '~~https://a.example~~', 'https://a.example'],
		['a bold one', '**https://pay.example/a_b**', 'https://pay.example/a_b'],
		['a bold and italic one', '***https://a.example***.', 'https://a.example.'],
		['bold within it', 'https://x.example/**a**/b', 'https://x.example/**a**/b'],
		['bold behind it', '(https://x.example)**a**', '(https://x.example)*a*'],
		['at the end of bold', '**Pay: https://x.example/a**', '*Pay: https://x.example/a*'],
		['a bold one without encryption', '__http://a.example/b__', 'http://a.example/b'],
		['in angles, without encryption', '<http://a.example>', 'http://a.example'],
		['of an e-mail in angles', '<mailto:ana@a.example>', 'ana@a.example'],
		[
			'in angles, with another in it',
			'<https://a.example/?to=mailto:b>',
			'https://a.example/?to=mailto:b',
		],
	])('%s', (_what, markdown, sent) => {
		expect(toChatMarks(markdown)).toBe(sent);
	});
});

const nested = (count: number) => `b${'('.repeat(count)}c${')'.repeat(count)}`;

describe('links', () => {
	test.each([
		[
			'another address in it',
			'[a](https://b.example/?to=tel:1)',
			'a (https://b.example/?to=tel:1)',
		],
		['a blank for words', 'See [ ](https://a.example)', 'See  https://a.example'],
		['the whole address for words', '[tel:1](tel:1)', 'tel:1'],
		['a line break before the address', '[a](\nhttps://b.example)', 'a (https://b.example)'],
		['a line break before the title', '[a](https://b.example\n"C")', 'a (https://b.example "C")'],
		[
			'the address for words, with parentheses',
			'[https://a.example/b_(c)](https://a.example/b_(c))',
			'https://a.example/b_(c)',
		],
		['many parentheses', `[a](${nested(8)})`, `a (${nested(8)})`],
	])('%s', (_what, markdown, sent) => {
		expect(toChatMarks(markdown)).toBe(sent);
	});

	test.each([
		['words that no bracket opens', 'a](https://b.example) c'],
		['no parenthesis behind the words', '(see [1], too)'],
		['more behind the address', '[a](b c)'],
		['angles in angles', '[a](<b <c>)'],
		['angles over two lines', '[a](<b\nc>)'],
		['a blank in parentheses', '[a](b(c ))'],
		['too many parentheses', `[a](${nested(9)})`],
	])('%s: no link', (_what, markdown) => {
		expect(toChatMarks(markdown)).toBe(markdown);
	});

	test('a title that never ends: no link', () => {
		expect(addressAfter(') [a](b "c', 5)).toBeUndefined();
	});
});
