import type { INode, INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node.ts';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node.ts';
import { type OutputSchema, outputSchemas } from '../../../scripts/outputSchemas.mts';
import { isOurs, partsOf, sentences } from '../../sentences/index.mts';
import type { Part, Sentence } from '../../sentences/parts.mts';

const action = new BusinessMessaging().description;
const trigger = new BusinessMessagingTrigger().description;
const descriptionOf = ({ type }: Part) => (type.endsWith('Trigger') ? trigger : action);
const ours = (sentence: Sentence) => partsOf(sentence).filter(isOurs);

test('each sentence has a node of this package, and together they use every operation, source and way to reply', () => {
	for (const sentence of sentences)
		expect([sentence.wish, ours(sentence)]).not.toEqual([sentence.wish, []]);
	const all = sentences.flatMap(ours);
	const used = (name: string) => new Set(all.map(({ parameters }) => parameters[name]));
	const operations = action.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options, displayOptions }) =>
			(options as INodePropertyOptions[]).map(
				({ value }) => `${String(displayOptions?.show?.resource?.[0])} ${String(value)}`,
			),
		);
	expect(new Set(all.filter((part) => descriptionOf(part) === action).map(operationOf))).toEqual(
		new Set(operations),
	);
	expect(used('source')).toContain('template');
	expect([...used('responseType')]).toEqual(
		expect.arrayContaining(['approval', 'customForm', 'freeText', 'replyInChat']),
	);
});

const operationOf = ({ parameters }: Part) =>
	`${String(parameters.resource)} ${String(parameters.operation)}`;

test.each(sentences.map((sentence) => [sentence.wish, sentence] as const))(
	'%s: it sets fields that the nodes have, and reads fields that they give',
	(_wish, sentence) => {
		expect(ours(sentence).flatMap(faultsOf)).toEqual([]);
		expect(unknownPathsOf(sentence)).toEqual([]);
	},
);

test('no field that n8n fills by itself is required, because n8n 2 stores none and then refuses to publish', () => {
	const filledAndRequired = [...action.properties, ...trigger.properties].filter(
		({ required, default: initial }) => required && typeof initial === 'string' && initial !== '',
	);
	expect(filledAndRequired.map(({ name }) => name)).toEqual([]);
});

test.each<[string, object, string]>([
	['a field that the node does not have', { txt: 'a' }, 'not shown: txt'],
	['a field of another operation', { mediaUrl: 'https://example.com' }, 'not shown: mediaUrl'],
	['nothing where something is required', { text: '' }, 'missing: text'],
	['an operation that there is not', { operation: 'sendFax' }, 'operation: sendFax'],
	['an option that there is not', { options: { color: 'red' } }, 'not shown: options'],
])('finds %s', (_what, parameters, fault) => {
	const [, sent] = sentences[0]!.workflow;
	const changed = { ...sent!, parameters: { ...sent!.parameters, ...parameters } };
	expect(faultsOf(changed)).toContain(fault);
});

test('finds an unknown choice inside a collection, and a path that no node gives', () => {
	const asked = sentences.flatMap(ours).find(({ parameters }) => parameters.approvalOptions)!;
	const approvalOptions = { values: { approvalType: 'fax' } };
	expect(faultsOf({ ...asked, parameters: { ...asked.parameters, approvalOptions } })).toEqual([
		'approvalType: fax',
	]);
	const [happened, sent] = sentences[0]!.workflow;
	const reading = (text: string): Sentence => ({
		wish: '',
		workflow: [happened!, { ...sent!, parameters: { text } }],
	});
	expect(unknownPathsOf(reading('={{ $json.sender?.phone }}'))).toEqual(['.sender?.phone']);
	expect(unknownPathsOf(reading("={{ $('When It Happens').item.json.words }}"))).toEqual([
		'.words',
	]);
	expect(unknownPathsOf(reading('={{ $json.text?.trim() }}'))).toEqual([]);
});

