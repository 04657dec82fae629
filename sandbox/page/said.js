import { h } from './dom.js';
import { inline } from './marks.js';

/** @typedef {{ kind: keyof typeof SHOWN, lines: string[] }} Block */

const FENCE = '```';
const QUOTE = /^>(?: |$)/;
const ITEM = /^([ \t]*)(?:[-*]|(\d{1,3})\.)[ \t]+(?=\S)/;

/**
 * A stranger's text as the chat application shows it: paragraphs, lists, quotes and code. All of it
 * becomes text nodes and links. A quote in a quote is text.
 * @param {string} text
 * @returns {HTMLElement}
 */
export const said = (text, isQuoted = false) =>
	h(
		'div.said',
		blocksOf(text, isQuoted).map(({ kind, lines }) => SHOWN[kind](lines)),
	);

const SHOWN = {
	/** @param {string[]} lines */
	paragraph: (lines) => h('p', inline(trimmed(lines))),
	/** @param {string[]} lines */
	code: (lines) => h('pre', h('code', trimmed(lines))),
	/** @param {string[]} lines */
	quote: (lines) => h('blockquote', said(lines.join('\n'), true)),
	/** @param {string[]} lines */
	list: (lines) => h('ul', lines.map(item)),
	/** @param {string[]} lines */
	numbers: (lines) => h('ol', lines.map(item)),
};

/** @param {string} line */
function item(line) {
	const [sign = '', indent, number] = ITEM.exec(line) ?? [];
	const value = number === undefined ? undefined : Number(number);
	return h('li', { class: indent ? 'inner' : null, value }, inline(line.slice(sign.length)));
}

/**
 * Without the empty lines at both ends.
 * @param {string[]} lines
 */
function trimmed(lines) {
	const isFull = (/** @type {string} */ line) => line.trim() !== '';
	return lines
		.slice(Math.max(0, lines.findIndex(isFull)), lines.findLastIndex(isFull) + 1)
		.join('\n');
}

/**
 * @param {string} text
 * @param {boolean} isQuoted
 */
function blocksOf(text, isQuoted) {
	const lines = text.split('\n');
	const lastFence = lines.findLastIndex((line) => line.includes(FENCE));
	/** @type {Block[]} */
	const blocks = [];
	/** @param {string} line */
	const add = (line) => {
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

/**
 * @param {string} line
 * @param {boolean} isQuoted
 * @returns {Block['kind']}
 */
function kindOf(line, isQuoted) {
	if (!isQuoted && QUOTE.test(line)) return 'quote';
	const [sign, , number] = ITEM.exec(line) ?? [];
	if (sign === undefined) return 'paragraph';
	return number === undefined ? 'list' : 'numbers';
}

/**
 * Where a block of code opens that does not close in the same line; -1 if none does.
 * @param {string} line
 */
function openFence(line) {
	let open = line.indexOf(FENCE);
	for (;;) {
		const close = open < 0 ? -1 : line.indexOf(FENCE, open + FENCE.length + 1);
		if (close < 0) return open;
		open = line.indexOf(FENCE, close + FENCE.length);
	}
}
