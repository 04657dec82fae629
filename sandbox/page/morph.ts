import { h, refocused, type Child } from './dom.js';

const idOf = (node: Node) => (node instanceof HTMLElement ? node.dataset['id'] : undefined);

function isSameElement(one: Node, other: Node) {
	if (!(one instanceof Element) || !(other instanceof Element)) return false;
	return (
		one.tagName === other.tagName &&
		one.attributes.length === other.attributes.length &&
		[...one.attributes].every(({ name, value }) => other.getAttribute(name) === value)
	);
}

function adapt(present: Node, wanted: Node) {
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
 */
export function morph(element: Element, ...children: Child[]) {
	const wanted = h('div', ...children);
	const ids = new Set([...wanted.children].map(idOf));
	refocused(element, () => {
		for (const child of [...element.children]) if (!ids.has(idOf(child))) child.remove();
		adapt(element, wanted);
	});
}
