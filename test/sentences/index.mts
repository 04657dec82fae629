import type { Workflow, WorkflowNode } from '../../scripts/n8n/types.mts';
import { answering } from './answering.mts';
import { type Part, PACKAGE, type Sentence } from './parts.mts';
import { starting } from './starting.mts';

/** What people want of the nodes, each with the workflow that is right for it. */
export const sentences: Sentence[] = [...answering, ...starting];

/** The parts of a workflow with all that hangs on them. */
export const partsOf = ({ workflow }: Sentence): Part[] =>
	workflow.flatMap((part) => [
		part,
		...(part.helpers ?? []).map(([, helper]) => helper),
		...(part.otherwise ? [part.otherwise] : []),
	]);

/**
 * Whether it is a node of this package: the trigger, the action, or the action as an agent's tool.
 */
export const isOurs = ({ type }: Part): boolean => type.startsWith(`${PACKAGE}.`);

/**
 * The workflow of a sentence as n8n stores it.
 *
 * @param credentialsOf what a node is given to sign in with
 */
export function workflowOf(
	sentence: Sentence,
	credentialsOf: (part: Part) => WorkflowNode['credentials'],
): Workflow {
	const connections: Workflow['connections'] = {};
	const connect = (from: Part, type: string, to: Part, output = 0) => {
		const outputs = ((connections[from.name] ??= {})[type] ??= []);
		for (let at = outputs.length; at <= output; at++) outputs.push([]);
		outputs[output]!.push({ node: to.name, type, index: 0 });
	};
	sentence.workflow.forEach((part, at) => {
		const next = sentence.workflow[at + 1];
		if (next) connect(part, 'main', next);
		if (part.otherwise) connect(part, 'main', part.otherwise, 1);
		for (const [kind, helper] of part.helpers ?? []) connect(helper, kind, part);
	});
	return {
		name: sentence.wish,
		nodes: partsOf(sentence).map((part, at) => {
			const { name, type, typeVersion, parameters } = part;
			const credentials = credentialsOf(part);
			return {
				id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
				name,
				type,
				typeVersion,
				position: [at * 200, 0],
				parameters,
				...(credentials ? { credentials } : {}),
			};
		}),
		connections,
	};
}
