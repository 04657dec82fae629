import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node.ts';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node.ts';
import { checkout } from '../../../scripts/checkout.mts';
import { exampleNames, readExample } from '../../../scripts/n8n/provision.mts';
import { anchorOf } from './anchors.mts';

const read = (page: string): string => readFileSync(join(checkout, page), 'utf8');
const targetsIn = (markdown: string): string[] =>
	[...markdown.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);

const [contents = '', ...sections] = read('docs/how-do-i.md').split(/^## /m);
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

/** Names of the parameters that are shown under a name. */
const parameters = new Map<string, Set<string>>();
(function collect(value: unknown): void {
	if (typeof value !== 'object' || value === null) return;
	const { displayName, name } = value as { displayName?: unknown; name?: unknown };
	if (typeof displayName === 'string' && typeof name === 'string')
		parameters.set(displayName, (parameters.get(displayName) ?? new Set()).add(name));
	Object.values(value).forEach(collect);
})(nodes.map(({ description }) => description.properties));

/** In the form `Resource → Operation`. */
function operationsOf({ properties }: INodeTypeDescription): string[] {
	const [resource] = properties.filter(({ name }) => name === 'resource');
	return (resource?.options ?? []).flatMap((option) =>
		properties
			.filter(
				({ name, displayOptions }) =>
					name === 'operation' &&
					'value' in option &&
					displayOptions?.show?.resource?.includes(option.value),
			)
			.flatMap(({ options }) => (options ?? []).map(({ name }) => `${option.name} → ${name}`)),
	);
}

const shown = new Set([
	...nodes.flatMap(({ description }) => namesIn(description)),
	...exampleNames().map((example) => readExample(example).name),
	// As n8n names its own setting of a node.
	'On Error',
]);
const operations = operationsOf(new BusinessMessaging().description);

test('a lookup can fail', () => {
	expect(operations).toContain('Message → Send Text');
	expect(operations).not.toContain('Message → Send Document');
	expect(shown).not.toContain('Send Document');
	expect(answers.length).toBeGreaterThan(15);
});

test('each question is two clicks from the README: the page, and its entry in the list', () => {
	expect(targetsIn(read('README.md'))).toContain('docs/how-do-i.md');
	expect(targetsIn(contents)).toEqual(answers.map(([question]) => `#${anchorOf(question)}`));
});

test.each(answers)('%s: the answer is short, and leads to a page or example', (_, answer) => {
	expect(answer.trim().split(/\s+/).length).toBeLessThan(110);
	// The test of all pages' links checks that they lead somewhere.
	expect(targetsIn(answer).filter((target) => !target.startsWith('#'))).not.toEqual([]);
});

test.each(answers)('%s: the operations, fields and options of the answer exist', (_, answer) => {
	const bold = [...answer.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name);
	expect(operations).toEqual(expect.arrayContaining(bold));
	const italics = [...answer.replace(/\*\*/g, '').matchAll(/\*([^*]+)\*/g)].map(
		([, name = '']) => name,
	);
	for (const name of italics) expect(shown).toContain(name);
});

/** Answers that only name fields to look at. */
const NO_RECIPES = /^(?:Let two workflows|Run it with several workers|Move to another)/;

test.each(answers.filter(([question]) => !NO_RECIPES.test(question)))(
	'%s: an example that a rehearsal plays has the fields of the answer',
	(_, answer) => {
		const examples = targetsIn(answer)
			.filter((target) => target.startsWith('../workflows/') && target.endsWith('.json'))
			.map((target) => read(join('docs', target)));
		const set = new Set([...examples.join().matchAll(/"(\w+)":/g)].map(([, name = '']) => name));
		const unset = [...answer.replace(/\*\*/g, '').matchAll(/\*([^*]+)\*/g)]
			.map(([, name = '']) => name)
			.filter((name) =>
				[...(parameters.get(name) ?? [name])].every((own) => !set.has(own) && parameters.has(name)),
			);
		expect(unset).toEqual([]);
	},
);
