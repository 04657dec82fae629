import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '../../../scripts/checkout.mts';
import { noteHere } from '../../../scripts/n8n/exampleNotes.mts';
import { exampleNames, readExample } from '../../../scripts/n8n/provision.mts';
import { anchorsOf } from './anchors.mts';

const STICKY_NOTE = 'n8n-nodes-base.stickyNote';
const PAGES =
	'https://github.com/n8n-nodes-business-messaging/n8n-nodes-business-messaging/blob/main/';

const linesOf = (code: unknown): number => String(code).trim().split('\n').length;
const linksIn = (markdown: string): string[] =>
	[...markdown.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);

const workflows = exampleNames().map((example) => ({ ...readExample(example), id: example }));
const numbersIn = (text: string): string[] => text.match(/\b55\d{11}\b/g) ?? [];
/** The colleague, the customer and the business of `npm start`. */
const people = ['scripts/n8n/stack.mts', 'sandbox/page/customers.ts', 'sandbox/seed.mts'].flatMap(
	(file) => numbersIn(readFileSync(join(checkout, file), 'utf8')),
);
const places = { sandboxUrl: 'http://127.0.0.1:4010', workflows };

describe.each(exampleNames())('%s', (name) => {
	const example = readExample(name);

	test('no condition has a regular expression of the node itself: n8n gives it little time, and fails on a busy machine', () => {
		expect(JSON.stringify(example.nodes)).not.toMatch(/"operation":"(?:regex|notRegex)"/);
	});

	test('every number in it, and in its note, is of somebody whom the page of npm start shows', () => {
		const numbers = numbersIn(JSON.stringify(example) + noteHere(example.name, places));
		expect(numbers.filter((number) => !people.includes(number))).toEqual([]);
	});

	test('it has at most 30 nodes, and no code of more than 15 lines', () => {
		const nodes = example.nodes.filter(({ type }) => type !== STICKY_NOTE);
		expect(nodes.length).toBeLessThanOrEqual(30);
		const long = nodes.filter(({ parameters: { jsCode } }) => linesOf(jsCode) > 15);
		expect(long.map((node) => node.name)).toEqual([]);
	});

	test('every link of its notes leads to a page and a heading of this repository', () => {
		const notes = example.nodes.filter(({ type }) => type === STICKY_NOTE);
		const targets = notes.flatMap(({ parameters }) => linksIn(String(parameters.content)));
		expect(targets).not.toEqual([]);
		for (const target of targets) {
			expect(target.slice(0, PAGES.length)).toBe(PAGES);
			const [page = '', anchor] = target.slice(PAGES.length).split('#');
			expect(existsSync(join(checkout, page))).toBe(true);
			if (anchor !== undefined) expect([...anchorsOf(page)]).toContain(anchor);
		}
	});

	test('where npm start imports it, its note leads to the sandbox and to the page of the examples', () => {
		expect(linksIn(noteHere(example.name, places))).toEqual(
			expect.arrayContaining([places.sandboxUrl, `${PAGES}workflows/README.md`]),
		);
	});
});
