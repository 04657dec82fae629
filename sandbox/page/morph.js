import { h, refocused } from './dom.js';

/** @import { Child } from './dom.js' */

/** @param {Node} node */
const idOf = (node) => (node instanceof HTMLElement ? node.dataset['id'] : undefined);

/**
 * @param {Node} one
 * @param {Node} other
 */
function isSameElement(one, other) {
	if (!(one instanceof Element) || !(other instanceof Element)) return false;
	return (
		one.tagName === other.tagName &&
		one.attributes.length === other.attributes.length &&
		[...one.attributes].every(({ name, value }) => other.getAttribute(name) === value)
	);
}

/**
 * @param {Node} present
 * @param {Node} wanted
 */
function adapt(present, wanted) {
	const nodes = [...wanted.childNodes];
	nodes.forEach((node, place) => {
		const old = present.childNodes[place];
		if (!old) present.appendChild(node);
		else if (old.isEqualNode(node)) return;
		else if (isSameElement(old, node)) adapt(old, node);
		else present.replaceChild(node, old);
	});
	while (present.childNodes.length > nodes.length) present.lastChild?.remove();
}

/**
 * Replaces the children of an element but touches only differences. The focus, a playing video and
 * what a screen reader has read stay.
 * `data-id` identifies children. Kept children keep their listeners, so those belong on the element
 * itself.
 * @param {Element} element
 * @param {Child[]} children
 */
export function morph(element, ...children) {
	const wanted = h('div', ...children);
	const ids = new Set([...wanted.children].map(idOf));
	refocused(element, () => {
		for (const child of [...element.children]) if (!ids.has(idOf(child))) child.remove();
		adapt(element, wanted);
	});
}
