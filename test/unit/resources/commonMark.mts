/** The examples of CommonMark's specification, and what of each must be in a converted text. */
import { createRequire } from 'node:module';

interface Example {
	markdown: string;
	html: string;
	number: number;
	section: string;
}

const { tests } = createRequire(import.meta.url)('commonmark-spec') as { tests: Example[] };

const NAMED: Record<string, string> = {
	...{ lt: '<', gt: '>', amp: '&', quot: '"', nbsp: '\u00a0', copy: '©', auml: 'ä', ouml: 'ö' },
	...{ AElig: 'Æ', Dcaron: 'Ď', frac34: '¾', HilbertSpace: 'ℋ', DifferentialD: 'ⅆ' },
	...{ ClockwiseContourIntegral: '∲', ngE: '≧̸' },
};
/** A text without references of HTML, so that a text that keeps them can be compared. */
export const plain = (text: string): string =>
	text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) =>
		name ? (NAMED[name as string] ?? whole) : String.fromCodePoint(Number(decimal ?? `0x${hex}`)),
	);
const decoded = (address: string): string => {
	try {
		return decodeURIComponent(address);
	} catch {
		return address;
	}
};

const found = (html: string, form: RegExp): string[] =>
	[...html.matchAll(form)].map(([, text = '']) => plain(text));

export const EXAMPLES = tests.map(({ markdown, html, number, section }) => ({
	number,
	section,
	markdown: markdown.replaceAll('→', '\t'),
	addresses: found(html, /(?:href|src)="([^"]*)"/g).map(decoded),
	codes: found(html, /<code[^>]*>([^]*?)<\/code>/g).map((code) => code.replaceAll('→', '\t')),
	words: plain(html.replace(/<[^>]*>/g, ' ')).match(/[\p{L}\p{N}]+/gu) ?? [],
}));

/** What a converted text changed or lost of an example. */
export function missingIn(
	sent: string,
	{ addresses, codes, words }: (typeof EXAMPLES)[number],
): string[] {
	// A reference of HTML stays, and in code it means nothing.
	const texts = [sent, plain(sent), sent.replaceAll('\n', ' ')];
	const has = (part: string) => texts.some((text) => text.includes(part));
	const left = texts.map((text) => ({ text, at: 0 }));
	const isLost = (word: string) =>
		left.filter((each) => {
			const found = each.text.indexOf(word, each.at);
			if (found >= 0) each.at = found + word.length;
			return found >= 0;
		}).length === 0;
	const shown = decoded(plain(sent));
	return [
		...addresses.filter((address) => !shown.includes(address.replace(/^mailto:/, ''))),
		...codes.filter((code) => !code.split('\n').every((line) => has(line.trimEnd()))),
		...words.filter(isLost),
	];
}
