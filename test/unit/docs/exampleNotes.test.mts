import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '../../../scripts/checkout.mts';
import { noteHere, noteOfChoices, waysToTry } from '../../../scripts/n8n/exampleNotes.mts';
import { noteHeight } from '../../../scripts/n8n/noteHeight.mts';
import { exampleNames, readExample } from '../../../scripts/n8n/provision.mts';
import type { Workflow, WorkflowNode } from '../../../scripts/n8n/types.mts';
import { anchorsOf } from './anchors.mts';

const STICKY_NOTE = 'n8n-nodes-base.stickyNote';
const PAGES =
	'https://github.com/n8n-nodes-business-messaging/n8n-nodes-business-messaging/blob/main/';
/** Empty room below a note's text, in pixels. */
const MOST_ROOM = 24;
/**
 * Room for the canvas in a window of 1440 by 900 pixels, and the part that n8n leaves free around
 * the nodes.
 */
const CANVAS = { width: 1240, height: 800 };
const FREE = 0.2;
/** In pixels of the screen. */
const LETTERS = 14;
const LEAST_LETTERS = 8;

const linesOf = (code: unknown): number =>
	String(code ?? '')
		.trim()
		.split('\n').length;

const notesOf = ({ nodes }: Workflow): WorkflowNode[] =>
	nodes.filter(({ type }) => type === STICKY_NOTE);
const textOf = ({ parameters }: WorkflowNode): string => String(parameters.content);
const linksIn = (markdown: string): string[] =>
	[...markdown.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);

const workflows = exampleNames().map((example) => ({ ...readExample(example), id: example }));
const places = { sandboxUrl: 'http://127.0.0.1:4010', workflows };

/**
 * Whether a node that starts on a customer's message leads to one that writes to the customer. A
 * reply to a question alone starts nothing else.
 */
function answersInTheChat({ nodes, connections }: Workflow): boolean {
	const reached = new Set(
		nodes
			.filter(({ parameters }) => [parameters.channelEvents].flat().includes('MESSAGE_RECEIVED'))
			.map(({ name }) => name),
	);
	for (const name of reached)
		for (const outputs of Object.values(connections[name] ?? {}))
			for (const { node } of outputs.flat()) if (node !== 'Tapped Too Late?') reached.add(node);
	return nodes.some(
		({ name, type, parameters }) =>
			type.includes('businessMessaging') &&
			reached.has(name) &&
			String(parameters.operation).startsWith('send'),
	);
}

describe.each(exampleNames())('%s', (name) => {
	const example = readExample(name);
	const choices = noteOfChoices(example);
	const here = noteHere(example.name, places);

	test.each(notesOf(example).map((note) => [note.name, note] as const))(
		'the note %s is as high as its text',
		(_, note) => {
			const room =
				Number(note.parameters.height) - noteHeight(textOf(note), Number(note.parameters.width));
			expect(room).toBeGreaterThanOrEqual(0);
			expect(room).toBeLessThanOrEqual(MOST_ROOM);
		},
	);

	test('no condition has a regular expression of the node itself: n8n gives it little time, and fails on a busy machine', () => {
		expect(JSON.stringify(example.nodes)).not.toMatch(/"operation":"(?:regex|notRegex)"/);
	});

	test('it has at most 30 nodes, and no code of more than 15 lines', () => {
		const nodes = example.nodes.filter(({ type }) => type !== STICKY_NOTE);
		expect(nodes.length).toBeLessThanOrEqual(30);
		const long = nodes.filter(({ parameters: { jsCode } }) => linesOf(jsCode) > 15);
		expect(long.map((node) => node.name)).toEqual([]);
	});

	test("its text can be read at n8n's opening zoom", () => {
		const boxes = example.nodes.map(({ type, position: [x, y], parameters }) =>
			type === STICKY_NOTE
				? { x, y, right: x + Number(parameters.width), bottom: y + Number(parameters.height) }
				: { x, y, right: x + 96, bottom: y + 96 },
		);
		const width =
			Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ x }) => x));
		const height =
			Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ y }) => y));
		const zoom = Math.min(
			1,
			CANVAS.width / width / (1 + FREE),
			CANVAS.height / height / (1 + FREE),
		);
		expect(zoom * LETTERS).toBeGreaterThanOrEqual(LEAST_LETTERS);
	});

	test('a note asks for the choices, tells how to try it, and leads to more', () => {
		const text = choices ? textOf(choices) : '';
		expect(text).toMatch(/^## Before you (publish|run it)\n/);
		expect(text).toMatch(/\n\n\*\*Try it:\*\* \S/);
		expect(linksIn(text)).toContain(`${PAGES}docs/how-do-i.md`);
	});

	test('every link of its notes leads to a page and a heading of this repository', () => {
		for (const target of notesOf(example).flatMap((note) => linksIn(textOf(note)))) {
			expect(target.slice(0, PAGES.length)).toBe(PAGES);
			const [page = '', anchor] = target.slice(PAGES.length).split('#');
			expect(existsSync(join(checkout, page))).toBe(true);
			if (anchor !== undefined) expect([...anchorsOf(page)]).toContain(anchor);
		}
	});

	test('if npm start imports it, the note has its place, and asks for nothing that is already done', () => {
		const way = waysToTry().get(example.name) ?? '';
		expect(way).not.toBe('');
		expect(here.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')).toContain(way);
		expect(here).not.toMatch(/credential and channel|data table named|table icon/i);
		const [, top] = choices?.position ?? [0, 0];
		const nodes = example.nodes.filter(({ type }) => type !== STICKY_NOTE);
		expect(top + noteHeight(here, Number(choices?.parameters.width))).toBeLessThan(
			Math.min(...nodes.map(({ position: [, y] }) => y)),
		);
		expect(linksIn(here)).toEqual(
			expect.arrayContaining([places.sandboxUrl, '/home/workflows', `${PAGES}workflows/README.md`]),
		);
	});

	test('the note says first to unpublish Auto-Reply, if both would answer', () => {
		const isFirst = /^## .*\n\nUnpublish \[Auto-Reply\]\(\/workflow\/auto-reply\) first/.test(here);
		expect(isFirst).toBe(name !== 'auto-reply' && answersInTheChat(example));
		expect(/^## .*\nUnpublish first /.test(textOf(choices as WorkflowNode))).toBe(isFirst);
	});
});
