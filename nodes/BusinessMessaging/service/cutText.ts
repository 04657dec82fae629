/** Ends a text that was cut. */
const MARK = ' […]';

/** The start of a text, at most this many UTF-16 units. No emoji, which has two, is cut in half. */
export const cutText = (text: string, most: number): string =>
	text.length <= most ? text : text.slice(0, isLead(text, most - 1) ? most - 1 : most);

/** The same for the end of a text. */
export function cutToEnd(text: string, most: number): string {
	const from = text.length - most;
	return from <= 0 ? text : text.slice(isLead(text, from - 1) ? from + 1 : from);
}

/** The start of a text, at most this many UTF-16 units with a mark that shows the cut. */
export const cutWithMark = (text: string, most: number): string =>
	text.length <= most ? text : cutText(text, most - MARK.length) + MARK;

/** The first of some things, and how many more there are: `a, b and 3 more`. */
export function firstOf<Thing>(
	all: readonly Thing[],
	most: number,
	wordsOf: (thing: Thing) => string = String,
): string {
	const more = all.length - most;
	return `${all.slice(0, most).map(wordsOf).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Whether this unit is the first half of a character. */
function isLead(text: string, index: number): boolean {
	const unit = text.charCodeAt(index);
	return unit >= 0xd800 && unit <= 0xdbff;
}

/** Signs that change the direction of the text behind them, so words of ours could be reordered. */
export const DIRECTIONS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/**
 * `\s` lacks U+0085, a line break. Signs without width part blanks, and of them and the letters
 * some are blank, but joiners within a word are a part of it.
 */
const BLANKS = /(?!(?:\u200C|\u200D|\uFE0F)\S)[\s\p{Cc}\p{DI}\u2800]+/gu;
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
