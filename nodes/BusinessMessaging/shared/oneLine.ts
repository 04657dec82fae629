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
