/** How the nodes describe a webhook of theirs: `n8n workflow "Shop", node "Message"`. */
const WORKFLOW = 'n8n workflow "';
const NODE = '", node "';

/**
 * The workflow and the node in a webhook's description. Undefined if it is not of an n8n node.
 * Names can contain quotes, so the outermost ones count.
 * @param {string | null} description
 */
export function ownerOf(description) {
	const middle = description?.lastIndexOf(NODE) ?? -1;
	if (!description?.startsWith(WORKFLOW) || middle < WORKFLOW.length) return undefined;
	const node = description.slice(middle + NODE.length);
	const end = node.lastIndexOf('"');
	return {
		workflow: description.slice(WORKFLOW.length, middle),
		// A long description is cut.
		node: end < 0 ? node : node.slice(0, end),
	};
}
