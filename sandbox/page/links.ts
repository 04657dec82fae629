import { h, type Leaf } from './dom.js';
import { harmless } from './media.js';

/** An address in a text. Characters that change the direction of writing are not part of it. */
const ADDRESS = /https?:\/\/[^\s<>"“”«»\p{Bidi_Control}]+/giu;
/** Characters that end a sentence, a quotation or the chat's markup rather than an address. */
const AFTER = new Set(".,;:!?…'’*_~)]}");

/**
 * How many of a word's characters are the address. A closing parenthesis belongs to it if the
 * address contains the opening one.
 */
function lengthOf(word: string) {
	const opening = word.split('(').length;
	let closing = word.split(')').length;
	let length = word.length;
	for (; AFTER.has(word[length - 1] ?? ''); length -= 1) {
		if (word[length - 1] !== ')') continue;
		if (closing <= opening) break;
		closing -= 1;
	}
	return length;
}

/**
 * A stranger's text with its http and https addresses as links. The linked pages learn nothing
 * about this page and cannot reach it.
 */
export function linked(text: string): Leaf[] {
	const parts: Leaf[] = [];
	let end = 0;
	for (const { 0: word, index } of text.matchAll(ADDRESS)) {
		const address = word.slice(0, lengthOf(word));
		const href = harmless(address);
		if (href === undefined) continue;
		parts.push(text.slice(end, index), anchor(href, address));
		end = index + address.length;
	}
	return [...parts, text.slice(end)];
}

const anchor = (href: string, text: string) =>
	h(
		'a',
		{ href, target: '_blank', rel: 'noopener noreferrer', title: href },
		h('bdi', text),
		h('span.visually-hidden', ' (opens in a new tab)'),
	);
