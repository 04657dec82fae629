import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodePropertyOptions } from 'n8n-workflow';

import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import { BusinessMessagingTrigger } from '#nodes/BusinessMessagingTrigger.node.ts';
import { checkout } from '#scripts/checkout.mts';
import { exampleNames, readExample } from '#scripts/n8n/provision.mts';

const [, ...sections] = readFileSync(join(checkout, 'docs/how-do-i.md'), 'utf8').split(/^## /m);
const answers = sections.map((section) => {
	const [question = '', ...answer] = section.split('\n');
	return [question, answer.join('\n')] as const;
});

const nodes = [new BusinessMessaging(), new BusinessMessagingTrigger()];

/** Every name that a description shows, of fields, options and option values. */
function namesIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(namesIn);
	if (typeof value !== 'object' || value === null) return [];
	const { displayName, name } = value as { displayName?: unknown; name?: unknown };
	return [displayName, name, ...Object.values(value).flatMap(namesIn)].filter(
		(text) => typeof text === 'string',
	);
}

const { properties } = new BusinessMessaging().description;
const choicesOf = (field: string, resource?: unknown) =>
	properties
		.filter(
			({ name, displayOptions }) =>
				name === field &&
				(resource === undefined || displayOptions?.show?.resource?.[0] === resource),
		)
		.flatMap(({ options }) => options as INodePropertyOptions[]);
/** In the form `Resource → Operation`. */
const operations = choicesOf('resource').flatMap((resource) =>
	choicesOf('operation', resource.value).map(({ name }) => `${resource.name} → ${name}`),
);

const shown = new Set([
	...nodes.flatMap(({ description }) => namesIn(description)),
	...exampleNames().map((example) => readExample(example).name),
	// As n8n names its own setting of a node.
	'On Error',
]);

const boldIn = (answer: string): string[] =>
	[...answer.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name);
const italicsIn = (answer: string): string[] =>
	[...answer.replace(/\*\*/g, '').matchAll(/\*([^*]+)\*/g)].map(([, name = '']) => name);

test('a lookup can fail', () => {
	expect(operations).toContain('Message → Send Text');
	expect(operations).not.toContain('Message → Send Document');
	expect(shown).not.toContain('Send Document');
	expect(answers.length).toBeGreaterThan(15);
});

/** The sentences about an example. "Has both" and "does so" mean the whole answer. */
const saidOf = (answer: string, example: string): string =>
	answer
		.split(/(?<=[.:])\s+/)
		.filter((sentence) => sentence.includes(`(../workflows/${example}.json)`))
		.map((sentence) =>
			/\bha(?:s|ve) (?:both|it)\b|\bdo(?:es)? so\b/.test(sentence) ? answer : sentence,
		)
		.join(' ');

/** How the JSON of a workflow names what the editor shows, in all fields of that name. */
const codesOf = (label: string): unknown[] => {
	const found = nodes.flatMap(({ description }) => codesIn(description, label));
	return found.length > 0 ? found : [label];
};
function codesIn(value: unknown, label: string): unknown[] {
	if (typeof value !== 'object' || value === null) return [];
	const { displayName, name, value: code } = value as Record<string, unknown>;
	const own = displayName === label ? [name] : name === label && code !== undefined ? [code] : [];
	return [...own, ...Object.values(value).flatMap((inner) => codesIn(inner, label))];
}
/** An expression or a field, without the braces around it and the value behind it. */
const codeIn = (span: string): string => span.replace(/^\{\{\s*|\s*\}\}$|: .*$/g, '');

test.each(
	answers.flatMap(([question, answer]) =>
		exampleNames()
			.map((example) => [question, example, saidOf(answer, example)] as const)
			.filter(([, , said]) => said !== ''),
	),
)('%s: %s has what the answer says of it', (_, example, said) => {
	const { nodes: all } = readExample(example);
	const json = JSON.stringify(all);
	const own = italicsIn(said).filter(
		(name) => !exampleNames().some((one) => readExample(one).name === name),
	);
	for (const name of own)
		expect(codesOf(name).some((code) => json.includes(String(code)))).toBe(true);
	for (const [, span = ''] of said.matchAll(/`([^`]+)`/g)) expect(json).toContain(codeIn(span));
	for (const name of boldIn(said)) {
		const [resource, operation] = name.split(' → ');
		const codes = choicesOf('operation', codesOf(resource!)[0]).find(
			(one) => one.name === operation,
		);
		expect(json).toContain(JSON.stringify(codes?.value));
	}
});

test.each(answers)('%s: the operations, fields and options of the answer exist', (_, answer) => {
	expect(operations).toEqual(expect.arrayContaining(boldIn(answer)));
	for (const name of italicsIn(answer)) expect(shown).toContain(name);
});
