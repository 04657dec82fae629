/** What a line begins with: its indent or quote, the sign of a list, and the sign of a title. */
const LINE = /^([\s>]*)(?:([-*+]|\d{1,9}[.)])[ \t]+(?![ \t]|\* ))?(#{1,6}[ \t]+)?/;
/**
 * Opens a code block, also in a list. The word behind it names a language, which the chat would
 * show as code.
 */
const FENCE =
	/^([\s>]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?![^`]*`)|~{3,}(?!~))(?:[\w+#.-]*|(.*))$/;
const CLOSING = /^[\s>]*(`{3,}|~{3,})$/;
/** A line of code without a fence, unless it is in a list. */
const INDENTED = /^(?: {4}| {0,3}\t)\s*\S/;

/** Longer texts are not converted, so that none blocks n8n. 16 messages of the chat application. */
const MARKDOWN_MAX = 65_536;

/**
 * Turns Markdown, as language models write it, into the marks of the chat application: *bold*,
 * _italic_, ~strike~, `code` and code blocks. A heading becomes a bold line, a link its text and
 * address, a table its rows. Anything else stays as it is, also marks that do not close on their
 * line, and a text longer than `MARKDOWN_MAX`. Linear in the length of the text.
 */
export function toChatMarks(markdown: string): string {
	if (markdown.length > MARKDOWN_MAX) return markdown;
	const lines = markdown.split('\n').map((line) => line.trimEnd());
	const written: string[] = [];
	let isInList = false;
	let isCode = true;
	for (let at = 0; at < lines.length; at++) {
		const line = lines[at]!;
		const [, indent = '', sign = '', fence, words = ''] = FENCE.exec(line) ?? [];
		const before = lines[at - 1];
		const next = lines[at + 1];
		const header = readHeader(line, next);
		isCode &&= line === '' || (INDENTED.test(line) && !isInList);
		if (isCode) written.push(line);
		else if (fence !== undefined) {
			const end = endOfCode(lines, at + 1, fence);
			const code = lines.slice(at + 1, end).map(outdented(indent + sign.replace(/\S/g, ' ')));
			if (words.trim()) code.unshift(words.trim());
			const isQuoted = indent.includes('>');
			const block = isQuoted ? lines.slice(at, end + 1) : [`${sign}\`\`\``, ...code, '```'];
			written.push(block.join('\n'));
			at = end;
		} else if (header) {
			written.push(header.map(bold).join(' | '));
			for (at++; lines[at + 1]?.includes('|'); at++)
				written.push(
					cellsOf(lines[at + 1]!)
						.map(rowCell)
						.join(' | '),
				);
		} else written.push(convertLine(line, Boolean(next)));
		const [, lead, item] = LINE.exec(line) ?? [];
		// Behind an empty line, a list goes on with what is indented.
		const goesOn = line === '' || lead !== '' || before !== '';
		isInList = item !== undefined || (isInList && goesOn);
		isCode ||= line === '';
	}
	return written.join('\n');
}

/** The index of the line that closes a code block. A block that never closes ends with the text. */
function endOfCode(lines: readonly string[], from: number, fence: string): number {
	let at = from;
	while (at < lines.length && !CLOSING.exec(lines[at]!)?.[1]?.startsWith(fence)) at++;
	return at;
}

const outdented = (indent: string) => (line: string) =>
	line.startsWith(indent) ? line.slice(indent.length) : line;

/** Converts a line. The chat has one sign for lists without numbers. */
function convertLine(line: string, hasNext: boolean): string {
	const [signs = '', indent = '', sign, heading] = LINE.exec(line) ?? [];
	const text = line.slice(signs.length);
	const list = sign === undefined ? '' : `${sign.length > 1 ? sign : '-'} `;
	return indent + list + (heading === undefined ? inlineMarks(text, { hasNext }) : bold(text));
}

const bold = (text: string): string => {
	const title = inlineMarks(text, { isBold: true }).replaceAll('\n', ' ').trim();
	return title && `*${title}*`;
};

/** The cells of a table's first line. Undefined if no table begins. */
function readHeader(line: string, next: string | undefined): string[] | undefined {
	if (!next?.includes('-') || !line.includes('|')) return undefined;
	const columns = cellsOf(next);
	if (!columns.every((column) => /^:?-+:?$/.test(column))) return undefined;
	const cells = cellsOf(line);
	return cells.length === columns.length ? cells : undefined;
}

