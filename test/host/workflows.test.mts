import { randomUUID } from 'node:crypto';

import type { INodeParameters, INodeTypeDescription } from 'n8n-workflow';

import { DEMO_CHANNEL_ID, DEMO_CHANNEL_NAME } from '#sandbox/seed.mts';
import { DATA_TABLE_NODE, isAboutTables } from '#scripts/n8n/dataTables.mts';
import {
	completeExample,
	exampleNames,
	readExample,
	tablesNeededBy,
} from '#scripts/n8n/provision.mts';
import type { Workflow, WorkflowNode } from '#scripts/n8n/types.mts';
import { Host } from './harness/host.mts';
import { issuesOf, typeOf, understood } from './harness/nodeIssues.mts';

const host = new Host();
/** n8n 1 cannot make data tables. */
const isCurrent = host.underTest.generation === 'current';
const STICKY_NOTE = 'n8n-nodes-base.stickyNote';
const CREDENTIALS = [
	host.underTest.credential,
	{ id: randomUUID(), name: 'A model', type: 'openAiApi' },
];
/** The demo channel takes the place of the user's choice. */
const CHANNEL = { id: DEMO_CHANNEL_ID, name: DEMO_CHANNEL_NAME };

let types: INodeTypeDescription[];
beforeAll(async () => {
	types = await host.client.nodeTypeDescriptions();
});

/** n8n 1 gives the rows of a data table by ID, and does not know that they can be sorted. */
const unsorted = ({ type, parameters }: WorkflowNode): INodeParameters =>
	Object.fromEntries(
		Object.entries(parameters).filter(
			([name]) => type !== DATA_TABLE_NODE || !name.startsWith('orderBy'),
		),
	);

const complete = (workflow: Workflow): Workflow =>
	completeExample(workflow, host.underTest.credential, CHANNEL, {
		dataTables: new Map(
			[...tablesNeededBy(workflow).keys()].map((name) => [name, { id: 'aTable', name }]),
		),
		credentials: CREDENTIALS,
	});