/** What is wrong with the parameters of a node, by n8n's own check. */
function faultsOf(part: Part): string[] {
	const description = descriptionOf(part);
	const { properties } = description;
	const node: INode = { ...part, id: part.name, position: [0, 0] };
	// n8n leaves out fields that a node does not have or does not show.
	const shown =
		NodeHelpers.getNodeParameters(properties, part.parameters, true, false, node, description) ??
		{};
	// n8n checks what is stored before it publishes a workflow.
	const issues = NodeHelpers.getNodeParametersIssues(properties, node, description);
	return [
		...Object.entries(part.parameters)
			.filter(([name, value]) => !holds(shown[name], value))
			.map(([name]) => `not shown: ${name}`),
		...Object.keys(issues?.parameters ?? {}).map((name) => `missing: ${name}`),
		// A field that is shown in one of several cases is there for each.
		...new Set(notOffered(properties, part.parameters)),
	];
}

/** Whether a value has everything that another has. */
function holds(value: unknown, part: unknown): boolean {
	if (typeof part !== 'object' || part === null) return value === part;
	if (typeof value !== 'object' || value === null) return false;
	return Object.entries(part).every(([name, inner]) =>
		holds((value as Record<string, unknown>)[name], inner),
	);
}

/** Paths in expressions that are not in the schema of the node they read. */
function unknownPathsOf({ workflow }: Sentence): string[] {
	return workflow.flatMap((part, at) => {
		const texts = [part, ...(part.helpers ?? []).map(([, helper]) => helper), part.otherwise]
			.map((of) => JSON.stringify(of?.parameters ?? {}))
			.join();
		return [
			...unknownIn(schemaBefore(workflow.slice(0, at)), texts, /\$json((?:\??\.\w+)+)/g),
			...unknownIn(
				schemaOf(workflow[0]!),
				texts,
				/\$\('When It Happens'\)\.item\.json((?:\??\.\w+)+)/g,
			),
		];
	});
}

/** Choices that a list does not have, by their field's name. */
function notOffered(properties: INodeProperties[], values: INodeParameters): string[] {
	return Object.entries(values).flatMap(([name, value]) => {
		const fields = properties.filter((property) => property.name === name);
		const choices = fields.filter(({ type }) => type === 'options' || type === 'multiOptions');
		if (choices.length > 0) {
			const offered = choices.flatMap(({ options }) =>
				(options as INodePropertyOptions[]).map((option) => option.value),
			);
			return [value]
				.flat()
				.filter((chosen) => !offered.includes(chosen as string))
				.map((chosen) => `${name}: ${String(chosen)}`);
		}
		return fields.flatMap(({ type, options = [] }) => {
			if (type === 'collection')
				return notOffered(options as INodeProperties[], value as INodeParameters);
			if (type !== 'fixedCollection') return [];
			return options.flatMap((group) => {
				const rows = [(value as INodeParameters)[group.name] ?? []].flat() as INodeParameters[];
				return 'values' in group ? rows.flatMap((row) => notOffered(group.values, row)) : [];
			});
		});
	});
}

/** Nodes that pass on their input. */
const PASSING = /\.(filter|if|wait)$/;

/** The input of a node after these. Undefined if a node of n8n makes it. */
function schemaBefore(parts: Part[]): OutputSchema | undefined {
	const last = parts.findLast(({ type }) => !PASSING.test(type));
	return last && schemaOf(last);
}

function schemaOf(part: Part): OutputSchema | undefined {
	const { resource, operation, output } = part.parameters;
	if (!isOurs(part) || output === 'raw' || operation === 'downloadAttachments') return undefined;
	const place = [`v${part.typeVersion}.0.0`, resource, operation].filter(Boolean).join('/');
	return outputSchemas().get(`__schema__/${place}.json`);
}

/**
 * Paths in expressions that a schema does not have. After a text or a list, the rest is
 * JavaScript's.
 */
function unknownIn(schema: OutputSchema | undefined, texts: string, pattern: RegExp): string[] {
	if (!schema) return [];
	return [...texts.matchAll(pattern)]
		.map(([, path = '']) => path)
		.filter((path) => {
			let at: OutputSchema | undefined = schema;
			for (const name of path.split(/\??\./).slice(1)) {
				if (!at?.properties) return false;
				at = at.properties[name];
				if (!at) return true;
			}
			return false;
		});
}