function cellsOf(line: string): string[] {
	const row = line.trim();
	const cells = row.slice(row.startsWith('|') ? 1 : 0).split(/(?<!\\)\|/);
	if (cells.length > 1 && cells.at(-1)!.trim() === '') cells.pop();
	return cells.map((cell) => cell.trim());
}

const rowCell = (cell: string): string => inlineMarks(cell).replaceAll('\n', '; ');

/**
 * What has a meaning within a line: an escaped sign, a sign of code, a mark, the parts of a link, a
 * line break, an address or a tag in angles, and an address without the punctuation behind it.
 */
const TOKEN =
	/\\[!-/:-@[-`{-~]|\\$|`+|\*+|_+|~+|!?\[|\](?:\([ \t]*(?:<[^<>]*>|(?:\\[!-/:-@[-`{-~]|[^\s()<]|\([^\s()]*\))(?:\\[!-/:-@[-`{-~]|[^\s()]|\([^\s()]*\))*)(?:[ \t]+(?:"[^"]*"|'[^']*'))?[ \t]*\))?|<br ?\/?>|<(?:[a-z][a-z\d+.-]+:[^\s<>]*|\/?[a-z][a-z\d-]*(?:\s[^<>]*)?)>|https?:\/\/(?:[^\s<>"`*|\]]|\*+(?=[\w/&=?#%+~-]))*[^\s<>"`*|\]_~.,;:!?')]/gi;
/** The chat's mark for each mark of Markdown. */
const MARKS = new Map([
	['**', '*'],
	['__', '*'],
	['*', '_'],
	['_', '_'],
	['~~', '~'],
]);

/**
 * Converts the marks within a line.
 * @param options `isBold`: all of it is bold, so that needs no marks; `hasNext`: its paragraph goes
 * on with another line
 */
function inlineMarks(text: string, { isBold = false, hasNext = false } = {}): string {
	if (text.search(TOKEN) === -1) return text;
	const pieces: string[] = [];
	const emphasis = new Emphasis(pieces, isBold);
	const brackets: Array<{ at: number; from: number }> = [];
	const codes = codesIn(text);
	let isCodeOpen = false;
	let at = 0;
	for (const { 0: token, index } of text.matchAll(TOKEN)) {
		if (index < at) continue;
		if (index > at) pieces.push(text.slice(at, index));
		at = index + token.length;
		if (codes.has(index)) {
			at = codes.get(index)!;
			pieces.push(text.slice(index, at));
		} else if (/^(?:\*{1,3}|_{1,3}|~~)$/.test(token)) emphasis.take(token, text, index);
		else if (token === '[' || token === '![') {
			brackets.push({ at: pieces.length, from: at });
			pieces.push(token);
		} else if (token.startsWith(']')) {
			const bracket = brackets.pop();
			if (bracket && token.length > 1) {
				pieces[bracket.at] = '';
				pieces.push(shownAddress(text.slice(bracket.from, index), token.slice(2, -1)));
			} else pieces.push(token);
		} else if (/^<br/i.test(token)) {
			emphasis.endLine();
			pieces.push('\n');
		} else if (token === '\\' && hasNext && !isCodeOpen) continue;
		else {
			isCodeOpen ||= token.startsWith('`');
			pieces.push(ESCAPED.test(token) ? unescaped(token[1]!, text, at) : token);
		}
	}
	return pieces.join('') + text.slice(at);
}

/** Where each code of a line begins and ends. Signs of code that are not paired are text. */
function codesIn(text: string): Map<number, number> {
	const runs = [...text.matchAll(/(?<![\\`])`+/g)];
	const last = new Map(runs.map(({ 0: run, index }) => [run, index]));
	const codes = new Map<number, number>();
	for (let at = 0; at < runs.length; at++) {
		const { 0: run, index } = runs[at]!;
		if (last.get(run) === index) continue;
		do at++;
		while (runs[at]![0] !== run);
		codes.set(index, runs[at]!.index + run.length);
	}
	return codes;
}

const ESCAPED = /^\\[^\\]/;
/** The chat knows no escaped signs. A blank behind one that could open a mark shows it as it is. */
function unescaped(sign: string, text: string, at: number): string {
	const isMark = /[*_~]/.test(sign) && text.includes(sign, at);
	const before = text.slice(Math.max(0, at - 4), at - 2);
	const around = before + text.slice(at - 1, at + 3);
	return isMark && flanks(sign, around, before.length).opens ? `${sign}\u200a` : sign;
}

/** What is shown behind the words of a link: its address, unless the words are the address. */
function shownAddress(words: string, target: string): string {
	const [, angled, plain = ''] = /^\s*(?:<(.*)>|(\S+))/.exec(target) ?? [];
	const url = (angled ?? plain).replace(/\\([!-/:-@[-`{-~])/g, '$1');
	const address = url.replace(/^(?:mailto|tel):/i, '');
	return words === url || words === address ? '' : ` (${address})`;
}

/** Pairs opening and closing marks. A mark without a pair stays as it is. */
class Emphasis {
	/** Each with the index of its piece. */
	private readonly openers: Array<{ mark: string; at: number }> = [];
	/** How many of each are open. */
	private readonly open = new Map<string, number>();

	constructor(
		private readonly pieces: string[],
		private readonly isBold: boolean,
	) {}

	take(run: string, text: string, from: number): void {
		const { opens, closes } = flanks(run, text, from);
		let left = run;
		for (let mark = closes && this.closable(left); mark; mark = this.closable(left)) {
			this.close(mark);
			left = left.slice(mark.length);
		}
		if (left === '') return;
		if (!opens) this.pieces.push(left);
		else this.push(left.length < 3 ? [left] : [left.slice(1), left.slice(2)]);
	}

	endLine(): void {
		this.openers.length = 0;
		this.open.clear();
	}

	private push(marks: readonly string[]): void {
		for (const mark of marks) {
			this.openers.push({ mark, at: this.pieces.length });
			this.count(mark, 1);
			this.pieces.push(mark);
		}
	}

	private count(mark: string, more: number): void {
		this.open.set(mark, (this.open.get(mark) ?? 0) + more);
	}

	/** The mark that a run closes. Three signs close the last that was opened first. */
	private closable(run: string): string | undefined {
		const last = run.length > 2 ? this.openers.at(-1)?.mark : undefined;
		if (last !== undefined && run.startsWith(last)) return last;
		const marks = run.length > 2 ? [run.slice(1), run.slice(2)] : [run];
		return marks.find((mark) => (this.open.get(mark) ?? 0) > 0);
	}

	private close(mark: string): void {
		for (let opener = this.openers.pop(); opener; opener = this.openers.pop()) {
			this.count(opener.mark, -1);
			const outer = this.openers.at(-1);
			if (opener.mark !== mark && outer?.mark === mark && outer.at === opener.at - 1) {
				// Of three signs, those that close first are the inner ones.
				[outer.mark, opener.mark] = [opener.mark, outer.mark];
				this.pieces[outer.at] = outer.mark;
				this.count(mark, -1);
				this.count(outer.mark, 1);
			}
			if (opener.mark !== mark) continue;
			const chatMark = MARKS.get(mark)!;
			const shown = this.isBold && chatMark === '*' ? '' : chatMark;
			// A phone would take marks around nothing but an address into the link.
			const isBare =
				opener.at === this.pieces.length - 2 && /^https?:\/\//i.test(this.pieces.at(-1)!);
			if (isBare) this.pieces.splice(opener.at, 1);
			else {
				this.pieces[opener.at] = shown;
				this.pieces.push(shown);
			}
			return;
		}
	}
}

/** Letters and digits, except of scripts that write words without blanks, or add endings. */
const WORD =
	/(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}])[\p{L}\p{N}]/u;
const ASCII = /[a-z0-9]/i;
/** What before or behind underscores shows that they belong to a name or a path. */
const NAME_BEFORE = /[\p{L}\p{N}/\\.@:=&]/u;
const NAME_BEHIND = /^(?:[\p{L}\p{N}/@=(]|\.[\p{L}\p{N}])/u;

/**
 * Whether a run may open or close. 2*3*4, 2**3**4, snake_case, a/_b_/c and keycaps have no marks.
 */
function flanks(run: string, text: string, from: number): { opens: boolean; closes: boolean } {
	const to = from + run.length;
	const before = [...text.slice(Math.max(0, from - 2), from)].at(-1) ?? ' ';
	const [after = ' '] = text.slice(to, to + 2);
	const isKeycap = after === '\uFE0F' || after === '\u20E3';
	// No mark begins within an address or a path.
	const opens = !isKeycap && after.trim() !== '' && before !== '/';
	const closes = !isKeycap && before.trim() !== '';
	if (run.startsWith('_'))
		return {
			opens: opens && !NAME_BEFORE.test(before),
			closes: closes && !NAME_BEHIND.test(text.slice(to, to + 3)),
		};
	if (run === '*')
		return { opens: opens && !WORD.test(before), closes: closes && !WORD.test(after) };
	return { opens: opens && !(ASCII.test(before) && ASCII.test(after)), closes };
}
