/** When two texts are the same words. In linear time, because no text that is long is read. */
import { asciiDigit } from '../../service/writtenNumber';
import { type Answers, areDoubtful, oddSigns } from './doubtfulWords';
import { alike, withoutHamza } from './sameLetters';
import { bareNumber, onlyNumberIn } from './saidNumbers';

/** Longest text that can name anything, in UTF-16 units. A longer one means something else. */
const TEXT_MAX = 500;

/**
 * The forms by which each label is named: a text names it if one of the text's forms is among them,
 * so hashes of forms can be compared instead. Labels that are equal without signs and accents, or
 * empty, keep these. No forms: no words name the label.
 */
export function formsOfLabels(labels: readonly string[]): string[][] {
	const plain = labels.map((label) => plainForm(label, withoutHamza));
	const numbers = labels.map(numberOf);
	return labels.map((label, index) => {
		const isAlone = onlyOne(plain, index) !== undefined;
		const forms = given([plainForm(label, alike), hamzaForm(label, true)]);
		const others = isAlone ? forms.flatMap((form) => signedForms(form, label)) : [exactForm(label)];
		return given([wholeForm(label), ...others, numberForm(onlyOne(numbers, index))]);
	});
}

/** The entry at the index, unless another one is equal. */
export const onlyOne = <T>(all: readonly T[], index: number): T | undefined =>
	all.indexOf(all[index]!) === all.lastIndexOf(all[index]!) ? all[index] : undefined;

/** The only number that a label holds. */
export const numberOf = (label: string): string | undefined =>
	label.length > TEXT_MAX ? undefined : onlyNumberIn(wholeWords(label));

/** By a label's only number. In a list that shows others, it names none. */
const numberForm = (number: string | undefined): string | undefined =>
	number === undefined ? undefined : `#${number}`;

export const isNumberForm = (form: string): boolean => form.startsWith('#');

/** With each of the odd signs that the label has, or without it. */
function signedForms(form: string, label: string): string[] {
	const signs = oddSigns(label);
	const choices = signs.reduce<string[][]>(
		(all, sign) => all.flatMap((one) => ['', sign].map((kept) => [...one, kept])),
		[[]],
	);
	return [...new Set(choices.map((kept) => signedForm(form, kept)))];
}

const signedForm = (form: string, signs: readonly string[]): string =>
	[form, ...(signs.join('') === '' ? [] : signs)].join('\n');

/**
 * The forms by which a text can name a label, in order: the first that is a label's counts. Words
 * that may mean no have only the first, of a label with the very same signs.
 */
function formsOfText(text: string, answers: Answers): string[] {
	const forms = [wholeForm(text)];
	if (areDoubtful(text, answers)) return given(forms);
	// The last is of questions that an earlier version asked.
	const plain = given([plainForm(text, alike), hamzaForm(text, false), plainForm(text)]);
	const exact = exactForm(text);
	const number = numberForm(bareNumber(exactWords(withoutEmoji(text))));
	if (answers === 'title') return given([...forms, ...plain, exact]);
	if (answers === 'reply') return given([...forms, ...plain, exact, number]);
	const signs = oddSigns(text);
	const isExact = oddSigns(exactWords(text)).join('') === signs.join('');
	return given([
		...forms,
		...plain.map((form) => signedForm(form, signs)),
		isExact ? exact : undefined,
		signs.join('') === '' ? number : undefined,
	]);
}

/** What somebody wrote, and the name under which it came. */
export interface Said {
	text: string | null;
	author: string | null;
}

/** A message, or what is left of it below a first line that is a signature. */
export interface Reading {
	text: string;
	/** By which it can name a label. */
	forms: string[];
	/** Of the first line. If it names a label, it is no signature. */
	signature: string[];
}

export function readingsOf({ text, author }: Said, answers: Answers): Reading[] {
	if (text === null || text.length > TEXT_MAX) return [];
	const whole = { text, forms: formsOfText(text, answers), signature: [] };
	const line = answers === 'title' ? '' : signatureIn(text, author ?? '', answers);
	if (line === '') return [whole];
	const rest = text.slice(line.length);
	const below = { text: rest, forms: formsOfText(rest, answers) };
	return [whole, { ...below, signature: formsOfText(line, 'title') }];
}

/** The readings that count, if `find` gives what a form names. */
export const thoseThatCount = (
	readings: readonly Reading[],
	find: (form: string) => unknown,
): Reading[] =>
	readings.filter(({ signature }) => signature.every((form) => find(form) === undefined));

/** What a message names, by its readings. One function for the question and for the trigger. */
export const namedBy = <T>(
	readings: readonly Reading[],
	find: (form: string) => T | undefined,
): T | undefined =>
	thoseThatCount(readings, find)
		.flatMap(({ forms }) => forms)
		.map(find)
		.find((named) => named !== undefined);

/** Some phones and inboxes write the name above each message, such as `*Ana:*` or `_Ana:_`. */
const SIGNATURE = /^\s*(?:\*[^\n*]+(?::\*|\*:)|_[^\n_]+(?::_|_:))[^\S\n]*\n/u;
/** Others write `Ana:` or `*Ana*`. */
const NAME = /^\s*(?:\*[^\n*:]+\*|[^\s*:][^\n*:]*:)[^\S\n]*\n/u;

