import { type SendContent, CHAT_LIMITS } from '../../../service/contract';

/** Opens and closes a code block in the chat. */
const FENCE = '```';
const CLOSING = `\n${FENCE}`;
const REOPENING = `${FENCE}\n`;
/** Fill a part at least this far before it ends at a paragraph, a line or a sentence. */
const MIN_FILLED = 0.25;
/** Characters to read ahead to find out whether a place is within a word or a visible character. */
const LOOK_AHEAD = 40;
/** Made when first needed, because that takes milliseconds. */
const segmenters: Partial<Record<'word' | 'grapheme', Intl.Segmenter>> = {};
/** Scripts without blanks between words. The words of Chinese and Japanese may be cut. */
const WITHOUT_BLANKS = /^[\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]{2}$/u;
/**
 * Blanks, or signs that end a sentence without a blank behind. Between two digits, such a sign is
 * a decimal point.
 */
const BREAK =
	/[\s\u200B]+|((?:(?![.!?]|(?<=\p{Nd}).\p{Nd})\p{STerm}[\p{M}\u200D]*)+[\p{Pe}\p{Pf}]*)/gu;
/** The end of a sentence, with closing quotes, brackets and marks. */
const SENTENCE_END = /[\p{STerm}…]\p{M}?["'*_~`\p{Pe}\p{Pf}]{0,4}$/u;
/** What is around a place in a phone number. A sign that no text has is at the place. */
const AROUND =
	/[\p{Nd}(][\p{Nd}()./\p{Pd} \u00A0]{0,24}\uFFFF[()./\p{Pd} \u00A0]*\p{Nd}[\p{Nd}()./\p{Pd} \u00A0]*/u;

/** A list sign. It belongs to the text behind it. */
const LIST_SIGN = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])$/;
/** Characters to look back for it, and for a number. */
const LOOK_BACK = 24;

/** Where a part may end, and where the next begins. */
interface Break {
	end: number;
	next: number;
	isInCode: boolean;
	/** The lower, the better. */
	rank: number;
}

/** From the first character of its opening fence to the last of its closing fence. */
interface CodeBlock {
	from: number;
	to: number;
	/** Where the code itself begins and ends, without the blanks around it. */
	codeFrom: number;
	codeTo: number;
}

/**
 * Splits a text of more than `most` characters (UTF-16 units) into parts, in order. A part ends at
 * the last paragraph that fits, or else at a line, a sentence or a word. Without any of these, it
 * ends between two visible characters. A code block that continues is closed and opened again. Only
 * blanks and line breaks at the ends of parts are lost. Linear in the length of the text.
 *
 * @param most at least 20
 * @returns only the text itself, if it is short enough
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
		// The rest of a code block includes its closing fence.
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
	const least = from + room * MIN_FILLED;
	let best: Break | undefined;
	// The last of the best is taken, so the others need not be looked at closely.
	for (const { 0: blank, 1: sign, index } of [...window.matchAll(BREAK)].reverse()) {
		const end = from + index + (sign?.length ?? 0);
		const block = blocks.around(end);
		if (end <= from || end > from + room - (block ? CLOSING.length : 0)) continue;
		const next = sign ? end : nextLine(text, end, room);
		// No empty code block at the end of a part or at the beginning of the next.
		if (block && (end <= block.codeFrom || next >= block.codeTo)) continue;
		const isInCode = block !== undefined;
		let rank = end < least ? RANKS.word : rankOf(text, end, blank, isInCode);
		if (best && rank >= best.rank) continue;
		if (!blank.includes('\n') && endsInListSign(text, from, end)) continue;
		if (!sign && !blank.includes('\n') && isInNumber(text, from, end, next)) rank = RANKS.number;
		if (!best || rank < best.rank) best = { end, next, isInCode, rank };
	}
	return best ?? cut(text, from, room, blocks);
}

/** Whether the line that ends here has nothing but a list sign. */
function endsInListSign(text: string, from: number, end: number): boolean {
	const start = Math.max(from, end - LOOK_BACK);
	const [line = '', before] = text.slice(start, end).split('\n').reverse();
	return (before !== undefined || start === from) && LIST_SIGN.test(line);
}

/** Where a part may end, the best first. */
const RANKS = {
	paragraph: 0,
	line: 1,
	sentence: 2,
	title: 3,
	paragraphOfCode: 4,
	lineOfCode: 5,
	word: 6,
	number: 7,
};

