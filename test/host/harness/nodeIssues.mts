/** What the editor of a real n8n says of a node. */
import { type INodeParameters, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import type { WorkflowNode } from '#scripts/n8n/types.mts';

export function typeOf(
	types: readonly INodeTypeDescription[],
	{ type, typeVersion }: WorkflowNode,
): INodeTypeDescription {
	const found = types.find(
		({ name, version }) => name === type && [version].flat().includes(typeVersion),
	);
	if (!found) throw new Error(`this n8n has no ${type} ${typeVersion}`);
	return found;
}

/** What the editor would mark on the node, by parameter. */
export function issuesOf(
	types: readonly INodeTypeDescription[],
	node: WorkflowNode,
): Record<string, string[]> {
	const description = typeOf(types, node);
	const opened = { ...node, parameters: understood(types, node) };
	return (
		NodeHelpers.getNodeParametersIssues(description.properties, opened, description)?.parameters ??
		{}
	);
}

/** The node's parameters as this n8n reads them: without unknown and hidden ones, with defaults. */
export function understood(
	types: readonly INodeTypeDescription[],
	node: WorkflowNode,
): INodeParameters {
	const description = typeOf(types, node);
	return (
		NodeHelpers.getNodeParameters(
			description.properties,
			node.parameters,
			true,
			false,
			node,
			description,
		) ?? {}
	);
}
