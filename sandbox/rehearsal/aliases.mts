/**
 * YAML aliases: `*name` repeats what `&name` marks. Some cannot be expanded, or only to more than
 * fits in memory.
 */
import { type Document, isAlias, type Node, visit } from 'yaml';

/** How many repeated values a document may have, nested ones included. */
const MAX_ALIASES = 100;

export interface AliasProblem {
	/** Position of the alias in the text. */
	offset: number;
	what: string;
}

/** The values of a document with its aliases expanded, or the alias that cannot be expanded. */
export function valuesOf(document: Document.Parsed): { values: unknown } | AliasProblem {
	const anchors = new Map<string, Node>();
	let first: { name: string; offset: number } | undefined;
	let problem: AliasProblem | undefined;
	visit(document, {
		Node: (_key, node, ancestors) => {
			if (!isAlias(node)) {
				if ('anchor' in node && node.anchor) anchors.set(node.anchor, node);
				return undefined;
			}
			const name = node.source;
			const offset = node.range?.[0] ?? 0;
			first ??= { name, offset };
			const repeated = anchors.get(name);
			if (!repeated)
				problem = {
					offset,
					what: `*${name} repeats nothing: no &${name} comes before it. A text that begins with * needs quotes`,
				};
			else if (ancestors.includes(repeated))
				problem = {
					offset,
					what: `*${name} repeats a value that contains it. Write the values out instead`,
				};
			return problem && visit.BREAK;
		},
	});
	if (problem) return problem;
	try {
		return { values: document.toJS({ maxAliasCount: MAX_ALIASES }) };
	} catch (error) {
		if (!first) throw error;
		return {
			offset: first.offset,
			what: `aliases such as *${first.name} repeat too much. Write the values out instead`,
		};
	}
}
