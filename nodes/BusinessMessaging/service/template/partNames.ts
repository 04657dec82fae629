/** How errors name the parts of a definition, and where its examples are entered. */
export interface PartNames {
	header: string;
	body: string;
	footer: string;
	/** @param index of the button, from 0 on */
	button: (index: number) => string;
	buttons: string;
	examples: string;
	/** For the variable of a header, if it has a place of its own. */
	headerExample?: string;
}

/** In a list of components. */
export const PARTS_OF_LIST: PartNames = {
	header: 'The HEADER of "Components"',
	body: 'The BODY of "Components"',
	footer: 'The FOOTER of "Components"',
	button: (index) => `Button ${index + 1} of "Components"`,
	buttons: 'BUTTONS of "Components"',
	examples: 'the "example" beside it',
};

/** The end of what is said of a template, and sent anyway. */
export const MAYBE_REFUSED = 'The chat application may refuse that.';

export function checkLength(text: string, most: number, name: string): void {
	if (text.length > most)
		throw new Error(`${name} has ${text.length} characters. It may have at most ${most}.`);
}
