/** One error says all that is wrong with a template, so that one run is enough to mend it. */

/** Mistakes that an error names before it counts the others. */
const NAMED_MAX = 5;

class SeveralMistakes extends Error {
	constructor(readonly all: readonly string[]) {
		const named = all.slice(0, NAMED_MAX).map((mistake, at) => `(${at + 1}) ${mistake}`);
		const more = all.length - named.length;
		super(
			`There are ${all.length} mistakes. ${[...named, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ')}`,
		);
	}
}

/** Collects what several checks refuse. */
export class Mistakes {
	/** Words stay words: a text can have thousands of mistakes, and an error for each takes time. */
	readonly #found: unknown[] = [];

	/** @returns what the check gives, or something in its stead if it refuses something */
	or<Given>(instead: Given, check: () => Given): Given {
		try {
			return check();
		} catch (error) {
			this.add(error);
			return instead;
		}
	}

	in(check: () => void): void {
		this.or(undefined, check);
	}

	/** @param mistake an error, or its words */
	readonly add = (mistake: unknown): undefined => {
		this.#found.push(mistake);
	};

	/** @throws the mistake, or an error that names all of them */
	end(): void {
		const [first, ...others] = this.#found;
		if (first === undefined) return;
		if (others.length === 0) throw first instanceof Error ? first : new Error(String(first));
		throw new SeveralMistakes(this.#found.flatMap(wordsOf));
	}
}

function wordsOf(mistake: unknown): readonly string[] {
	if (mistake instanceof SeveralMistakes) return mistake.all;
	return [mistake instanceof Error ? mistake.message : String(mistake)];
}

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

export function requireLength(text: string, most: number, name: string): void {
	if (text.length > most)
		throw new Error(`${name} has ${text.length} characters. It may have at most ${most}.`);
}
