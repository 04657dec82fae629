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
