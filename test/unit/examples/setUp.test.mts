/** What an import of the examples leaves to the user. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '#scripts/checkout.mts';
import {
	DATA_TABLE_NODE,
	type DataTableColumn,
	makesTable,
	tableNameOf,
	tablesMadeBy,
} from '#scripts/n8n/dataTables.mts';
import { exampleNames, readExample, tablesNeededBy } from '#scripts/n8n/provision.mts';
import type { Workflow, WorkflowNode } from '#scripts/n8n/types.mts';

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
	nodes.filter((node) => node.type.startsWith(DATA_TABLE_NODE) && !makesTable(node));

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

/** It makes none: if its table is missing, an empty one would let a broadcast go to everybody. */
const WITHOUT_SET_UP = 'approve-before-broadcast';
const withTables = examples.filter(
	(example) => rowNodes(example).length > 0 && example.file !== WITHOUT_SET_UP,
);

test.each(withTables.map((example) => [example.file, example] as const))(
	'%s: its branch Set Up makes exactly the data tables and columns that its nodes use',
	(_, example) => {
		const made = tablesMadeBy(example);
		/** It goes on without the customers who wrote STOP, as long as Opt-Out is not set up. */
		const isOptional = (node: WorkflowNode): boolean =>
			tableNameOf(node.parameters) === 'Opt-Out' && node.onError === 'continueRegularOutput';
		const all = rowNodes(example);
		const used = all.filter((node) => !isOptional(node));
		const names = (nodes: WorkflowNode[]) =>
			[...new Set(nodes.map(({ parameters }) => String(tableNameOf(parameters))))].sort();
		expect([...made.keys()].sort()).toEqual(names(used));
		expect([...tablesNeededBy(example).keys()].sort()).toEqual(names(all));
		expect(names(all).filter((name) => !made.has(name))).toEqual(
			example.file === 'shop-assistant' ? ['Opt-Out'] : [],
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
			const [[next] = []] = example.connections[reached?.name ?? '']?.main ?? [];
			expect(next?.node).toBe(name);
			reached = example.nodes.find((node) => node.name === next?.node);
		}
		for (const { parameters } of example.nodes.filter(makesTable))
			expect(parameters.options).toEqual({ createIfNotExists: true });
	},
);

describe('approve-before-broadcast', () => {
	const example = readExample(WITHOUT_SET_UP);
	const LOOK_UPS = ['Who Has Not Opted Out', 'Nor on This Channel'];

	test('makes no data table: without the customers who wrote STOP, everybody would get the broadcast', () => {
		expect([...tablesMadeBy(example).keys()]).toEqual([]);
	});

	test('reads the one that Opt-Out makes, also where the table is made for the user', () => {
		const made = tablesMadeBy(readExample('opt-out'));
		expect(tablesNeededBy(example)).toEqual(made);
		const lookUps = rowNodes(example);
		expect(lookUps.map(({ name }) => name)).toEqual(LOOK_UPS);
		const names = [...made.values()].flat().map(({ name }) => name);
		for (const { parameters } of lookUps)
			for (const { keyName } of (parameters as Row).filters?.conditions ?? [])
				expect(names).toContain(keyName);
	});
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
