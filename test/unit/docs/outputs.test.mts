/** docs/outputs.md names what each operation gives, and the panels link to it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodePropertyOptions } from 'n8n-workflow';

import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import { BusinessMessagingTrigger } from '#nodes/BusinessMessagingTrigger.node.ts';
import { checkout } from '#scripts/checkout.mts';
import { outputSchemas } from '#scripts/outputSchemas.mts';
import { anchorsOf } from './anchors.mts';

const PAGES =
	'https://github.com/n8n-nodes-business-messaging/n8n-nodes-business-messaging/blob/main/';
const PAGE = 'docs/outputs.md';

const action = new BusinessMessaging().description;
const trigger = new BusinessMessagingTrigger().description;
const page = readFileSync(join(checkout, PAGE), 'utf8');
const sections = page.split(/^## /m);

/** The field in which an operation is chosen, for each resource. Agents' tools have their own. */
const lists = action.properties.filter(
	({ name, displayOptions }) =>
		name === 'operation' && displayOptions?.show?.['@tool']?.[0] !== true,
);
const operations = lists.flatMap(({ displayOptions, options, description }) =>
	(options as INodePropertyOptions[]).map(({ value, name }) => ({
		title: `${String(displayOptions?.show?.resource?.[0])}/${String(value)}`,
		name,
		link: new RegExp(`<a href="([^"]+)">${name}</a>`).exec(description ?? '')?.[1] ?? '',
	})),
);
/** Of the operations, and of the trigger. */
const fields = new Map(
	[...outputSchemas()].map(([path, { properties = {} }]) => [
		/__schema__\/v2\.0\.0\/?(.*)\.json$/.exec(path)?.[1] ?? '',
		Object.keys(properties),
	]),
);

const leadsTo = (link: string): [file: string, anchor: string] => {
	const [file = '', anchor = ''] = link.slice(PAGES.length).split('#');
	return [link.startsWith(PAGES) ? file : link, anchor];
};

test('the operations are all there', () => {
	expect(operations.length).toBeGreaterThan(20);
	expect(operations.map(({ title }) => title).sort()).toEqual(
		[...fields.keys()].filter((title) => title.includes('/')).sort(),
	);
});

test.each(operations)('the panel links $title to its row', ({ name, link }) => {
	const [file, anchor] = leadsTo(link);
	expect(file).toBe(PAGE);
	expect([...anchorsOf(file)]).toContain(anchor);
	const row = page.split('\n').find((line) => line.includes(`<a id="${anchor}"></a>`));
	expect(row).toContain(`</a>${name} |`);
});

test.each(operations)('its section names the fields of $title', ({ title, link }) => {
	const [, anchor] = leadsTo(link);
	const section = sections.find((text) => text.includes(`<a id="${anchor}"></a>`)) ?? '';
	const named = fields.get(title) ?? [];
	expect(named.length).toBeGreaterThan(0);
	expect(named.filter((field) => !section.includes(`\`${field}\``))).toEqual([]);
});

test("it names the trigger's fields", () => {
	const section = sections.find((text) => text.startsWith('Trigger\n')) ?? '';
	const named = ['trigger', ''].flatMap((title) => fields.get(title) ?? []);
	expect(named.length).toBeGreaterThan(10);
	expect(
		named.filter((field) => !section.includes(`\`${field}\``) && !section.includes(`"${field}":`)),
	).toEqual([]);
});

test.each([action, trigger])('n8n leads from the panel of $displayName to its page', (node) => {
	const [file, anchor] = leadsTo(node.documentationUrl ?? '');
	expect(file).toMatch(/^docs\/\w+\.md$/);
	if (anchor !== '') expect([...anchorsOf(file)]).toContain(anchor);
});
