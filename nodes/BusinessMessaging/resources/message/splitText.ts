/** What stands around a block of code in the chat. */
const FENCE = '```';
const CLOSING = `\n${FENCE}`;
const REOPENING = `${FENCE}\n`;
/** A part is filled by so much at least before it ends at a paragraph, a line or a sentence. */
const LEAST_FILLED = 0.25;
/** Characters behind a place that tell whether it is within one sign. */
const LOOK_AHEAD = 8;
/** Made once, and not before it is needed, for that takes milliseconds. */
let segmenter: Intl.Segmenter | undefined;
const BREAK = /\s+|[。！？]/g;
/** What ends a sentence, and what can stand behind that. */
const SENTENCE_END = /[.!?…؟۔।։]["'”’»)\]*_~`]{0,4}$/;

/** Where a part may end, and where the next begins. */
interface Break {
	end: number;
	next: number;
	isInCode: boolean;
	/** The lower, the better. */
	rank: number;
}

/** From the first sign of what opens it to the last of what closes it. */
interface CodeBlock {
	from: number;
	to: number;
	/** Where the code itself begins and ends, without blanks around it. */
	codeFrom: number;
	codeTo: number;
}

/**
 * Splits what is longer than `most` characters (UTF-16 units) into parts in order: at the last paragraph that fits, else at a line, a sentence, a word,
 * and only where none is between two signs as a reader sees them. A block of code that goes on is closed and opened again. Nothing is lost but blanks and
 * line breaks where a part ends. Linear in the length of the text.
 *
 * @param most 20 at least
 * @returns the text itself, when it is short enough
 */
export function splitText(text: string, most: number): string[] {
	if (text.length <= most) return [text];
	const whole = text.trim();
	const blocks = new CodeBlocks(whole);
	const parts: string[] = [];
	let isReopened = false;
	for (let at = 0; at < whole.length;) {
		const opening = isReopened ? REOPENING : '';
		const room = most - opening.length;
		const rest = whole.length - at;
		// What is left in a block brings its own end along.
		const found: Break =
			rest <= room
				? { end: whole.length, next: whole.length, isInCode: false, rank: 0 }
				: findBreak(whole, at, room, blocks);
		parts.push(opening + whole.slice(at, found.end) + (found.isInCode ? CLOSING : ''));
		isReopened = found.isInCode;
		at = found.next;
	}
	return parts;
}

function findBreak(text: string, from: number, room: number, blocks: CodeBlocks): Break {
	const window = text.slice(from, from + room + 1);
	const least = from + room * LEAST_FILLED;
	let best: Break | undefined;
	for (const { 0: blank, index } of window.matchAll(BREAK)) {
		const isSentence = blank.trim() !== '';
		const end = from + index + (isSentence ? 1 : 0);
		const block = blocks.around(end);
		if (end <= from || end > from + room - (block ? CLOSING.length : 0)) continue;
		const next = isSentence ? end : nextLine(text, end, room);
		// Neither a block of nothing at the end of a part, nor one at the beginning of the next.
		if (block && (end <= block.codeFrom || next >= block.codeTo)) continue;
		const rank = end < least ? RANKS.word : rankOf(text, end, blank, block !== undefined);
		if (!best || rank <= best.rank) best = { end, next, isInCode: block !== undefined, rank };
	}
	return best ?? cut(text, from, room, blocks);
}

/** Where a part ends, the best first. */
const RANKS = {
	paragraph: 0,
	line: 1,
	sentence: 2,
	title: 3,
	paragraphOfCode: 4,
	lineOfCode: 5,
	word: 6,
};

function rankOf(text: string, end: number, blank: string, isInCode: boolean): number {
	const lines = blank.split('\n').length - 1;
	if (lines > 0) {
		if (isInCode) return lines > 1 ? RANKS.paragraphOfCode : RANKS.lineOfCode;
		if (leadsOn(text, end)) return RANKS.title;
		return lines > 1 ? RANKS.paragraph : RANKS.line;
	}
	const isSentence =
		blank.trim() !== '' || SENTENCE_END.test(text.slice(Math.max(0, end - 5), end));
	return isSentence && !isInCode ? RANKS.sentence : RANKS.word;
}

/** Whether a line is about what follows: a title, or with a colon at its end. */
function leadsOn(text: string, end: number): boolean {
	const last = text[end - 1];
	return last === ':' || (last === '*' && text[text.lastIndexOf('\n', end - 1) + 1] === '*');
}

/** Behind the blanks: a line keeps those that it begins with, if they leave room for something. */
function nextLine(text: string, from: number, room: number): number {
	let at = from;
	let next = from;
	for (; at < text.length && isBlank(text, at); at++) if (text[at] === '\n') next = at + 1;
	return next > from && at - next < room / 2 ? next : at;
}

const isBlank = (text: string, at: number): boolean => /\s/.test(text[at]!);

/** Between two signs as a reader sees them: an emoji can be of many characters. */
function cut(text: string, from: number, room: number, blocks: CodeBlocks): Break {
	const isInCode = (end: number) => blocks.around(end) !== undefined;
	let end = from + room;
	if (isInCode(end)) end -= CLOSING.length;
	const { codeTo = Infinity } = blocks.around(end) ?? {};
	if (end >= codeTo && codeTo - 1 > from) end = codeTo - 1;
	segmenter ??= new Intl.Segmenter();
	const segments = segmenter.segment(text.slice(from, end + LOOK_AHEAD));
	const sign = segments.containing(end - from)?.index ?? 0;
	if (sign > 0) end = from + sign;
	else if (/[\uDC00-\uDFFF]/.test(text[end] ?? '')) end--;
	const block = blocks.around(end);
	if (block && end <= block.codeFrom && block.from > from) end = block.from;
	return { end, next: end, isInCode: isInCode(end), rank: RANKS.word };
}

/** The blocks of code, asked for from the beginning to the end of the text. What never closes is none. */
class CodeBlocks {
	private readonly blocks: CodeBlock[] = [];
	private at = 0;

	constructor(text: string) {
		for (let from = text.indexOf(FENCE); from !== -1;) {
			const close = text.indexOf(FENCE, from + FENCE.length);
			if (close === -1) break;
			const to = close + FENCE.length;
			let codeFrom = from + FENCE.length;
			let codeTo = close;
			while (codeFrom < close && isBlank(text, codeFrom)) codeFrom++;
			while (codeTo > codeFrom && isBlank(text, codeTo - 1)) codeTo--;
			this.blocks.push({ from, to, codeFrom, codeTo });
			from = text.indexOf(FENCE, to);
		}
	}

	/** The block that a place is within. */
	around(place: number): CodeBlock | undefined {
		while (this.at > 0 && this.blocks[this.at - 1]!.to > place) this.at--;
		while (this.at < this.blocks.length && this.blocks[this.at]!.to <= place) this.at++;
		const block = this.blocks[this.at];
		return block && block.from < place ? block : undefined;
	}
}
