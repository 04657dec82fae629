/** An answer as it is compared: case, form and blanks do not count, nor full stops and brackets around it, nor the frame of the emoji digits. */
function normalize(text: string): string {
	return text
		.normalize('NFKC')
		.replace(/[\u{FE0F}\u{20E3}]/gu, '')
		.replace(/\s+/g, ' ')
		.replace(/^[\s"'“”„([*_]+|[\s"'“”)\].,;:!?*_]+$/gu, '')
		.toLowerCase();
}

/** The index that a number from 1 up to the count of choices names. Undefined for every other text. */
function indexNamed(said: string, count: number): number | undefined {
	const number = /^\d{1,3}$/.test(said) ? Number(said) : 0;
	return number >= 1 && number <= count ? number - 1 : undefined;
}

/** The index of the choice that an answer names, by its number or its label. Undefined when it names none. */
export function matchChoice(answer: string | null, choices: readonly string[]): number | undefined {
	if (answer === null) return undefined;
	const said = normalize(answer);
	if (said === '') return undefined;
	// Labels go first: a label may itself be a number.
	const byLabel = choices.findIndex((choice) => normalize(choice) === said);
	return byLabel >= 0 ? byLabel : indexNamed(said, choices.length);
}

/** The choices as lines of a text: `1. Yes`. */
export function listChoices(choices: readonly string[]): string {
	return choices.map((choice, index) => `${index + 1}. ${choice}`).join('\n');
}

/** @throws Error that names the field, when two choices would be the same answer */
export function checkChoices(choices: readonly string[]): void {
	const seen = new Set<string>();
	for (const choice of choices) {
		const said = normalize(choice);
		if (said === '') throw new Error(`"Choices" holds "${choice}", which nobody can answer. Enter words, or remove it.`);
		if (seen.has(said)) throw new Error(`"Choices" holds "${choice}" twice. Enter each choice once.`);
		seen.add(said);
	}
	// "2" must not mean the first choice by its label and the second by its number.
	const misleading = choices.findIndex((choice, index) => (indexNamed(normalize(choice), choices.length) ?? index) !== index);
	if (misleading >= 0) throw new Error(`"Choices" holds "${choices[misleading]}" in place ${misleading + 1}: as an answer it could mean either. Put it in place ${choices[misleading]}, or word it otherwise.`);
}