/** Whether a phone number, of 7 to 15 digits, goes on behind the blank. */
function isInNumber(text: string, from: number, end: number, next: number): boolean {
	const before = text.slice(Math.max(from, end - LOOK_BACK), end);
	const [number = ''] = AROUND.exec(`${before}\uFFFF${text.slice(next, next + LOOK_BACK)}`) ?? [];
	const digits = number.match(/\p{Nd}/gu)?.length ?? 0;
	return digits >= 7 && digits <= 15;
}

function rankOf(text: string, end: number, blank: string, isInCode: boolean): number {
	const lines = blank.split('\n').length - 1;
	if (lines > 0) {
		if (isInCode) return lines > 1 ? RANKS.paragraphOfCode : RANKS.lineOfCode;
		if (leadsOn(text, end)) return RANKS.title;
		return lines > 1 ? RANKS.paragraph : RANKS.line;
	}
	const isSentence = SENTENCE_END.test(text.slice(Math.max(0, end - 8), end));
	return isSentence && !isInCode ? RANKS.sentence : RANKS.word;
}

/** Whether a line introduces what follows: a title, or a line that ends with a colon. */
function leadsOn(text: string, end: number): boolean {
	const last = text[end - 1];
	return last === ':' || (last === '*' && text[text.lastIndexOf('\n', end - 1) + 1] === '*');
}

/** The place after the blanks. A line keeps its indent if that leaves room for text. */
function nextLine(text: string, from: number, room: number): number {
	let at = from;
	let next = from;
	for (; at < text.length && isBlank(text, at); at++) if (text[at] === '\n') next = at + 1;
	return next > from && at - next < room / 2 ? next : at;
}

const isBlank = (text: string, at: number): boolean => /[\s\u200B]/.test(text[at]!);

/**
 * Ends a part between two words of a script without blanks, or else between two visible
 * characters, because an emoji can have many UTF-16 units.
 */
function cut(text: string, from: number, room: number, blocks: CodeBlocks): Break {
	const isInCode = (end: number) => blocks.around(end) !== undefined;
	let end = from + room;
	if (isInCode(end)) end -= CLOSING.length;
	const { codeTo = Infinity } = blocks.around(end) ?? {};
	if (end >= codeTo && codeTo - 1 > from) end = codeTo - 1;
	const startOf = (granularity: 'word' | 'grapheme') =>
		(segmenters[granularity] ??= new Intl.Segmenter(undefined, { granularity }))
			.segment(text.slice(from, end + LOOK_AHEAD))
			.containing(end - from)?.index ?? 0;
	const word = WITHOUT_BLANKS.test(text.slice(end - 1, end + 1)) ? startOf('word') : 0;
	const place = word > room * MIN_FILLED ? word : startOf('grapheme');
	if (place > 0) end = from + place;
	else if (/[\uDC00-\uDFFF]/.test(text[end] ?? '')) end--;
	const block = blocks.around(end);
	if (block && end <= block.codeFrom && block.from > from) end = block.from;
	return { end, next: end, isInCode: isInCode(end), rank: RANKS.word };
}

/** The code blocks of a text, read from beginning to end. An unclosed one does not count. */
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

	around(place: number): CodeBlock | undefined {
		while (this.at > 0 && this.blocks[this.at - 1]!.to > place) this.at--;
		while (this.at < this.blocks.length && this.blocks[this.at]!.to <= place) this.at++;
		const block = this.blocks[this.at];
		return block && block.from < place ? block : undefined;
	}
}

/** @param field for errors: `"Text"`. @throws Error if no channel takes a text of this length */
export function checkLength(content: SendContent, field: string, remedy = 'Shorten it.'): void {
	if (content.type === 'TEXT') {
		const { length } = content.body.message;
		if (length > CHAT_LIMITS.text)
			throw new Error(
				`${field} has ${length} characters. A message has room for ${CHAT_LIMITS.text}. ${remedy}`,
			);
	} else if (content.type === 'INTERACTIVE_BUTTON' || content.type === 'INTERACTIVE_ACTION') {
		const { length } = content.body.message;
		if (length > CHAT_LIMITS.textWithButtons)
			throw new Error(
				`${field} has ${length} characters. A message with buttons has room for ${CHAT_LIMITS.textWithButtons}. Shorten it, or send a part of it in a text before.`,
			);
	}
}
