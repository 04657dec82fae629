/** Evaluates an example's expression as n8n would. */
import { compileFunction } from 'node:vm';

import type { IDataObject } from 'n8n-workflow';

/** An item of Message → Normalize Recipient. */
export const itemOf = (key: string): IDataObject => ({ recipient: { identifier: key, key } });

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
): unknown {
	const $ = (name: string) => {
		const one = { json: given[name] };
		return { item: one, first: () => one, ...nodes[name] };
	};
	const parts = expression.replace(/^=/, '').split(/\{\{([\s\S]*?)\}\}/);
	const values = parts.map((part, index) =>
		index % 2 === 0
			? part
			: (compileFunction(`return (${part})`, ['$json', '$']) as (...all: unknown[]) => unknown)(
					$json,
					$,
				),
	);
	return values.length === 3 && values[0] === '' && values[2] === '' ? values[1] : values.join('');
}
