import { addressAfter, shownAddress } from './markdownLinks';

/**
 * What can have a meaning within a paragraph. An address has up to eight runs of asterisks, so that
 * no part of a text is read again and again.
 */
const SPECIAL =
	/\\[\n!-/:-@[-`{-~]|`+|\*+|_+|~+|!?\[|\]|<br {0,2}\/?>|<[^<>\s]+>|&(?:amp|lt|gt|quot|apos|#39|nbsp);|https?:\/\/[^\s<>"`*|\]]+(?:(?<=[\w/=&?#%+-])\*+[^\s<>"`*|\]]+){0,8}/gi;
const ENTITIES: Record<string, string> = {
	'&amp;': '&',
	'&lt;': '<',
	'&gt;': '>',
	'&quot;': '"',
	'&apos;': "'",
	'&#39;': "'",
	'&nbsp;': '\u00A0',
};
/** The chat's mark for each mark of Markdown. */
const MARKS: Record<string, string> = {
	'**': '*',
	__: '*',
	'*': '_',
	_: '_',
	'~~': '~',
};

/** A piece of the output: a text, or the beginning or end of a mark of the chat. */
type Piece = string | { mark: string; opens: boolean } | { url: string };

interface Opener {
	/** The mark in Markdown. */
	mark: string;
	/** Index of its piece. */
	at: number;
	/** The next opener is of the same run, and the two may swap. */
	isTwin?: boolean;
}

/** Converts the marks of a paragraph. @param isBold all of it is bold, so it needs no marks */
export function inlineMarks(text: string, { isBold = false } = {}): string {
	if (text.search(SPECIAL) === -1) return text;
	const pieces: Piece[] = [];
	const emphasis = new Emphasis(pieces);
	const code = new CodeSpans(text);
	const brackets: Array<{ at: number; from: number }> = [];
	let at = 0;
	SPECIAL.lastIndex = 0;
	for (let found = SPECIAL.exec(text); found; found = SPECIAL.exec(text)) {
		const [token] = found;
		const from = found.index;
		if (from > at) pieces.push(text.slice(at, from));
		at = from + token.length;
		if (token.startsWith('`')) {
			const span = code.at(from, token.length);
			pieces.push(span?.shown ?? token);
			at = span?.end ?? at;
		} else if (token in MARKS || token === '***' || token === '___')
			emphasis.take(token, text, from);
		else if (token === '[' || token === '![') {
			brackets.push({ at: pieces.length, from: at });
			pieces.push(token);
		} else if (token === ']') {
			const bracket = brackets.pop();
			const link = bracket && addressAfter(text, at);
			if (bracket && link) {
				pieces[bracket.at] = '';
				pieces.push(shownAddress(text.slice(bracket.from, from), link));
				at = link.end;
			} else pieces.push(token);
		} else if (/^https?:/i.test(token)) {
			// Asterisks belong to an address, unless they can end what began before it.
			const [before = ''] = emphasis.hasStar() ? token.split('*') : [token];
			const url = withoutTrailing(before);
			pieces.push({ url });
			at = from + url.length;
		} else pieces.push(shown(token));
		SPECIAL.lastIndex = at;
	}
	pieces.push(text.slice(at));
	return write(withBareUrls(pieces), isBold);
}

/** Removes marks around nothing but an address. A phone would take them into the link. */
function withBareUrls(pieces: readonly Piece[]): Array<Exclude<Piece, { url: string }>> {
	const shown: Piece[] = [];
	for (const piece of pieces) {
		if (piece === '') continue;
		const [opener, inner] = shown.slice(-2);
		const isAround =
			isMark(piece) && !piece.opens && isMark(opener) && opener.opens && isUrl(inner);
		if (isAround) shown.splice(-2, 2, inner);
		else shown.push(piece);
	}
	return shown.map((piece) => (isUrl(piece) ? piece.url : piece));
}

const isUrl = (piece: Piece | undefined): piece is { url: string } =>
	typeof piece === 'object' && 'url' in piece;
const isMark = (piece: Piece | undefined): piece is { mark: string; opens: boolean } =>
	typeof piece === 'object' && 'mark' in piece;

/** A token that is not a mark, as the chat shows it. */
function shown(token: string): string {
	if (/^<br/i.test(token)) return '\n';
	if (token.startsWith('\\') && token !== '\\\\') return token.slice(1);
	if (/^<(?:https?:\/\/|mailto:|[^/@:]+@)/i.test(token))
		return token.slice(1, -1).replace(/^mailto:/i, '');
	return ENTITIES[token.toLowerCase()] ?? token;
}

/** An address without the punctuation after it. */
function withoutTrailing(url: string): string {
	let end = url.length;
	while ("_~.,;:!?')".includes(url[end - 1] ?? ' ')) end--;
	return url.slice(0, end);
}

/** Pairs opening and closing marks. A mark without a pair stays as it is. */
class Emphasis {
	private readonly openers: Opener[] = [];
	private readonly open = new Map<string, number>();

	constructor(private readonly pieces: Piece[]) {}

	take(run: string, text: string, from: number): void {
		const { opens, closes } = judge(run, text, from);
		const sign = run[0]!;
		let left = run;
		while (closes && left) {
			const mark = this.closable(left);
			if (!mark) break;
			this.close(mark);
			left = left.slice(mark.length);
		}
		if (!left) return;
		if (!opens) this.pieces.push(left);
		else if (left.length < 3) this.push({ mark: left, at: this.pieces.length });
		else {
			this.push({ mark: sign + sign, at: this.pieces.length, isTwin: true });
			this.push({ mark: sign, at: this.pieces.length });
		}
	}

	/** Whether asterisks wait for their end. */
	hasStar(): boolean {
		return ['*', '**'].some((mark) => (this.open.get(mark) ?? 0) > 0);
	}

	private push(opener: Opener): void {
		this.openers.push(opener);
		this.open.set(opener.mark, (this.open.get(opener.mark) ?? 0) + 1);
		this.pieces.push(opener.mark);
	}

	/** The mark that a run closes first: the last that was opened and is not longer than the run. */
	private closable(run: string): string | undefined {
		const candidates = [run, run.slice(0, 2), run.slice(0, 1)].filter(
			(mark) => (this.open.get(mark) ?? 0) > 0,
		);
		const last = this.openers.at(-1)?.mark;
		if (run.length === 2 && candidates[0] !== run) return undefined;
		return run.length > 2 && last !== undefined && candidates.includes(last) ? last : candidates[0];
	}

	private close(mark: string): void {
		const [twin, last] = this.openers.slice(-2);
		if (twin?.isTwin && last && twin.mark === mark) {
			// ***a** b*: the inner mark is the bold one.
			this.pieces[twin.at] = last.mark;
			this.pieces[last.at] = twin.mark;
			[twin.mark, last.mark] = [last.mark, twin.mark];
			delete twin.isTwin;
		}
		for (let opener = this.openers.pop(); opener; opener = this.openers.pop()) {
			this.open.set(opener.mark, this.open.get(opener.mark)! - 1);
			if (opener.mark !== mark) continue;
			const shownMark = MARKS[mark]!;
			this.pieces[opener.at] = { mark: shownMark, opens: true };
			this.pieces.push({ mark: shownMark, opens: false });
			return;
		}
	}
}

const isLetter = (sign: string) => /[\p{L}\p{N}]/u.test(sign);
/** Scripts that write words without blanks between them, or add endings after a mark. */
const GLUED =
	/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
const isWord = (sign: string) => isLetter(sign) && !GLUED.test(sign);
const ASCII = /[a-z0-9]/i;
const isBlank = (sign: string) => sign === '' || /\s/.test(sign);

/**
 * Whether a run may open or close. 2*3*4, 2**3**4, snake_case, a/_b_/c and keycaps have no marks.
 */
function judge(run: string, text: string, from: number): { opens: boolean; closes: boolean } {
	const to = from + run.length;
	const before = [...text.slice(Math.max(0, from - 2), from)].at(-1) ?? '';
	const [after = ''] = text.slice(to, to + 2);
	if (after === '\uFE0F' || after === '\u20E3') return { opens: false, closes: false };
	const opens = !isBlank(after);
	const closes = !isBlank(before);
	if (run.startsWith('_')) {
		const isInPath = '/\\.@:=&'.includes(before || ' ');
		const goesOn = '/@=('.includes(after || ' ') || (after === '.' && isWord(text[to + 1] ?? ''));
		return {
			opens: opens && !isLetter(before) && !isInPath,
			closes: closes && !isLetter(after) && !goesOn,
		};
	}
	if (run === '*') return { opens: opens && !isWord(before), closes: closes && !isWord(after) };
	return { opens: opens && !(ASCII.test(before) && ASCII.test(after)), closes };
}

/** Finds the end of a code span: the next run of the same length. */
class CodeSpans {
	private readonly runs = new Map<number, number[]>();

	constructor(private readonly text: string) {
		for (const { 0: run, index } of text.matchAll(/`+/g)) {
			const places = this.runs.get(run.length);
			if (places) places.push(index);
			else this.runs.set(run.length, [index]);
		}
		for (const places of this.runs.values()) places.reverse();
	}

	at(from: number, length: number): { shown: string; end: number } | undefined {
		const places = this.runs.get(length) ?? [];
		while (places.length > 0 && places.at(-1)! <= from) places.pop();
		const to = places.at(-1);
		if (to === undefined) return undefined;
		const end = to + length;
		const written = this.text.slice(from + length, to).replaceAll('\n', ' ');
		const isPadded = written.trim() !== '' && written.startsWith(' ') && written.endsWith(' ');
		const code = isPadded ? written.slice(1, -1) : written;
		if (length < 3 && !code.includes('`')) return { shown: `\`${code}\``, end };
		// In the chat, code that contains a backtick needs three around it.
		return {
			shown: code.includes('```') ? this.text.slice(from, end) : `\`\`\`${code}\`\`\``,
			end,
		};
	}
}

/**
 * In the chat, a mark ends with its line and cannot contain itself. A mark is written before the
 * first text within it, so that no line has marks alone.
 */
function write(pieces: ReadonlyArray<Exclude<Piece, { url: string }>>, isBold: boolean): string {
	const depth = new Map<string, number>(isBold ? [['*', 1]] : []);
	const open: string[] = [];
	/** How many of the open marks are written on this line. */
	let begun = 0;
	let written = '';
	const add = (text: string) => {
		if (text === '') return;
		written += open.slice(begun).join('') + text;
		begun = open.length;
	};
	for (const piece of pieces) {
		if (typeof piece === 'string') {
			const [first = '', ...lines] = open.length > 0 ? piece.split('\n') : [piece];
			add(first);
			for (const line of lines) {
				written += `${open.slice(0, begun).reverse().join('')}\n`;
				begun = 0;
				add(line.trimStart());
			}
			continue;
		}
		const { mark, opens } = piece;
		const deep = (depth.get(mark) ?? 0) + (opens ? 1 : -1);
		depth.set(mark, deep);
		if (deep !== (opens ? 1 : 0)) continue;
		if (opens) {
			open.push(mark);
			continue;
		}
		const at = open.lastIndexOf(mark);
		open.splice(at, 1);
		if (at >= begun) continue;
		written += mark;
		begun--;
	}
	return written;
}
