import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodePropertyOptions } from 'n8n-workflow';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node.ts';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node.ts';
import { checkout } from '../../../scripts/checkout.mts';
import { exampleNames, readExample } from '../../../scripts/n8n/provision.mts';

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

test.each(answers)('%s: the operations, fields and options of the answer exist', (_, answer) => {
	expect(operations).toEqual(expect.arrayContaining(boldIn(answer)));
	for (const name of italicsIn(answer)) expect(shown).toContain(name);
});
