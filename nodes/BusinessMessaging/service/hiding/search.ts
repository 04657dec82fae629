/** The engine's own search takes length × length at worst, which is little for short words. */
const SHORT_WORD = 64;

/** Calls back with every place of a word in a text, in linear time. */
export function eachPlace(text: string, word: string, found: (at: number) => void): void {
	if (word === '' || word.length > text.length) return;
	if (word.length <= SHORT_WORD) {
		for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) found(at);
		return;
	}
	eachPlaceOfLong(text, word, found);
}

/**
 * The search of Knuth, Morris and Pratt: no character of the text is read twice. @returns how many
 * characters of the word the text ends with
 */
function eachPlaceOfLong(text: string, word: string, found: (at: number) => void): number {
	const borders = bordersOf(word);
	let matched = 0;
	for (let at = 0; at < text.length; at++) {
		const unit = text.charCodeAt(at);
		while (matched > 0 && word.charCodeAt(matched) !== unit) matched = borders[matched - 1]!;
		if (word.charCodeAt(matched) === unit) matched += 1;
		if (matched < word.length) continue;
		found(at + 1 - matched);
		matched = borders[matched - 1]!;
	}
	return matched;
}

/** The length of the longest start of a longer word with which a text ends. */
export const startAtEnd = (text: string, word: string): number =>
	eachPlaceOfLong(text, word.slice(0, text.length + 1), () => {});

/** For each start of a word: the length of its longest end that is also its start. */
function bordersOf(word: string): Int32Array {
	const borders = new Int32Array(word.length);
	let matched = 0;
	for (let at = 1; at < word.length; at++) {
		const unit = word.charCodeAt(at);
		while (matched > 0 && word.charCodeAt(matched) !== unit) matched = borders[matched - 1]!;
		if (word.charCodeAt(matched) === unit) matched += 1;
		borders[at] = matched;
	}
	return borders;
}
