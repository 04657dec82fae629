/** `Message Received` becomes `Message received`, for the text below a node. */
export const sentenceCase = (title: string): string =>
	title.charAt(0) + title.slice(1).toLowerCase();

/** Adds a full stop if the text has none. */
export const asSentence = (words: string): string => (words.endsWith('.') ? words : `${words}.`);

/** A text as code of an expression: braces would end it, and some line ends the text. */
export const textInExpression = (text: string): string =>
	JSON.stringify(text).replace(
		/[{}\u2028\u2029]/g,
		(sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);

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

/** Whether a text is a day of the calendar, in the form `2026-07-14`. */
export function isDay(text: string): boolean {
	if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
	const date = new Date(`${text}T00:00:00Z`);
	// JavaScript takes the 30th of February for the 2nd of March.
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
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

/** Texts of a list field. An expression can give the list as one text, separated by commas. */
export function textsOf(value: unknown): string[] {
	const list: unknown[] = Array.isArray(value)
		? value
		: typeof value === 'string'
			? value.split(',')
			: [];
	const trimmed = list
		.filter((text): text is string => typeof text === 'string')
		.map((text) => text.trim());
	return [...new Set(trimmed)].filter((text) => text !== '');
}
