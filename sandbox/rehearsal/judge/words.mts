/** The built-in judge: plain words, in any case of letters. */
import type { Pattern } from '../pattern.mts';

/** What is wrong with the words of a text. Undefined if nothing is. */
export function wrongWordsIn(
	text: string,
	{ contains = [], containsNone = [] }: Pattern,
): string | undefined {
	const plain = text.toLowerCase();
	const isIn = (phrase: string) => plain.includes(phrase.toLowerCase());
	const problems = [
		...contains.filter((phrase) => !isIn(phrase)).map((phrase) => `does not contain '${phrase}'`),
		...containsNone.filter(isIn).map((phrase) => `contains '${phrase}'`),
	];
	return problems.length === 0 ? undefined : problems.join(' and ');
}