describe.each(exampleNames(host.underTest.generation))('%s', (name) => {
	const example = readExample(name);
	const { nodes } = example;
	const known = nodes.filter((node) => isCurrent || !isAboutTables(node));
	const notes = nodes.filter(({ type }) => type === STICKY_NOTE);

	test('this n8n has every node in its version, and knows every parameter', () => {
		for (const node of known)
			expect(understood(types, node)).toMatchObject(isCurrent ? node.parameters : unsorted(node));
	});

	test('leaves only the channel to the user', () => {
		const open = known.flatMap((node) => Object.keys(issuesOf(types, node)));
		expect([...new Set(open)].filter((parameter) => parameter !== 'channelId')).toEqual([]);
		for (const node of complete({ ...example, nodes: known }).nodes)
			expect({ node: node.name, issues: issuesOf(types, node) }).toEqual({
				node: node.name,
				issues: {},
			});
	});

	test('gives every node the credentials that its type needs, none of them chosen', () => {
		for (const node of nodes) {
			const wanted = (typeOf(types, node).credentials ?? []).filter(
				({ required, displayOptions }) => required && !displayOptions,
			);
			// An HTTP Request node names the type itself.
			const { genericAuthType: chosen = [] } = node.parameters;
			const names = [...wanted.map((credential) => credential.name), ...[chosen].flat()];
			expect(Object.keys(node.credentials ?? {})).toEqual(names);
			expect(Object.values(node.credentials ?? {}).map(({ id }) => id)).toEqual(
				names.map(() => ''),
			);
		}
	});

	test('has notes that explain it, and name the data tables that it needs', () => {
		expect(notes.length).toBeGreaterThan(0);
		const text = notes.map(({ parameters }) => String(parameters.content)).join('\n');
		expect(text).toMatch(/^## \S/);
		for (const table of tablesNeededBy(example).keys()) expect(text).toContain(`\`${table}\``);
		// Bold text in a note is a node's name, or a choice in one.
		const names = [
			...nodes.map((node) => node.name),
			...nodes.map(({ parameters }) => JSON.stringify(parameters)),
		].join('\n');
		for (const [, bold = ''] of text.matchAll(/\*\*([^*]+)\*\*/g))
			if (!IN_THE_EDITOR.has(bold)) expect(names).toContain(bold);
	});

	test('each output of a Switch has a name', () => {
		for (const { name, parameters } of nodes.filter(({ type }) => type.endsWith('.switch'))) {
			const { rules, options } = parameters as unknown as SwitchParameters;
			const named = rules?.values.every(({ renameOutput, outputKey }) => renameOutput && outputKey);
			const rest = options.fallbackOutput !== 'extra' || options.renameFallbackOutput;
			expect([name, named, Boolean(rest)]).toEqual([name, true, true]);
		}
	});

	test('names are unique, and every connection leads from a node to a node', () => {
		const names = nodes.map((node) => node.name);
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		const ends = Object.values(example.connections).flatMap((outputs) =>
			Object.values(outputs)
				.flat(2)
				.map(({ node }) => node),
		);
		expect(names).toEqual(expect.arrayContaining([...Object.keys(example.connections), ...ends]));
	});

	test('nodes and notes do not overlap', () => {
		const boxes = nodes.map((node) => ({ name: node.name, ...boxOf(node) }));
		const overlaps = boxes.flatMap((one, index) =>
			boxes
				.slice(index + 1)
				.filter((other) => overlap(one, other))
				.map((other) => [one.name, other.name]),
		);
		expect(overlaps).toEqual([]);
	});

	test('holds no secret, and only made-up numbers and ids', () => {
		const text = JSON.stringify(example);
		expect(text).not.toMatch(/sandbox_sk|secretKey"|apiKey"|eyJ[\w-]{10}/);
		for (const [id] of text.matchAll(/\b[0-9A-Fa-f]{32}\b/g))
			expect(PUBLISHED_SAMPLE_IDS).toContain(id);
		for (const [number] of text.matchAll(/\b\d{10,}\b/g)) expect(number).toMatch(MADE_UP_NUMBER);
		for (const [, address = ''] of text.matchAll(/https?:\/\/([^/"'\s]+)/g))
			expect(address).toMatch(/(^|\.)example\.com$|^github\.com$/);
	});
});

interface SwitchParameters {
	rules?: { values: Array<{ renameOutput?: boolean; outputKey?: string }> };
	options: { fallbackOutput?: string; renameFallbackOutput?: string };
}

/** Bold text in a note that is no node of its workflow. */
const IN_THE_EDITOR = new Set(['Send Text', 'all', 'public', 'secret', 'Statuses', 'Try it:']);
const PUBLISHED_SAMPLE_IDS = [
	'019E4C54B1B375A28970B605CA9B03C3',
	'019E6F1A93FE78DCB54332F9FF0CCAE7',
];
/** Telephone numbers of an area that does not exist, and ids that count up or are round. */
const MADE_UP_NUMBER = /^(55000000\d{5}|1234567890123456|10{13}1)$/;

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/**
 * The area of a node on the canvas, with two lines of name and a subtitle below it. A Switch grows
 * with its outputs, and a note's area is its own size.
 */
function boxOf({ type, position: [x, y], parameters }: WorkflowNode): Box {
	if (type === STICKY_NOTE)
		return { x, y, width: Number(parameters.width), height: Number(parameters.height) };
	const { rules } = parameters as unknown as SwitchParameters;
	const height = Math.max(96, 32 * (rules?.values.length ?? 0) + 32);
	return { x: x - 30, y, width: 96 + 60, height: height + 70 };
}

const overlap = (one: Box, other: Box): boolean =>
	one.x < other.x + other.width &&
	other.x < one.x + one.width &&
	one.y < other.y + other.height &&
	other.y < one.y + one.height;
