/** How the nodes describe a webhook of theirs: `n8n workflow "Shop", node "Message"`. */
const WORKFLOW = 'n8n workflow "';
const NODE = '", node "';

/**
 * The workflow and the node in a webhook's description; of one that was cut, what is left of them.
 * Undefined if it is not of an n8n node. Names can contain quotes, so the outermost ones count.
 * @param {string | null} description
 */
export function ownerOf(description) {
	if (!description?.startsWith(WORKFLOW)) return undefined;
	const named = description.slice(WORKFLOW.length);
	const middle = named.lastIndexOf(NODE);
	if (middle < 0) return { workflow: named, node: '' };
	const node = named.slice(middle + NODE.length);
	const end = node.lastIndexOf('"');
	return { workflow: named.slice(0, middle), node: end < 0 ? node : node.slice(0, end) };
}
