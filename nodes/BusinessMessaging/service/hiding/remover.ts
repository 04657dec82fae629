import { type Forms, formsOf } from './forms';
import { eachPlace, startAtEnd } from './search';
import { asWritten, decoded, decodedAndJoined, type View } from './views';

/** Replaces a secret. */
export const HIDDEN = '[hidden]';

/** Characters of a secret whose rest was cut off: fewer can be what keys begin with. */
const START_MIN = 12;

const isWord = (sign: string | undefined) => sign !== undefined && /^\w$/.test(sign);

/**
 * Makes the function that hides secrets in a text of others: as they are, percent-encoded, in
 * base64, in hexadecimal digits, or as JSON and HTML escape them, in any case of letters, with line
 * breaks in them, or cut off. Each is searched for itself: an expression made of them could fail,
 * and quote them. The time is linear in the text, for each secret.
 */
export function secretRemover(secrets: readonly unknown[]): (text: string) => string {
	const texts = secrets
		.filter((secret) => typeof secret === 'string')
		.filter((secret) => secret.trim() !== '');
	let forms: Forms[] | undefined;
	return (text) => {
		if (texts.length === 0) return text;
		forms ??= [...new Set(texts)].map(formsOf);
		const search = new Search(text);
		for (const form of forms) search.mark(form);
		return search.hidden();
	};
}

/** Of places where a text was cut, the last. Each is looked at for each secret. */
const CUTS_MOST = 10;

/** Where a text ends, but for signs, and before an ellipsis. */
function cutsIn(text: string): number[] {
	const cuts: number[] = [];
	for (const ellipsis of ['…', '...']) eachPlace(text, ellipsis, (at) => cuts.push(at));
	let end = text.length;
	while (end > 0 && !isWord(text[end - 1])) end -= 1;
	return [...cuts, end].sort((one, other) => one - other).slice(-CUTS_MOST);
}

class Search {
	/** For each character: where the longest secret ends that starts with it. */
	private readonly until: Int32Array;
	private readonly written: View;
	private readonly decoded: View;
	/** Decoded again, without what breaks long words, if something does. */
	private readonly joined: View | undefined;
	private readonly cuts: number[];

	constructor(private readonly original: string) {
		this.until = new Int32Array(original.length);
		this.written = asWritten(original);
		this.decoded = decoded(original);
		this.joined = decodedAndJoined(original);
		this.cuts = cutsIn(this.decoded.text);
	}

	mark(forms: Forms): void {
		for (const view of [this.written, this.decoded]) {
			const words = view === this.written ? forms.written : forms.decoded;
			for (const word of words) this.markWord(view, word, forms);
			for (const word of forms.base64) this.markBase64(view, word, forms);
		}
		if (forms.isShort) return;
		if (this.joined) {
			for (const word of forms.joined) this.markWord(this.joined, word, forms);
			for (const word of forms.base64) this.markBase64(this.joined, word, forms);
		}
		for (const word of [...forms.decoded, ...forms.base64]) this.markStart(word);
	}

	/** The start of a secret, where the text was cut within it. */
	private markStart(word: string): void {
		const { text, starts, ends } = this.decoded;
		if (!text.includes(word.slice(0, START_MIN))) return;
		let from = 0;
		for (const cut of this.cuts) {
			const begin = Math.max(from, cut - word.length);
			const length = startAtEnd(text.slice(begin, cut), word);
			const start = starts[cut - length];
			if (start !== undefined && length >= START_MIN)
				this.until[start] = Math.max(this.until[start]!, ends[cut - 1]!);
			from = cut;
		}
	}

	private markWord(view: View, word: string, { isShort, endsEscaped }: Forms): void {
		eachPlace(view.text, word, (at) => {
			const start = view.starts[at]!;
			let end = view.ends[at + word.length - 1]!;
			if (isShort && !this.isAlone(view, at, at + word.length)) return;
			if (endsEscaped && view === this.decoded)
				end = Math.max(end, view.bareStarts[at + word.length] ?? this.original.length);
			this.until[start] = Math.max(this.until[start]!, end);
		});
	}

	/** A character at each end can hold bits of the secret. */
	private markBase64(view: View, word: string, { isShort }: Forms): void {
		eachPlace(view.text, word, (at) => {
			let from = at;
			let to = at + word.length;
			if (!isShort) {
				if (this.isOfBase64(view, from - 1, from)) from -= 1;
				if (this.isOfBase64(view, to, to)) to += 1;
			}
			for (let padding = 0; padding < 2 && view.text[to] === '='; padding++) to += 1;
			if (isShort && !this.isAlone(view, from, to)) return;
			const start = view.starts[from]!;
			this.until[start] = Math.max(this.until[start]!, view.ends[to - 1]!);
		});
	}

	/** Whether no word goes on before or behind it, in the view or as it is written. */
	private isAlone({ text, starts, ends }: View, from: number, to: number): boolean {
		const { original } = this;
		const goesOn = (inView: string | undefined, inOriginal: string | undefined) =>
			isWord(inView) && isWord(inOriginal);
		return (
			!goesOn(text[from - 1], original[starts[from]! - 1]) &&
			!goesOn(text[to], original[ends[to - 1]!])
		);
	}

	/** @param second of the two neighbours that must touch */
	private isOfBase64({ text, starts, ends }: View, at: number, second: number): boolean {
		const sign = text[at];
		if (sign === undefined || !/^[\w+/]$/.test(sign)) return false;
		if (starts[second] !== ends[second - 1]) return false;
		return !/\s/.test(this.original.slice(starts[at], ends[at]));
	}

	/** The text without what is marked. */
	hidden(): string {
		const { original, until } = this;
		const pieces: string[] = [];
		let shown = 0;
		for (let at = 0; at < original.length; at++) {
			let end = until[at]!;
			if (end === 0) continue;
			pieces.push(original.slice(shown, at), HIDDEN);
			// What overlaps it is hidden with it.
			for (let within = at; within < end; within++) end = Math.max(end, until[within]!);
			shown = end;
			at = end - 1;
		}
		return pieces.length === 0 ? original : [...pieces, original.slice(shown)].join('');
	}
}
