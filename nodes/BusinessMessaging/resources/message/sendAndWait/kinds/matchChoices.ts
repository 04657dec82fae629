import { CHAT_LIMITS, REPLY_BUTTONS_MAX } from '../../../../service/contract';
import { type Answers, areDoubtful } from '../../../../shared/texts/doubtfulWords';
import { bareNumber, holdsDigits } from '../../../../shared/texts/saidNumbers';
import type { Said } from '../../../../shared/texts/sameWords';
import {
	exactWords,
	formsOfLabels,
	isNumberForm,
	namedBy,
	numberOf,
	onlyOne,
	readingsOf,
	thoseThatCount,
	wholeWords,
	withoutEmoji,
} from '../../../../shared/texts/sameWords';

export const fitButtons = (choices: readonly string[]): boolean =>
	choices.length > 0 &&
	choices.length <= REPLY_BUTTONS_MAX &&
	choices.every((choice) => choice.length <= CHAT_LIMITS.buttonTitle);

/** @throws Error that names the field, if the label does not fit on a button */
export function checkButtonLabel(label: string, field: string): void {
	if (!fitButtons([label]))
		throw new Error(
			`"${field}" has ${label.length} characters. A button in the chat has room for ${CHAT_LIMITS.buttonTitle}. Enter a shorter text.`,
		);
}

/** The index that a number from 1 to `count` names. Undefined for every other text. */
function indexNamed(said: string, count: number): number | undefined {
	const number = Number(/^\d{1,3}$/.exec(bareNumber(said) ?? '') ?? 0);
	return number >= 1 && number <= count ? number - 1 : undefined;
}

/** The index of the choice whose line in the list was said. @param forms of all */
function indexListed(
	said: string,
	forms: readonly string[][],
	answers: Answers,
): number | undefined {
	const [, number = '', rest = ''] = LISTED.exec(said) ?? [];
	const index = indexNamed(number, forms.length);
	if (index === undefined) return undefined;
	// Exact words can begin with a sign that also stands between the number and the words.
	const words = [rest, rest.replace(/^\. /u, ''), rest.replace(/^[\s.):–—-]+/u, '')];
	const isNamed = words
		.flatMap((text) => readingsOf({ text, author: null }, answers))
		.some((reading) => reading.forms.some((form) => forms[index]?.includes(form)));
	return isNamed ? index : undefined;
}

/** A number and what follows it. `2.5` and `2Tarde` are neither. */
const LISTED =
	/^(\d{1,3}|[一二三四五六七八九十]{1,3})((?![\p{L}\p{M}\p{N}]|[^\p{L}\p{N}\s]+\p{N}).+)$/su;

/** The index of the label that words name. Undefined if they name none. */
export const matchLabel = (
	said: Said,
	labels: readonly string[],
	answers: Answers,
): number | undefined => namedBy(readingsOf(said, answers), finderIn(formsOfLabels(labels)));

export const matchTitle = (text: string | null, labels: readonly string[]): number | undefined =>
	matchLabel({ text, author: null }, labels, 'title');

const finderIn =
	(forms: readonly string[][]) =>
	(form: string): number | undefined => {
		const index = forms.findIndex((ofLabel) => ofLabel.includes(form));
		return index < 0 ? undefined : index;
	};

/** The index of the choice that a reply names by its number or words. Undefined if none. */
export function matchChoice(
	said: Said,
	choices: readonly string[],
	answers: Answers,
): number | undefined {
	const isList = !fitButtons(choices);
	const forms = formsOfLabels(choices);
	const ofWords = forms.map((ofLabel) => ofLabel.filter((form) => !isNumberForm(form)));
	const find = finderIn(isList ? ofWords : forms);
	const readings = readingsOf(said, answers);
	// Buttons show no numbers, so beside digits in a label nobody means a place.
	const arePlaces = isList || !choices.some(holdsDigits);
	// Words first: they may themselves be a number.
	const named = namedBy(readings, find);
	if (named !== undefined) return named;
	return thoseThatCount(readings, find)
		.flatMap(({ text }) => [
			// As a list shows it: exact words change some signs.
			wholeWords(text),
			...(areDoubtful(text, answers) ? [] : [exactWords(text), exactWords(withoutEmoji(text))]),
		])
		.map(
			(words) =>
				(arePlaces ? indexNamed(words, choices.length) : undefined) ??
				indexListed(words, ofWords, answers),
		)
		.find((index) => index !== undefined);
}

/** The choices as lines of a text: `1. Yes`. */
export const listChoices = (choices: readonly string[]): string =>
	choices.map((choice, index) => `${index + 1}. ${choice}`).join('\n');

/** @throws Error that names the field, if two choices could be the same reply */
export function checkChoices(choices: readonly string[]): void {
	const seen = new Set<string>();
	for (const choice of choices) {
		const said = exactWords(choice);
		if (said === '')
			throw new Error(
				`"Choices" holds "${choice}", which nobody can reply with. Enter words, or remove it.`,
			);
		if (seen.has(said))
			throw new Error(`"Choices" holds "${choice}" twice. Enter each choice once.`);
		seen.add(said);
	}
	if (fitButtons(choices)) return;
	// "2" must not mean the first choice by its label and the second by its number.
	const numbers = choices.map(numberOf);
	for (const [index, choice] of choices.entries()) {
		const number = onlyOne(numbers, index) ?? '';
		if ((indexNamed(number, choices.length) ?? index) !== index)
			throw new Error(
				`"Choices" holds "${choice}" in position ${index + 1}. As a reply, ${number} could mean either. Move it to position ${number}, or use other words.`,
			);
	}
}

/** @throws Error that names a field whose label nobody can reply with, or that is there twice */
export function checkLabels(labels: readonly string[], fields: readonly string[]): void {
	const said = labels.map(exactWords);
	const empty = said.indexOf('');
	if (empty >= 0)
		throw new Error(
			`"${fields[empty]}" is "${labels[empty]}", which nobody can reply with. Enter words.`,
		);
	if (new Set(said).size < said.length)
		throw new Error(
			`${fields.map((field) => `"${field}"`).join(' and ')} are the same words. Enter different ones.`,
		);
}
