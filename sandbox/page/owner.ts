/** The events that a customer's message becomes. */
export const RECEIVED = ['MESSAGE_RECEIVED', 'RECEIVED_STATUS', 'RECEIVED_AND_DELIVERY'];

/** How the nodes describe a webhook of theirs: `n8n workflow "Shop", node "Message"`. */
const WORKFLOW = 'n8n workflow "';
const NODE = '", node "';
/** And of a question, behind that. A time follows. */
const WAITS = '": waits for a reply until ';

/**
 * Until when a question waits for its reply, in milliseconds by n8n's clock. Undefined if the
 * webhook is none of a question, or its description was cut.
 */
export function waitsUntil(description: string | null) {
	const at = description?.startsWith(WORKFLOW) ? description.lastIndexOf(WAITS) : -1;
	const time = at < 0 ? NaN : Date.parse(description?.slice(at + WAITS.length) ?? '');
	return Number.isNaN(time) ? undefined : time;
}

/**
 * The workflow and the node in a webhook's description; of one that was cut, what is left of them.
 * Undefined if it is not of an n8n node. Names can contain quotes, so the outermost ones count.
 */
export function ownerOf(description: string | null) {
	if (!description?.startsWith(WORKFLOW)) return undefined;
	const named = description.slice(WORKFLOW.length);
	const middle = named.lastIndexOf(NODE);
	if (middle < 0) return { workflow: named, node: '' };
	const node = named.slice(middle + NODE.length);
	const end = node.lastIndexOf('"');
	return { workflow: named.slice(0, middle), node: end < 0 ? node : node.slice(0, end) };
}

/** The ID of the workflow that a webhook's node is in. */
export const workflowIdOf = (attributes: Record<string, unknown> = {}) =>
	(attributes['n8n'] as { workflowId?: unknown } | null | undefined)?.workflowId;
