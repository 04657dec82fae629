import { CHAT_LIMITS, REPLY_BUTTONS_MAX } from '../../../../service/contract';
import { type Answers, areDoubtful } from '../../../../shared/texts/doubtfulWords';
import type { Said } from '../../../../shared/texts/sameWords';
import {
	exactWords,
	formsOfLabels,
	namedBy,
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
	const number = /^\d{1,3}$/.test(said) ? Number(said) : chineseNumber(said);
	return number >= 1 && number <= count ? number - 1 : undefined;
}

/** A number from 1 to 99 in Chinese and Japanese signs. 0 for every other text. */
function chineseNumber(said: string): number {
	const [, tens, units = ''] =
		/^([二三四五六七八九]?十)?([一二三四五六七八九])?$/u.exec(said) ?? [];
	const ofTens = tens === undefined ? 0 : Math.max(1, DIGITS.indexOf(tens.charAt(0)) % 10);
	return ofTens * 10 + Math.max(0, DIGITS.indexOf(units || '〇'));
}

const DIGITS = '〇一二三四五六七八九十';

/** The index of the choice whose number, or line in the list, was said. @param forms of all */
function indexListed(
	said: string,
	forms: readonly string[][],
	answers: Answers,
): number | undefined {
	const alone = indexNamed(said, forms.length);
	if (alone !== undefined) return alone;
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
	const forms = formsOfLabels(choices);
	const find = finderIn(forms);
	const readings = readingsOf(said, answers);
	// Words first: they may themselves be a number.
	const named = namedBy(readings, find);
	if (named !== undefined) return named;
	return thoseThatCount(readings, find)
		.flatMap(({ text }) => [
			// As a list shows it: exact words change some signs.
			wholeWords(text),
			...(areDoubtful(text, answers) ? [] : [exactWords(text), exactWords(withoutEmoji(text))]),
		])
		.map((words) => indexListed(words, forms, answers))
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
	// "2" must not mean the first choice by its label and the second by its number.
	const misleading = choices.findIndex(
		(choice, index) => (indexNamed(exactWords(choice), choices.length) ?? index) !== index,
	);
	if (misleading >= 0)
		throw new Error(
			`"Choices" holds "${choices[misleading]}" in position ${misleading + 1}. As a reply, it could mean either. Move it to position ${choices[misleading]}, or use other words.`,
		);
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
