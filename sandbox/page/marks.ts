import { h, type Leaf } from './dom.js';
import { linked } from './links.js';

/** The chat application's marks. */
const TAGS = { '*': 'strong', _: 'em', '~': 's' } as const;
const MARK = /[*_~\n]/gu;
const CODE = /```(.+?)```|`([^`\n]+)`/gu;
/** Stands for a link or code, within which nothing is a mark. */
const OBJECT = '\uFFFC';
/** A mark beside such a sign has no meaning: 2*3*4, snake_case. */
const WORD = /[\p{L}\p{N}]/u;
/** Scripts without blanks between words. */
const GLUED =
	/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
const isWord = (sign: string) => WORD.test(sign) && !GLUED.test(sign);
const isBlank = (sign: string) => /\s/.test(sign);

/**
 * A stranger's text with its bold, italic, struck-out and code parts, and its addresses as links.
 * Reads each character a few times, however many marks there are.
 */
export function inline(text: string): Leaf[] {
	const parts: Leaf[][] = [];
	let end = 0;
	for (const { 0: all, 1: fenced, 2: code = fenced, index } of text.matchAll(CODE)) {
		parts.push(linked(text.slice(end, index)), [h('code', code)]);
		end = index + all.length;
	}
	return marked([...parts, linked(text.slice(end))].flat());
}

/**
 * The pairs of marks, by the place of the first. A mark ends in its line, and pairs do not cross.
 */
function pairsIn(text: string) {
	const pairs: Map<number, number> = new Map();
	const open: Map<string, number> = new Map();
	for (const { 0: mark, index } of text.matchAll(MARK)) {
		const before = text[index - 1] ?? ' ';
		const after = text[index + 1] ?? ' ';
		const start = open.get(mark) ?? index;
		if (mark === '\n') open.clear();
		else if (start < index - 1 && !isBlank(before) && !isWord(after)) {
			pairs.set(start, index);
			for (const [other, place] of open) if (place >= start) open.delete(other);
		} else if (!isWord(before) && !isBlank(after)) open.set(mark, index);
	}
	return pairs;
}

function marked(leaves: Leaf[]) {
	const pairs = pairsIn(leaves.map((leaf) => (typeof leaf === 'string' ? leaf : OBJECT)).join(''));
	const ends = new Set(pairs.values());
	let current: Leaf[] = [];
	const outer = [];
	let at = 0;
	for (const leaf of leaves) {
		if (typeof leaf !== 'string') {
			current.push(leaf);
			at += OBJECT.length;
			continue;
		}
		let from = 0;
		for (const { 0: mark, index } of leaf.matchAll(MARK)) {
			const isStart = pairs.has(at + index);
			if (!isStart && !ends.has(at + index)) continue;
			current.push(leaf.slice(from, index));
			from = index + 1;
			if (isStart) {
				outer.push(current);
				current = [];
			} else {
				const inner = h(TAGS[mark as keyof typeof TAGS], {}, current);
				current = outer.pop() ?? [];
				current.push(inner);
			}
		}
		current.push(leaf.slice(from));
		at += leaf.length;
	}
	return current;
}
