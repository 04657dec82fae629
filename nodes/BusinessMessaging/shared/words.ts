/** `Message Received` as it reads below a node on the canvas: `Message received`. */
export const sentenceCase = (title: string): string =>
	title.charAt(0) + title.slice(1).toLowerCase();

/** With a full stop, which the words of the service may have already. */
export const asSentence = (words: string): string => (words.endsWith('.') ? words : `${words}.`);

/**
 * A subtitle that says in words what a node does: an expression, which the editor alone evaluates.
 * @param words each code with its words; a code that has none stands as it is
 * @param codes what gives a code, or a list of them, as an expression over `$parameter`
 */
export function subtitleOf(
	words: ReadonlyArray<readonly [code: string, words: string]>,
	codes: string,
): string {
	const byCode = JSON.stringify(Object.fromEntries(words));
	return `={{ [].concat(${codes}).map((code) => (${byCode})[code] || code).join(", ") }}`;
}
