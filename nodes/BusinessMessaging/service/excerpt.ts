/** How much of a response is looked at. */
const LOOKED_AT = 65_536;
/** How much of the service's own words is kept. */
const WORDS_KEPT = 2000;

/** Takes secrets out of a text. */
export type Clean = (text: string) => string;

/** A text's beginning without secrets. They go first: a cut could leave a part of one that is not found any more. */
export function wordsOf(text: string, clean: Clean): string {
	return clean(text.slice(0, LOOKED_AT)).slice(0, WORDS_KEPT);
}

/** A text's beginning on one line, with markup and secrets left out. Every pattern here looks at each character once, whatever the text. */
function oneLineOf(text: string, length: number, clean: Clean): string {
	const plain = clean(text.slice(0, LOOKED_AT))
		.replace(/<(script|style)[^]*?(?:<\/\1>|$)/gi, ' ')
		.replace(/<[^<>]*>/g, ' ')
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim();
	// Once more: markup may have stood within one.
	return clean(plain).slice(0, length);
}

/** What an unexpected body begins with, short and on one line, with markup and secrets left out. Of JSON only what kind it is: a field may hold a secret. */
export function excerptOf(body: unknown, clean: Clean): string {
	if (body === undefined || body === null) return '';
	if (Array.isArray(body)) return 'a JSON list';
	if (typeof body === 'object')
		return `a JSON object with the fields ${oneLineOf(Object.keys(body).slice(0, 5).join(', '), 80, clean)}`;
	return oneLineOf(String(body), 120, clean);
}
