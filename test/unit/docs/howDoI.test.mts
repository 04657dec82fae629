import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties, INodeTypeDescription, NodeParameterValue } from 'n8n-workflow';

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

type Operation = Record<string, NodeParameterValue>;
const isShownIn = ({ displayOptions }: INodeProperties, chosen: Operation): boolean =>
	Object.entries(chosen).every(
		([name, value]) => displayOptions?.show?.[name]?.includes(value) ?? true,
	);

/** By their names, in the form `Resource → Operation`. */
function operationsOf({ properties }: INodeTypeDescription): Map<string, Operation> {
	const choicesOf = (wanted: string, within: Operation = {}) =>
		properties
			.filter((one) => one.name === wanted && isShownIn(one, within))
			.flatMap(({ options = [] }) => options.filter((option) => 'value' in option));
	return new Map(
		choicesOf('resource').flatMap((resource) =>
			choicesOf('operation', { resource: resource.value }).map(({ name, value }) => [
				`${resource.name} → ${name}`,
				{ resource: resource.value, operation: value },
			]),
		),
	);
}

const shown = new Set([
	...nodes.flatMap(({ description }) => namesIn(description)),
	...exampleNames().map((example) => readExample(example).name),
	// As n8n names its own setting of a node.
	'On Error',
]);
const { description } = new BusinessMessaging();
const operations = operationsOf(description);

const boldIn = (answer: string): string[] =>
	[...answer.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name);
const italicsIn = (answer: string): string[] =>
	[...answer.replace(/\*\*/g, '').matchAll(/\*([^*]+)\*/g)].map(([, name = '']) => name);

/** The fields of the operations that an answer names, by what the editor shows. */
function fieldsOf(answer: string): Set<string> {
	const named = boldIn(answer).map((name) => operations.get(name) ?? {});
	const shownThere = description.properties.filter((one) =>
		named.some((operation) => isShownIn(one, operation)),
	);
	return new Set(namesIn(shownThere));
}

test('a lookup can fail', () => {
	expect([...operations.keys()]).toContain('Message → Send Text');
	expect([...operations.keys()]).not.toContain('Message → Send Document');
	expect(fieldsOf('**Template → Create**')).toContain('Definition');
	expect(fieldsOf('**Template → Create**')).not.toContain('Simplify');
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
	expect([...operations.keys()]).toEqual(expect.arrayContaining(boldIn(answer)));
	for (const name of italicsIn(answer)) expect(shown).toContain(name);
});

/** Answers that only name fields to look at. */
const NO_RECIPES = /^(?:Let two workflows|Run it with several workers|Move to another)/;

test.each(answers.filter(([question]) => !NO_RECIPES.test(question)))(
	'%s: an example that a rehearsal plays has the fields of the answer, or else its operations',
	(_, answer) => {
		const examples = targetsIn(answer)
			.filter((target) => target.startsWith('../workflows/') && target.endsWith('.json'))
			.map((target) => read(join('docs', target)));
		const set = new Set([...examples.join().matchAll(/"(\w+)":/g)].map(([, name = '']) => name));
		const isThere = (name: string): boolean =>
			examples.length > 0
				? [...(parameters.get(name) ?? [])].some((own) => set.has(own))
				: fieldsOf(answer).has(name);
		const missing = italicsIn(answer).filter((name) => parameters.has(name) && !isThere(name));
		expect(missing).toEqual([]);
	},
);
