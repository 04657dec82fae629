/** What an import of the examples leaves to the user. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '#scripts/checkout.mts';
import {
	DATA_TABLE_NODE,
	type DataTableColumn,
	isAboutTables,
	makesTable,
	tableNameOf,
	tablesMadeBy,
} from '#scripts/n8n/dataTables.mts';
import { exampleNames, readExample, tablesNeededBy } from '#scripts/n8n/provision.mts';
import type { Workflow, WorkflowNode } from '#scripts/n8n/types.mts';
import { conditionOf, evaluate, nextOf, nodeOf } from './evaluate.mts';

const examples = exampleNames().map((file) => ({ file, ...readExample(file) }));
const MANUAL_TRIGGER = 'n8n-nodes-base.manualTrigger';
/** Columns that n8n adds to each table. */
const OWN_COLUMNS = ['id', 'createdAt', 'updatedAt'];

interface Row {
	columns?: { schema?: Array<{ id: string; type: string }> };
	filters?: { conditions?: Array<{ keyName: string }> };
}

/** The nodes that read or write rows. */
const rowNodes = ({ nodes }: Workflow): WorkflowNode[] =>
	nodes.filter((node) => node.type.startsWith(DATA_TABLE_NODE) && !isAboutTables(node));

/** The columns that nodes of all examples write into a table. A mapped date is called dateTime. */
const writtenInto = (table: string): DataTableColumn[] => {
	const columns = examples
		.flatMap(rowNodes)
		.filter(({ parameters }) => tableNameOf(parameters) === table)
		.flatMap(({ parameters }) => (parameters as Row).columns?.schema ?? [])
		.map(({ id, type }) => [id, type === 'dateTime' ? 'date' : type] as const);
	return [...new Map(columns)].map(([name, type]) => ({ name, type }) as DataTableColumn);
};
const byName = (columns: DataTableColumn[]) =>
	[...columns].sort((one, other) => one.name.localeCompare(other.name));

/** It makes none: *Outbox* makes its table, and would send nothing if it is not set up. */
const WITHOUT_SET_UP = 'approve-before-broadcast';
/** Opt-Out makes its table, without which their look-ups fail. */
const SENDS_NOTHING_WITHOUT = ['outbox', 'scheduled-follow-ups'];
const FILLS_OUTBOX = ['appointment-reminder', 'template-from-draft-to-broadcast'];
const OUTBOX = 'Business Messaging Outbox';
const withTables = examples.filter(
	(example) => rowNodes(example).length > 0 && example.file !== WITHOUT_SET_UP,
);

test.each(withTables.map((example) => [example.file, example] as const))(
	'%s: its branch Set Up makes exactly the data tables and columns that its nodes use',
	(_, example) => {
		const made = tablesMadeBy(example);
		/** Outbox and Opt-Out make them, without which nothing is sent. */
		const isOptional = (node: WorkflowNode): boolean =>
			(tableNameOf(node.parameters) === OUTBOX && FILLS_OUTBOX.includes(example.file)) ||
			(tableNameOf(node.parameters) === 'Business Messaging Opt-Out' &&
				SENDS_NOTHING_WITHOUT.includes(example.file));
		const all = rowNodes(example);
		const used = all.filter((node) => !isOptional(node));
		const names = (nodes: WorkflowNode[]) =>
			[...new Set(nodes.map(({ parameters }) => String(tableNameOf(parameters))))].sort();
		expect([...made.keys()].sort()).toEqual(names(used));
		expect([...tablesNeededBy(example).keys()].sort()).toEqual(names(all));
		expect(names(all).filter((name) => !made.has(name))).toEqual(
			FILLS_OUTBOX.includes(example.file)
				? [OUTBOX]
				: SENDS_NOTHING_WITHOUT.includes(example.file)
					? ['Business Messaging Opt-Out']
					: [],
		);
		for (const [table, columns] of made) {
			const written = writtenInto(table);
			if (written.length > 0) expect(byName(columns)).toEqual(byName(written));
			const text = JSON.stringify(example.nodes.filter((node) => !makesTable(node)));
			const names = columns.map(({ name }) => name);
			if (written.length === 0) for (const name of names) expect(text).toMatch(name);
			const compared = rowNodes(example)
				.filter(({ parameters }) => tableNameOf(parameters) === table)
				.flatMap(({ parameters }) => (parameters as Row).filters?.conditions ?? []);
			for (const { keyName } of compared) expect([...names, ...OWN_COLUMNS]).toContain(keyName);
		}
		// Behind the trigger that one starts by hand, one after the other.
		const making = example.nodes.filter(makesTable).map(({ name }) => name);
		let [reached] = example.nodes.filter(({ type }) => type === MANUAL_TRIGGER);
		for (const name of making) {
			const [next = []] = example.connections[reached?.name ?? '']?.main ?? [];
			expect(next.map(({ node }) => node)).toContain(name);
			reached = example.nodes.find((node) => node.name === name);
		}
		for (const { parameters } of example.nodes.filter(makesTable))
			expect(parameters.options).toEqual({ createIfNotExists: true });
	},
);

