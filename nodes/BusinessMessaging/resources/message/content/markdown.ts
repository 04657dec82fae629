import { inlineMarks } from './markdownInline';

/** A code block that is open. */
interface Fence {
	/** This many of its signs, or more, close it. */
	mark: string;
	/** Blanks before its first line. Its other lines lose as many. */
	indent: number;
	/** The signs before each line, if it is in a quote. */
	quote: string;
}

const FENCE = /^([ \t]*)(`{3,}|~{3,})/;
const QUOTE = /^(?: {0,3}>)+ ?/;
const LIST_ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+(?=\S)/;
const TASK = /^\[([ xX])\][ \t]+/;
const HEADING = /^ {0,3}#{1,6}[ \t]+(?=\S)/;
const RULE = '---';

/** Longer texts are not converted, so that none blocks n8n. 16 messages of the chat application. */
const MARKDOWN_MAX = 65_536;

/**
 * Turns Markdown, as language models write it, into the marks of the chat application: *bold*,
 * _italic_, ~strike~, `code` and code blocks. A heading becomes a bold line, a link its text and
 * address, a table its rows. Marks that are not Markdown or never close stay as they are. So
 * does a text longer than `MARKDOWN_MAX`. Linear in the length of the text.
 */
export function toChatMarks(markdown: string): string {
	if (markdown.length > MARKDOWN_MAX) return markdown;
	const written = new Writer();
	const lines = markdown.replaceAll('\r\n', '\n').split('\n');
	for (let at = 0; at < lines.length; at++) {
		const line = lines[at]!;
		if (written.takeCode(line)) continue;
		const header = readRow(line, lines[at + 1]);
		if (!header) {
			written.takeLine(line);
			continue;
		}
		written.endParagraph();
		written.lines.push(header.map((cell) => bold(cell)).join(' | '));
		for (at++; lines[at + 1]?.includes('|'); at++)
			written.lines.push(
				cellsOf(lines[at + 1]!)
					.map(rowCell)
					.join(' | '),
			);
	}
	return written.end();
}

class Writer {
	readonly lines: string[] = [];
	/** Marks continue over its line breaks. `prefix` is its list sign or quote. */
	private paragraph: { prefix: string; lines: string[] } | undefined;
	private fence: Fence | undefined;

	/** @returns false if the line is not code */
	takeCode(line: string): boolean {
		if (!this.fence) return false;
		const { mark, indent, quote } = this.fence;
		const inQuote = QUOTE.exec(line)?.[0];
		if (quote && inQuote === undefined) {
			this.closeCode();
			return false;
		}
		const code = quote ? line.slice(inQuote!.length) : line;
		const fence = code.trim();
		if (fence.startsWith(mark) && fence === mark[0]!.repeat(fence.length)) this.closeCode();
		else this.lines.push(quote + withoutIndent(code, indent));
		return true;
	}

	/** Takes a line that is neither code nor in a table. */
	takeLine(line: string): void {
		if (line.trim() === '') {
			this.endParagraph();
			this.lines.push('');
			return;
		}
		if (isRule(line)) {
			this.endParagraph();
			this.lines.push(RULE);
			return;
		}
		if (this.isUnderline(line)) {
			const title = this.paragraph!.lines[0]!;
			this.paragraph = undefined;
			this.lines.push(bold(title.trim()));
			return;
		}
		const quote = QUOTE.exec(line)?.[0] ?? '';
		const { prefix, text } = readPrefix(line.slice(quote.length));
		const shownQuote = quote && `${quote.trim()} `;
		const fence = FENCE.exec(text);
		if (fence && !(fence[2]!.startsWith('`') && text.includes('`', fence[0].length))) {
			this.endParagraph();
			this.fence = { mark: fence[2]!, indent: fence[1]!.length, quote: shownQuote };
			this.lines.push(`${shownQuote}${prefix}\`\`\``);
			return;
		}
		const title = HEADING.exec(text)?.[0];
		if (title !== undefined) {
			this.endParagraph();
			this.lines.push(shownQuote + prefix + bold(withoutClosing(text.slice(title.length))));
		} else if (quote || prefix || !this.paragraph) {
			this.endParagraph();
			this.paragraph = { prefix: shownQuote + prefix, lines: [text.trimEnd()] };
		} else this.paragraph.lines.push(line.trimEnd());
	}

	endParagraph(): void {
		if (!this.paragraph) return;
		const { prefix, lines } = this.paragraph;
		this.lines.push(prefix + inlineMarks(lines.join('\n')));
		this.paragraph = undefined;
	}

	end(): string {
		this.endParagraph();
		if (this.fence) {
			while (this.lines.at(-1) === '') this.lines.pop();
			this.closeCode();
		}
		return this.lines.join('\n');
	}

	private closeCode(): void {
		this.lines.push(`${this.fence!.quote}\`\`\``);
		this.fence = undefined;
	}

	/** Equals signs below a line make it a title. */
	private isUnderline(line: string): boolean {
		const { prefix, lines } = this.paragraph ?? { prefix: '', lines: [] };
		const signs = line.trim();
		return lines.length === 1 && prefix === '' && signs === '='.repeat(signs.length);
	}
}

/** The list sign that a line begins with. The chat has one sign for lists without numbers. */
function readPrefix(line: string): { prefix: string; text: string } {
	const [all, indent, sign] = LIST_ITEM.exec(line) ?? [];
	if (all === undefined || indent === undefined || sign === undefined)
		return { prefix: '', text: line };
	const text = line.slice(all.length);
	const isNumbered = sign.length > 1;
	const [box, done] = TASK.exec(text) ?? [];
	const task = box === undefined ? '' : done === ' ' ? '☐ ' : '☑ ';
	return {
		prefix: `${indent}${isNumbered ? sign : '-'} ${task}`,
		text: text.slice(box?.length ?? 0),
	};
}

/** Whether a line is three or more of one sign, and nothing else. */
function isRule(line: string): boolean {
	const signs = line.replace(/[ \t]/g, '');
	return signs.length >= 3 && ['-', '*', '_'].some((sign) => signs === sign.repeat(signs.length));
}

/** Removes the signs that may close a title. */
function withoutClosing(title: string): string {
	const text = title.trimEnd();
	let end = text.length;
	while (text[end - 1] === '#') end--;
	return /\s/.test(text[end - 1] ?? '') ? text.slice(0, end).trimEnd() : text;
}

function withoutIndent(line: string, indent: number): string {
	let blanks = 0;
	while (blanks < indent && (line[blanks] === ' ' || line[blanks] === '\t')) blanks++;
	return line.slice(blanks);
}

const bold = (text: string): string => {
	const title = inlineMarks(text, { isBold: true }).replaceAll('\n', ' ').trim();
	return title && `*${title}*`;
};

/** The cells of a table's first line. Undefined if no table begins. */
function readRow(line: string, next: string | undefined): string[] | undefined {
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
	return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}

const rowCell = (cell: string): string => inlineMarks(cell).replaceAll('\n', '; ');
