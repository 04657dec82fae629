import { cutText, cutToEnd } from '../cutText';

/** The variables in a text of a template: `{{1}}` or `{{customer_name}}`. Source: published. */
const PLACEHOLDER = /\{\{(\w{1,64})\}\}/g;

/**
 * @returns the names of the variables of a text, each once: numbers in their order, names in the
 * order of the text. A sent template gives its values in this order.
 */
export function placeholdersIn(text: string): string[] {
	const names = [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name))];
	return names.every(isNumber) ? names.sort((left, right) => Number(left) - Number(right)) : names;
}

/** Whether a variable has a number, and no name. */
export const isNumber = (name: string): boolean => /^\d+$/.test(name);

/** Puts values in place of a text's variables. A variable without a value stays as it is. */
export const fillIn = (text: string, valueOf: (name: string) => string | undefined): string =>
	text.replace(PLACEHOLDER, (placeholder, name: string) => valueOf(name) ?? placeholder);

/** Characters that are shown on each side of a variable. */
const AROUND = 16;

/** Reads the text once. @returns what gives the words around a variable: `Hello …, your order` */
export function wordsAround(text: string): (name: string) => string {
	const places = new Map<string, number>();
	let shown = '';
	let end = 0;
	for (const { 0: placeholder, 1: name = '', index } of text.matchAll(PLACEHOLDER)) {
		shown += text.slice(end, index);
		if (!places.has(name)) places.set(name, shown.length);
		shown += '…';
		end = index + placeholder.length;
	}
	shown += text.slice(end);
	return (name) => wordsAt(shown, places.get(name) ?? 0);
}

function wordsAt(shown: string, place: number): string {
	// One character more tells whether a word is cut.
	const before = nearest(lastWords(shown.slice(Math.max(0, place - AROUND - 1), place)));
	const after = firstWords(shown.slice(place + 1, place + 1 + AROUND + 1));
	return `${before}…${after}`.replace(/\s+/g, ' ').trim();
}

/** The words behind the variable before, if there are any: two variables then begin differently. */
function nearest(before: string): string {
	const words = before.slice(before.lastIndexOf('…') + 1).replace(/^[^\p{L}\p{N}]+/u, '');
	return words || before;
}

const lastWords = (text: string): string =>
	text.length <= AROUND ? text : cutToEnd(text, AROUND).replace(/^\S*\s/, '');
const firstWords = (text: string): string =>
	text.length <= AROUND ? text : cutText(text, AROUND).replace(/\s\S*$/, '');
