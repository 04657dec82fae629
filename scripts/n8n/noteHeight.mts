/** The height of a note on n8n's canvas for its text. */

/** n8n's style of notes: pixels at a zoom of 1, and line heights relative to the font size. */
const PADDING = { left: 13, right: 13, top: 9, bottom: 12 };
const STYLES = {
	h2: { size: 24, line: 1.35, before: 0, after: 8, indent: 0 },
	h3: { size: 16, line: 1.35, before: 0, after: 8, indent: 0 },
	paragraph: { size: 14, line: 1.35, before: 0, after: 8, indent: 0 },
	entry: { size: 14, line: 1.3, before: 3.5, after: 0, indent: 20 },
} as const;
const AFTER_LIST = 8;
const CODE = { line: 18.9, around: 48 };

/**
 * Widths of n8n's letters relative to the font size, rounded up: a note may be a line too high,
 * never too low.
 */
const WIDTHS: Array<[RegExp, number]> = [
	[/[iljI]/, 0.26],
	[/[ .,:;'|!]/, 0.29],
	[/[ftr()[\]"/-]/, 0.39],
	[/[mwMW@%]/, 0.9],
	[/[A-Z]/, 0.69],
	[/[0-9]/, 0.63],
	[/[csvxyzk]/, 0.56],
];
const OTHER_WIDTH = 0.61;
const BOLD = 1.06;

/**
 * @param content Markdown as in the examples' notes: headings, paragraphs, lists, and fenced code
 * @param width of the note in pixels at a zoom of 1, as in its parameter `width`
 * @returns the height for its parameter `height`
 */
export function noteHeight(content: string, width: number): number {
	const inner = width - PADDING.left - PADDING.right;
	let height = PADDING.top + PADDING.bottom;
	for (const block of content.split(/\n\n/)) height += blockHeight(block, inner);
	return Math.ceil(height);
}

function blockHeight(block: string, inner: number): number {
	if (block.startsWith('```')) return CODE.around + (block.split('\n').length - 2) * CODE.line;
	let height = 0;
	let wasEntry = false;
	for (const [index, line] of block.split('\n').entries()) {
		const [, mark = ''] = /^(##|###|\d+\.|-) /.exec(line) ?? [];
		const style = STYLES[styleOf(mark)];
		const isEntry = style === STYLES.entry;
		const text = isEntry || mark !== '' ? line.slice(mark.length + 1) : line;
		const lines = linesOf(text, inner - style.indent, style.size, mark.startsWith('#'));
		// A line within a paragraph begins after a single line break.
		const isContinued = mark === '' && index > 0 && !wasEntry;
		height += style.before + lines * style.size * style.line + (isContinued ? 0 : style.after);
		wasEntry = isEntry;
	}
	return height + (wasEntry ? AFTER_LIST : 0);
}

const styleOf = (mark: string): keyof typeof STYLES =>
	mark === '' ? 'paragraph' : mark === '##' ? 'h2' : mark === '###' ? 'h3' : 'entry';

/** The number of lines for the words. Invisible text, such as a link's address, takes no room. */
function linesOf(markdown: string, inner: number, size: number, isBold: boolean): number {
	const shown = markdown
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		// Letters of code are as wide as a digit.
		.replace(/`([^`]*)`/g, (_, code: string) => code.replace(/\S/g, '0'))
		.replace(/\*/g, '');
	let lines = 1;
	let used = 0;
	for (const word of shown.split(' ')) {
		const width = widthOf(word) * size * (isBold || markdown.includes('**') ? BOLD : 1);
		const blank = used === 0 ? 0 : widthOf(' ') * size;
		if (used > 0 && used + blank + width > inner) {
			lines += 1;
			used = width;
		} else used += blank + width;
	}
	return lines;
}

const widthOf = (text: string): number =>
	[...text].reduce(
		(width, letter) =>
			width + (WIDTHS.find(([letters]) => letters.test(letter))?.[1] ?? OTHER_WIDTH),
		0,
	);
