/** The variables in a text of a template: `{{1}}` or `{{customer_name}}`. Source: published. */
const PLACEHOLDER = /\{\{(\w{1,64})\}\}/g;

/**
 * @returns the names of the variables of a text, each once: numbers in their order, names in the
 * order of the text. A sent template gives its values in this order.
 */
export function placeholdersIn(text: string): string[] {
	const names = [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name))];
	const isNumbered = names.every((name) => /^\d+$/.test(name));
	return isNumbered ? names.sort((left, right) => Number(left) - Number(right)) : names;
}

/** Puts values in place of a text's variables. A variable without a value stays as it is. */
export const fillIn = (text: string, valueOf: (name: string) => string | undefined): string =>
	text.replace(PLACEHOLDER, (placeholder, name: string) => valueOf(name) ?? placeholder);

/** Characters that are shown on each side of a variable. */
const AROUND = 24;

/** @returns the words around a variable, with "…" in its place: "Hello …, your order" */
export function wordsAround(text: string, name: string): string {
	const [before = '', ...rest] = text.split(`{{${name}}}`);
	const after = rest.join('…');
	const start = lastWords(fillIn(before, () => '…'));
	const end = firstWords(fillIn(after, () => '…'));
	return `${start}…${end}`.replace(/\s+/g, ' ').trim();
}

const lastWords = (text: string): string =>
	text.length <= AROUND ? text : text.slice(-AROUND).replace(/^\S*\s/, '');
const firstWords = (text: string): string =>
	text.length <= AROUND ? text : text.slice(0, AROUND).replace(/\s\S*$/, '');
