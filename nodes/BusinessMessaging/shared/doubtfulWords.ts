/**
 * Whether words may mean no, or ask something, though they hold a label: `Approve?`, `≠ approve`,
 * `Approve 👎`. In doubt they name nothing.
 */

/** What words would answer. The title of a button is nobody's own words, so it is not in doubt. */
export type Answers = 'approval' | 'reply' | 'title';

/** Normalizing gives these for their full-width and small forms, and of ⁇, ⁈ and ⁉. */
const QUESTIONS = /[?¿؟;‽❓❔]/u;

/** In front of the words. Behind them, `!` only means it. */
const DENIALS = /[≠!¬~✗✘×]/u;
const BEFORE_WORDS = /^[^\p{L}\p{N}]*/u;

const AGREEING = /[👍👌🙏✅✔☑🆗💯🙂😊😀❤]/gu;
/** Unicode counts flags apart, and these crosses as no pictographs. */
const PICTOGRAPH = /[\p{Extended_Pictographic}\p{Regional_Indicator}✗✘☒]/u;
const REFUSING = /[👎❌✖🚫⛔🙅🤷🤔💔😡]/u;

/** @param text short, because normalizing a long one takes long */
export function areDoubtful(text: string, answers: Answers): boolean {
	if (answers === 'title') return false;
	if (QUESTIONS.test(text.normalize('NFKC'))) return true;
	const [before = ''] = BEFORE_WORDS.exec(text) ?? [];
	if (DENIALS.test(before.normalize('NFKC'))) return true;
	return answers === 'approval' ? PICTOGRAPH.test(text.replace(AGREEING, '')) : REFUSING.test(text);
}
