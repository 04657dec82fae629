import { REPLY_BUTTONS_MAX } from '../../../../service/contract';

/** Longest title that chat applications show whole, in UTF-16 units. */
export const BUTTON_TITLE_MAX = 20;

/** Whether choices can be buttons. */
export const fitButtons = (choices: readonly string[]): boolean =>
	choices.length > 0 &&
	choices.length <= REPLY_BUTTONS_MAX &&
	choices.every((choice) => choice.length <= BUTTON_TITLE_MAX);

/** @throws Error that names the field, if the label does not fit on a button */
export function checkButtonLabel(label: string, field: string): void {
	if (!fitButtons([label]))
		throw new Error(
			`"${field}" has ${label.length} characters. A button in the chat has room for ${BUTTON_TITLE_MAX}. Enter a shorter text.`,
		);
}

/** Longest reply that can name a choice, in UTF-16 units. A longer one means something else. */
const REPLY_MAX = 500;

/**
 * The form in which texts are compared. It ignores case, Unicode form, blanks, punctuation around
 * the text, and the frame of emoji digits. A long text stays as it is: normalizing can make it 18
 * times longer, and ordering combining marks takes time with the square of their number.
 */
function normalize(text: string): string {
	if (text.length > REPLY_MAX) return text;
	return text
		.normalize('NFKC')
		.replace(/[\u{FE0F}\u{20E3}]/gu, '')
		.replace(/\s+/g, ' ')
		.replace(/^[\s"'“”„([*_]+/u, '')
		.replace(/(?<![\s"'“”)\].,;:!?*_])[\s"'“”)\].,;:!?*_]+$/u, '')
		.toLowerCase();
}

/** The index that a number from 1 to `count` names. Undefined for every other text. */
function indexNamed(said: string, count: number): number | undefined {
	const number = /^\d{1,3}$/.test(said) ? Number(said) : 0;
	return number >= 1 && number <= count ? number - 1 : undefined;
}

/** The index of the choice that a reply names by its label. Undefined if it names none. */
export function matchLabel(text: string | null, choices: readonly string[]): number | undefined {
	if (text === null || text.length > REPLY_MAX) return undefined;
	const said = normalize(text);
	const index = choices.findIndex((choice) => normalize(choice) === said);
	return said === '' || index < 0 ? undefined : index;
}

/** The index of the choice that a reply names by its number or label. Undefined if none. */
export function matchChoice(text: string | null, choices: readonly string[]): number | undefined {
	if (text === null || text.length > REPLY_MAX) return undefined;
	// Labels first: a label may itself be a number.
	return matchLabel(text, choices) ?? indexNamed(normalize(text), choices.length);
}

/** The choices as lines of a text: `1. Yes`. */
export function listChoices(choices: readonly string[]): string {
	return choices.map((choice, index) => `${index + 1}. ${choice}`).join('\n');
}

/** @throws Error that names the field, if two choices could be the same reply */
export function checkChoices(choices: readonly string[]): void {
	const seen = new Set<string>();
	for (const choice of choices) {
		const said = normalize(choice);
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
		(choice, index) => (indexNamed(normalize(choice), choices.length) ?? index) !== index,
	);
	if (misleading >= 0)
		throw new Error(
			`"Choices" holds "${choices[misleading]}" in position ${misleading + 1}. As a reply, it could mean either. Move it to position ${choices[misleading]}, or use other words.`,
		);
}

/**
 * @param fields the names of the fields that hold the labels
 * @throws Error that names the field, if nobody can reply with a label, or two are the same reply
 */
export function checkLabels(labels: readonly string[], fields: readonly string[]): void {
	const said = labels.map(normalize);
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