/**
 * The first line, if it is a signature. `Not:` looks like a name, so it must be the author's own,
 * or its first words. In front of a reply, what looks like a signature is one.
 */
function signatureIn(text: string, author: string, answers: Answers): string {
	const [signed = ''] = SIGNATURE.exec(text) ?? [];
	if (answers === 'reply' && signed !== '') return signed;
	const [line = ''] = signed === '' ? (NAME.exec(text) ?? []) : [signed];
	const name = plainWords(author);
	const isName = line !== '' && name !== '' && `${name} `.startsWith(`${plainWords(line)} `);
	return isName && (answers === 'reply' || hasSignsOf(line, author)) ? line : '';
}

/** Whether the author's name has all signs of the line. Others may mean no. */
function hasSignsOf(line: string, author: string): boolean {
	const own = author.normalize('NFC');
	const others = line
		.normalize('NFC')
		.replace(/[\p{L}\p{N}\p{Default_Ignorable_Code_Point}\s*_:]+/gu, '');
	return Array.from(others).every((sign) => own.includes(sign));
}

/**
 * Many people leave out all hamzas of an Arabic word, but nobody moves one: ابدأ is "begin",
 * and أبدا "never". So of a label and a text, one has none, or both have the same.
 */
function hamzaForm(text: string, isLabel: boolean): string | undefined {
	const [form, without] = [plainForm(text, alike), plainForm(text, withoutHamza)];
	if ((form === without) === isLabel) return isLabel ? undefined : without;
	return without?.replace('~', '^');
}

function plainForm(text: string, change?: (decomposed: string) => string): string | undefined {
	const words = plainWords(text, change);
	// -2, 2% or +2 is another number than 2.
	const isNumberOnly = /^\d+$/.test(words) && exactWords(withoutEmoji(text)) !== words;
	return words === '' || isNumberOnly ? undefined : `~${words}`;
}

function exactForm(text: string): string | undefined {
	const words = text.length > TEXT_MAX ? '' : exactWords(text);
	return words === '' ? undefined : `=${words}`;
}

const wholeForm = (text: string): string | undefined =>
	exactForm(text) === undefined ? undefined : `"${wholeWords(text)}`;

const given = (forms: ReadonlyArray<string | undefined>): string[] =>
	forms.filter((form) => form !== undefined);

/** Without signs, emoji, case, and accents of Latin, Greek and Cyrillic letters. */
function plainWords(text: string, change = (decomposed: string) => decomposed): string {
	if (text.length > TEXT_MAX) return '';
	return (
		change(withoutEmoji(text).normalize('NFKD'))
			.replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
			.replace(/([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu, '$1')
			// Elsewhere a mark can make another letter. Without one it is part of an emoji.
			.replace(/(^|[^\p{L}\p{M}])\p{M}+/gu, '$1')
			.replace(VOWEL_SIGNS, '')
			.replace(/\p{Nd}/gu, asciiDigit)
			.replace(SIGNS, ' ')
			.trim()
			.toLowerCase()
			.normalize('NFC')
			// Small letters that case and accents leave apart: the Turkish i, a sigma at the end.
			.replace(/[ıłøđςß]/g, (letter) => ALIKE[letter] ?? letter)
	);
}

/**
 * With signs, emoji and accents, but neither case, nor blanks and punctuation around it. A long
 * text stays as it is: normalizing can make it 18 times longer, and ordering combining marks takes
 * time with the square of their number.
 */
export const exactWords = (text: string): string =>
	text.length > TEXT_MAX
		? text
		: oneLine(text.normalize('NFKC'))
				.replace(/^[\s"'“”„([*_]+/u, '')
				.replace(/(?<![\s"'“”)\].,;:!?*_。])[\s"'“”)\].,;:!?*_。]+$/u, '');

/** With every sign that was written, but blanks around it. */
export const wholeWords = (text: string): string =>
	text.length > TEXT_MAX ? text : oneLine(text.normalize('NFC')).trim();

const oneLine = (text: string): string =>
	text
		.replace(INVISIBLE, '')
		.replace(/\p{Nd}/gu, asciiDigit)
		.replace(/\s+/gu, ' ')
		.toLowerCase();

/** Before any other step, because some emoji become letters when they are normalized. */
export const withoutEmoji = (text: string): string =>
	text.replace(/\p{Extended_Pictographic}+/gu, ' ');

/** The Ukrainian apostrophe and the Uzbek one are letters only to Unicode. */
const SIGNS = /(?:[^\p{L}\p{M}\p{N}]|[\u02BB\u02BC])+/gu;

/** Of Arabic and Hebrew, with the line that makes Arabic words longer. Few people type them. */
const VOWEL_SIGNS = /(?:\u0640|[\u064B-\u0652\u0670\u05B0-\u05BD\u05BF\u05C1\u05C2\u05C7])+/gu;

/** Marks that steer writing, and what makes an emoji of a sign or a digit. */
const INVISIBLE =
	/(?:[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]|\u20E3|\uFE0E|\uFE0F)+/gu;

const ALIKE: Record<string, string> = { ı: 'i', ł: 'l', ø: 'o', đ: 'd', ς: 'σ', ß: 'ss' };
