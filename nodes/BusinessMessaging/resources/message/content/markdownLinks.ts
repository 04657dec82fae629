export interface Address {
	url: string;
	title: string;
	/** Where the text continues. */
	end: number;
}

/** Parentheses that an address may open. Bounds how often each character is read. */
const MAX_PARENTHESES = 8;
const QUOTES = ['"', "'"];

/** The address in parentheses after a link's text, and its title. Undefined if unclosed. */
export function addressAfter(text: string, from: number): Address | undefined {
	if (text[from] !== '(') return undefined;
	let at = skipBlanks(text, from + 1);
	const isInAngles = text[at] === '<';
	const start = isInAngles ? at + 1 : at;
	const end = isInAngles ? endOfAngles(text, start) : endOfUrl(text, start);
	if (end === undefined) return undefined;
	const url = text.slice(start, end).replace(/\\([!-/:-@[-`{-~])/g, '$1');
	at = skipBlanks(text, isInAngles ? end + 1 : end);
	let title = '';
	if (QUOTES.includes(text[at] ?? '')) {
		const close = text.indexOf(text[at]!, at + 1);
		if (close === -1) return undefined;
		title = text.slice(at + 1, close);
		at = skipBlanks(text, close + 1);
	}
	return text[at] === ')' && url ? { url, title, end: at + 1 } : undefined;
}

/** What is shown after the text of a link: its address, unless the text is the address. */
export function shownAddress(words: string, { url, title }: Address): string {
	const address = url.replace(/^(?:mailto|tel):/i, '');
	if (words.trim() === '') return address;
	const quoted = title && ` "${title}"`;
	const isSame = words === url || words === address;
	if (isSame && !quoted) return '';
	return isSame ? ` (${title})` : ` (${address}${quoted})`;
}

const skipBlanks = (text: string, from: number): number => {
	let at = from;
	while (text[at] === ' ' || text[at] === '\n') at++;
	return at;
};

function endOfAngles(text: string, from: number): number | undefined {
	for (let at = from; at < text.length; at++) {
		if (text[at] === '>') return at;
		if (text[at] === '<' || text[at] === '\n') return undefined;
	}
	return undefined;
}

function endOfUrl(text: string, from: number): number | undefined {
	let depth = 0;
	let parentheses = 0;
	for (let at = from; at < text.length; at++) {
		const sign = text[at]!;
		if (sign === '\\') at++;
		else if (sign === '(') {
			depth++;
			if (++parentheses > MAX_PARENTHESES) return undefined;
		} else if (sign === ')' && depth-- === 0) return at;
		else if (/\s/.test(sign)) return depth === 0 ? at : undefined;
	}
	return undefined;
}
