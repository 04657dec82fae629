/** Longest reply that can name a choice, in UTF-16 units. Whoever writes more means something else. */
const ANSWER_MAX = 500;

/**
 * A text as it is compared: case, form and blanks do not count, nor full stops and brackets around it, nor the frame of the emoji digits. A longer one
 * stays as it is: Unicode's forms can grow 18 times, and to order combining marks takes the square of their number.
 */
function normalize(text: string): string {
	if (text.length > ANSWER_MAX) return text;
	return text
		.normalize('NFKC')
		.replace(/[\u{FE0F}\u{20E3}]/gu, '')
		.replace(/\s+/g, ' ')
		.replace(/^[\s"'“”„([*_]+/u, '')
		.replace(/(?<![\s"'“”)\].,;:!?*_])[\s"'“”)\].,;:!?*_]+$/u, '')
		.toLowerCase();
}

/** The index that a number from 1 up to the count of choices names. Undefined for every other text. */
function indexNamed(said: string, count: number): number | undefined {
	const number = /^\d{1,3}$/.test(said) ? Number(said) : 0;
	return number >= 1 && number <= count ? number - 1 : undefined;
}

/** The index of the choice that a reply names by its label. Undefined when it names none. */
export function matchLabel(answer: string | null, choices: readonly string[]): number | undefined {
	if (answer === null || answer.length > ANSWER_MAX) return undefined;
	const said = normalize(answer);
	const index = choices.findIndex((choice) => normalize(choice) === said);
	return said === '' || index < 0 ? undefined : index;
}

/** The index of the choice that a reply names, by its number or its label. Undefined when it names none. */
export function matchChoice(answer: string | null, choices: readonly string[]): number | undefined {
	if (answer === null || answer.length > ANSWER_MAX) return undefined;
	// Labels go first: a label may itself be a number.
	return matchLabel(answer, choices) ?? indexNamed(normalize(answer), choices.length);
}

/** The choices as lines of a text: `1. Yes`. */
export function listChoices(choices: readonly string[]): string {
	return choices.map((choice, index) => `${index + 1}. ${choice}`).join('\n');
}

/** @throws Error that names the field, when two choices would be the same reply */
export function checkChoices(choices: readonly string[]): void {
	const seen = new Set<string>();
	for (const choice of choices) {
		const said = normalize(choice);
		if (said === '')
			throw new Error(
				`"Choices" holds "${choice}", which nobody can answer. Enter words, or remove it.`,
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
			`"Choices" holds "${choices[misleading]}" in place ${misleading + 1}: as an answer it could mean either. Put it in place ${choices[misleading]}, or word it otherwise.`,
		);
}

/**
 * @param fields the names of the fields that hold the labels
 * @throws Error that names the field, when a label is nothing that a person could reply with, or both are the same reply
 */
export function checkLabels(labels: readonly string[], fields: readonly string[]): void {
	const said = labels.map(normalize);
	const empty = said.indexOf('');
	if (empty >= 0)
		throw new Error(
			`"${fields[empty]}" is "${labels[empty]}", which nobody can answer. Enter words.`,
		);
	if (new Set(said).size < said.length)
		throw new Error(
			`${fields.map((field) => `"${field}"`).join(' and ')} are the same words. Enter different ones.`,
		);
}
