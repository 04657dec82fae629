/** `Message Received` becomes `Message received`, for the text below a node. */
export const sentenceCase = (title: string): string =>
	title.charAt(0) + title.slice(1).toLowerCase();

/** Adds a full stop if the text has none. */
export const asSentence = (words: string): string => (words.endsWith('.') ? words : `${words}.`);

/**
 * The subtitle of a node, as an expression that only the editor evaluates.
 * @param words each code with its text. Other codes are shown as they are
 * @param codes an expression over `$parameter` for a code or a list of codes
 */
export function subtitleOf(
	words: ReadonlyArray<readonly [code: string, words: string]>,
	codes: string,
): string {
	const byCode = JSON.stringify(Object.fromEntries(words));
	return `={{ [].concat(${codes}).map((code) => (${byCode})[code] || code).join(", ") }}`;
}

const PAGES =
	'https://github.com/n8n-nodes-business-messaging/n8n-nodes-business-messaging/blob/main/docs/';

/** The address of a page in docs/, or of a place in it: `nodes.md#trigger`. */
export const pageAt = (place: string): string => `${PAGES}${place}`;

/** A link to a page in docs/, for a field's description, which the editor shows as HTML. */
export const linkTo = (place: string, words: string): string =>
	`<a href="${pageAt(place)}">${words}</a>`;

/** Signs that change the direction of the text behind them, so words of ours could be reordered. */
const DIRECTIONS = /[\u202A-\u202E\u2066-\u2069]/gu;
/** `\s` lacks U+0085, a line break. Of the letters, U+2800, U+3164 and the like are blank. */
const BLANKS = /[\s\p{Cc}\u2800\u3164\u115F\u1160\uFFA0]+/gu;
/** UTF-16 units for a character at most, so that a long text is not split in whole. */
const UNITS = 2;

/**
 * Words of somebody else, such as a name, to be put into a text of ours: one line, so that they
 * cannot look like a paragraph of ours, and bounded.
 * @param most characters
 */
export function oneLine(words: string, most: number): string {
	const line = words.replace(DIRECTIONS, '').replace(BLANKS, ' ').trim();
	return Array.from(line.slice(0, most * UNITS))
		.slice(0, most)
		.join('')
		.trimEnd();
}

/** From milliseconds or seconds. Between 1973 and 5138, the number tells which. */
export const toMilliseconds = (number: number): number =>
	Math.abs(number) < 1e11 ? number * 1000 : number;

/** From milliseconds or seconds. Other texts stay as they are. */
export function toIsoDate(moment: unknown): string | null {
	const number = typeof moment === 'string' && /^\d{1,16}$/.test(moment) ? Number(moment) : moment;
	if (typeof number !== 'number' || !Number.isFinite(number))
		return typeof moment === 'string' ? moment : null;
	const date = new Date(toMilliseconds(number));
	return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
