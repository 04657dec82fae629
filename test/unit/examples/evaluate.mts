/** Evaluates expressions and code of the examples as n8n would. */
import { compileFunction } from 'node:vm';

import type { IDataObject } from 'n8n-workflow';

import { sessionIdOf } from '#nodes/delivery/event/chatInput.ts';
import { readExample } from '#scripts/n8n/provision.mts';
import type { WorkflowNode } from '#scripts/n8n/types.mts';

/** An item of Message → Normalize Recipient, on a channel as it was entered. */
export const itemOf = (key: string, channelId?: string): IDataObject => ({
	recipient: {
		...{ identifier: key, key },
		...(channelId !== undefined && { sessionId: sessionIdOf(channelId, key) }),
	},
});

/**
 * @param given the items of other nodes, by their names
 * @param nodes what else `$('…')` has, such as `params`
 * @returns the value; of words around expressions the text
 */
export function evaluate(
	expression: string,
	$json: IDataObject,
	given: Record<string, IDataObject> = {},
	nodes: Record<string, IDataObject> = {},
	$execution: IDataObject = {},
	$now: unknown = undefined,
): unknown {
	const $ = (name: string) => {
		const one = { json: given[name] };
		return { item: one, first: () => one, ...nodes[name] };
	};
	const $node = Object.fromEntries(Object.entries(given).map(([name, json]) => [name, { json }]));
	const parts = expression.replace(/^=/, '').split(/\{\{([\s\S]*?)\}\}/);
	const values = parts.map((part, index) =>
		index % 2 === 0
			? part
			: (
					compileFunction(`return (${part})`, ['$json', '$', '$execution', '$now', '$node']) as (
						...all: unknown[]
					) => unknown
				)($json, $, $execution, $now, $node),
	);
	return values.length === 3 && values[0] === '' && values[2] === '' ? values[1] : values.join('');
}

export function nodeOf(example: string, name: string): WorkflowNode {
	const found = readExample(example).nodes.find((node) => node.name === name);
	if (!found) throw new Error(`${example} has no node '${name}'`);
	return found;
}

/** The nodes behind a node's first output. n8n goes from top to bottom, each branch to its end. */
export const nextOf = (example: string, name: string): string[] =>
	(readExample(example).connections[name]?.main?.[0] ?? [])
		.map(({ node }) => nodeOf(example, node))
		.sort((one, other) => one.position[1] - other.position[1])
		.map((node) => node.name);

/** A condition's left side, of an If, a Filter or a Switch with one. */
export const conditionOf = (example: string, name: string): string =>
	(nodeOf(example, name).parameters.conditions as { conditions: Array<{ leftValue: string }> })
		.conditions[0]!.leftValue;

/** The first condition of each of a Switch's outputs. */
export const rulesOf = (example: string, name: string): string[] =>
	(
		nodeOf(example, name).parameters.rules as unknown as {
			values: Array<{ conditions: { conditions: Array<{ leftValue: string }> } }>;
		}
	).values.map(({ conditions }) => conditions.conditions[0]!.leftValue);

/** The value of a field that a Set node makes. */
export const assignedBy = (example: string, name: string, field: string): string =>
	(
		nodeOf(example, name).parameters.assignments as {
			assignments: Array<{ name: string; value: string }>;
		}
	).assignments.find((one) => one.name === field)!.value;

/** Runs a Code node. @param given the items of other nodes, by their names; its own are `''` */
export function runCode<T = IDataObject>(
	example: string,
	name: string,
	given: Record<string, IDataObject[]>,
): T[] {
	const itemsOf = (node: string) => {
		const items = (given[node] ?? []).map((json) => ({ json }));
		return { all: () => items, first: () => items[0], item: items[0] };
	};
	const code = String(nodeOf(example, name).parameters.jsCode);
	const run = compileFunction(code, ['$', '$input', '$json']) as (
		...all: unknown[]
	) => Array<{ json: T }> | { json: T };
	return [run(itemsOf, itemsOf(''), given['']?.[0])].flat().map(({ json }) => json);
}
