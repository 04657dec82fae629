import { h } from './dom.js';
import { inline } from './marks.js';

interface Block {
	kind: keyof typeof SHOWN;
	lines: string[];
}

const FENCE = '```';
const QUOTE = /^>(?: |$)/;
const ITEM = /^([ \t]*)(?:[-*]|(\d{1,3})\.)[ \t]+(?=\S)/;

/**
 * A stranger's text as the chat application shows it: paragraphs, lists, quotes and code. All of it
 * becomes text nodes and links. A quote in a quote is text.
 */
export const said = (text: string, isQuoted = false): HTMLElement =>
	h(
		'div.said',
		blocksOf(text, isQuoted).map(({ kind, lines }) => SHOWN[kind](lines)),
	);

const SHOWN = {
	paragraph: (lines: string[]) => h('p', inline(trimmed(lines))),
	code: (lines: string[]) => h('pre', h('code', trimmed(lines))),
	quote: (lines: string[]) => h('blockquote', said(lines.join('\n'), true)),
	list: (lines: string[]) => h('ul', lines.map(item)),
	numbers: (lines: string[]) => h('ol', lines.map(item)),
};

function item(line: string) {
	const [sign = '', indent, number] = ITEM.exec(line) ?? [];
	const value = number === undefined ? undefined : Number(number);
	return h('li', { class: indent ? 'inner' : null, value }, inline(line.slice(sign.length)));
}

/** Without the empty lines at both ends. */
function trimmed(lines: string[]) {
	const isFull = (line: string) => line.trim() !== '';
	return lines
		.slice(Math.max(0, lines.findIndex(isFull)), lines.findLastIndex(isFull) + 1)
		.join('\n');
}

function blocksOf(text: string, isQuoted: boolean) {
	const lines = text.split('\n');
	const lastFence = lines.findLastIndex((line) => line.includes(FENCE));
	const blocks: Block[] = [];
	const add = (line: string) => {
		const kind = kindOf(line, isQuoted);
		const last = blocks.at(-1);
		const content = kind === 'quote' ? line.replace(QUOTE, '') : line;
		if (last?.kind === kind) last.lines.push(content);
		else blocks.push({ kind, lines: [content] });
	};
	for (let at = 0; at < lines.length; at += 1) {
		const line = lines[at] ?? '';
		const open = kindOf(line, isQuoted) === 'quote' ? -1 : openFence(line);
		if (open < 0 || at >= lastFence) {
			add(line);
			continue;
		}
		if (open > 0) add(line.slice(0, open));
		const code = [line.slice(open + FENCE.length)];
		for (at += 1; !lines[at]?.includes(FENCE); at += 1) code.push(lines[at] ?? '');
		const [end = '', ...rest] = (lines[at] ?? '').split(FENCE);
		blocks.push({ kind: 'code', lines: [...code, end] });
		// What follows the block can open another one.
		lines[at] = rest.join(FENCE);
		if (lines[at] !== '') at -= 1;
	}
	return blocks.filter(({ kind, lines: all }) => kind !== 'paragraph' || trimmed(all) !== '');
}

function kindOf(line: string, isQuoted: boolean): Block['kind'] {
	if (!isQuoted && QUOTE.test(line)) return 'quote';
	const [sign, , number] = ITEM.exec(line) ?? [];
	if (sign === undefined) return 'paragraph';
	return number === undefined ? 'list' : 'numbers';
}

/** Where a block of code opens that does not close in the same line; -1 if none does. */
function openFence(line: string) {
	let open = line.indexOf(FENCE);
	for (;;) {
		const close = open < 0 ? -1 : line.indexOf(FENCE, open + FENCE.length + 1);
		if (close < 0) return open;
		open = line.indexOf(FENCE, close + FENCE.length);
	}
}
