/** Whether words with a label may mean no, or ask: `Approve?`, `✕ Approve`. They name none. */

/** What words would answer. The title of a button is nobody's own words, so it is not in doubt. */
export type Answers = 'approval' | 'reply' | 'title';

/** The question marks and interrobangs of all scripts. Normalizing gives these for other forms. */
const QUESTIONS =
	/[?¿;\u055E\u061F\u1367\u1945‽≟⍰❓❔⩻⩼\u2CFA\u2CFB\u2E18\u2E2E\u2E54\uA60F\uA6F7\u{11143}\u{1E95F}🙹🙺🙻\u{1FBC4}\u{E003F}]/u;

/** Strokes through a letter, and signs around it. A keycap strikes nothing out. */
const OVERLAYS =
	/(?!\u20E3)[\p{Me}\u0334-\u0338\u20D2\u20D3\u20D8-\u20DA\u20E5\u20E6\u20EA\u20EB]/u;

/** In front of a reply. Behind it, `!` only means it. */
const DENIALS = /[≠!¬~✗✘✕×⊘∅]/u;
const BEFORE_WORDS = /^[^\p{L}\p{N}]*/u;
const REFUSING = /[👎❌✖🚫⛔🙅🤷🤔💔😡]/u;

/** @param text short, because normalizing a long one takes long */
export function areDoubtful(text: string, answers: Answers): boolean {
	if (answers === 'title') return false;
	if (QUESTIONS.test(text.normalize('NFKC')) || OVERLAYS.test(text.normalize('NFC'))) return true;
	if (answers === 'approval') return false;
	const [before = ''] = BEFORE_WORDS.exec(text) ?? [];
	return DENIALS.test(before.normalize('NFKC')) || REFUSING.test(text);
}

const AGREEING = /[👍👌🙏✅✔☑🆗💯🙂😊😀❤][🏻-🏿]?/gu;
const WORDS = /(?:(?!\p{Extended_Pictographic})[\p{L}\p{N}]\p{M}*)+/gu;
const BEFORE = /[\s\p{Quotation_Mark}\p{Ps}*_¡]+/gu;
/** Also what ends a sentence in any script, and the commas and exclamation marks of all. */
const BEHIND =
	/(?:(?!\p{Extended_Pictographic})[\s\p{Quotation_Mark}\p{Ps}\p{Pe}*_¡\p{Sentence_Terminal}…‥︙\u055C\u07F9\u0F0D,，﹐︐､、﹑︑\u055D\u060C\u07F8\u1363\u1802\u1808\u2E32\u2E34\u2E41\u2E49\u2E4C\uA4FE\uA60D\uA6F5])+/gu;
/** Words can be joined by any punctuation, but in one line, and a wave strikes them out. */
const BETWEEN = /(?:[^\S\r\n]|(?![〜⁓⸛⸞⸟\p{Extended_Pictographic}])\p{P})+/gu;

/**
 * The signs in front of the words of an approval, between and behind them that may mean no. All
 * count that are not known to change nothing, because nobody can list those that do.
 * @param text short
 */
export function oddSigns(text: string): string[] {
	const [before = '', ...others] = text
		.normalize('NFC')
		.replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
		.replace(AGREEING, ' ')
		.split(WORDS);
	const behind = others.pop();
	const odd =
		behind === undefined
			? // Without words, a sign is the label.
				['', '', before.replace(BEHIND, '')]
			: [
					before.replace(BEFORE, ''),
					others.join('').replace(BETWEEN, ''),
					behind.replace(BEHIND, ''),
				];
	return odd.map((signs) => signs.normalize('NFKC'));
}