test.each(['opt-out', 'outbox'])(
	'%s: Set Up first looks whether the name of another table and its own contain each other',
	(file) => {
		const [own = ''] = tablesMadeBy(readExample(file)).keys();
		const isAlike = (name?: string) => evaluate(conditionOf(file, 'Is One Named Alike?'), { name });
		for (const name of [`${own} 2025`, `My ${own.toLowerCase()}`, 'Messaging', own.slice(19)])
			expect([name, isAlike(name)]).toEqual([name, true]);
		for (const name of [own, own.toUpperCase(), 'Business Messaging Orders', undefined])
			expect([name, isAlike(name)]).toEqual([name, false]);
		// n8n fails to make a table beside such a one.
		expect(nextOf(file, 'Set Up')).toEqual(['Other Tables', 'Make the Table']);
		const { errorMessage } = nodeOf(file, 'Tell Its Name').parameters;
		expect(errorMessage).toContain(`Its name and "${own}" contain each other`);
	},
);

test.each([
	...[WITHOUT_SET_UP, ...FILLS_OUTBOX].map(
		(file) => [file, 'outbox', ['Who Has No Row', 'Put Into the Outbox']] as const,
	),
	['outbox', 'opt-out', ['Who Has Not Opted Out', 'Nor on This Channel']] as const,
	[
		'scheduled-follow-ups',
		'opt-out',
		[
			...['Who Has Not Opted Out', 'Nor on This Channel'],
			...['It Was No STOP or START', 'Nor for This Channel'],
		],
	] as const,
])('%s reads the table that %s makes, and no other makes it', (file, other, names) => {
	const example = readExample(file);
	const made = tablesMadeBy(readExample(other));
	const [table = ''] = made.keys();
	expect(tablesMadeBy(example).has(table)).toBe(false);
	expect(tablesNeededBy(example).get(table)).toEqual(made.get(table));
	const nodes = rowNodes(example).filter(({ parameters }) => tableNameOf(parameters) === table);
	expect(nodes.map(({ name }) => name)).toEqual(names);
	const columns = [...made.values()].flat().map(({ name }) => name);
	for (const { parameters } of nodes)
		for (const { keyName } of (parameters as Row).filters?.conditions ?? [])
			expect(columns).toContain(keyName);
});

test.each(examples.map((example) => [example.file, example] as const))(
	'%s: has one trigger to start by hand at most: the editor leaves out a second one of a file',
	(_, { nodes }) => {
		const byHand = nodes.filter(({ type }) => type === MANUAL_TRIGGER);
		expect(byHand.length).toBeLessThanOrEqual(1);
	},
);

test.each(examples.map((example) => [example.file, example] as const))(
	'%s: reads what a Code node gives as $json or $node, because n8n 1 cannot copy it for $(…)',
	(_, { nodes }) => {
		const shown = JSON.stringify(nodes.map(({ parameters: { jsCode, ...others } }) => others));
		const codes = nodes.filter(({ type }) => type === 'n8n-nodes-base.code');
		expect(codes.filter(({ name }) => shown.includes(`$('${name}')`))).toEqual([]);
	},
);

test('no data table has a name that contains another’s: n8n finds a table by a part of its name', () => {
	const names = [...new Set(examples.flatMap((example) => [...tablesMadeBy(example).keys()]))];
	const contained = names.filter((name) =>
		names.some((other) => other !== name && other.toLowerCase().includes(name.toLowerCase())),
	);
	expect(contained).toEqual([]);
});

test('the page of the examples has the tables and columns for n8n 1, which cannot make them', () => {
	const page = readFileSync(join(checkout, 'workflows', 'README.md'), 'utf8');
	const inN8n1 = exampleNames('oldest').map((file) => readExample(file));
	const rows = new Set(
		inN8n1.flatMap((example) =>
			[...tablesMadeBy(example)].map(([table, columns]) => {
				// The page names each type except string.
				const all = columns.map(({ name, type }) =>
					type === 'string'
						? `\`${name}\``
						: `\`${name}\` (${type === 'date' ? 'datetime' : type})`,
				);
				return `| \`${table}\` | ${all.join(', ')} |`;
			}),
		),
	);
	expect(
		page
			.split('\n')
			.filter((line) => /^\| `/.test(line))
			.sort(),
	).toEqual([...rows].sort());
});
