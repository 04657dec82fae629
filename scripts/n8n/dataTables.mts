/** n8n's data tables, which its Data table nodes read and write. */
import { type IDataObject, type INodeParameters, isResourceLocatorValue } from 'n8n-workflow';

import type { N8nClient } from './client.mts';
import type { Workflow } from './types.mts';

export const DATA_TABLE_NODE = 'n8n-nodes-base.dataTable';

export interface DataTable {
	id: string;
	name: string;
}

export interface DataTableColumn {
	name: string;
	type: 'string' | 'number' | 'boolean' | 'date';
}

/** The data table that a node's field names, or else the one named like the workflow. */
export const tableNameOf = ({ dataTableId }: INodeParameters, workflow: string): string =>
	(isResourceLocatorValue(dataTableId) && dataTableId.cachedResultName) || workflow;

/**
 * The data tables of a workflow's nodes, by name, each with the columns that these nodes write. Its
 * notes ask for exactly these.
 */
export function dataTablesOf({ name: workflow, nodes }: Workflow): Map<string, DataTableColumn[]> {
	const tables = new Map<string, Map<string, DataTableColumn>>();
	for (const { type, parameters } of nodes) {
		if (type !== DATA_TABLE_NODE && type !== `${DATA_TABLE_NODE}Tool`) continue;
		const { schema = [] } = (parameters.columns ?? {}) as {
			schema?: Array<{ id: string; type: string }>;
		};
		const name = tableNameOf(parameters, workflow);
		const columns = tables.get(name) ?? new Map<string, DataTableColumn>();
		tables.set(name, columns);
		// A date column is called dateTime where nodes map values to it.
		for (const { id, type: kind } of schema)
			columns.set(id, {
				name: id,
				type: (kind === 'dateTime' ? 'date' : kind) as DataTableColumn['type'],
			});
	}
	return new Map([...tables].map(([name, columns]) => [name, [...columns.values()]]));
}

/** Creates the owner's data table with this name unless it exists. */
export async function provideDataTable(
	client: N8nClient,
	name: string,
	columns: DataTableColumn[],
): Promise<DataTable> {
	const tables = await pathOfTables(client);
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data } = await client.request<{ data: DataTable[] }>('GET', `${tables}?filter=${filter}`);
	const { id } =
		data.find((table) => table.name === name) ??
		(await client.request<DataTable>('POST', tables, { name, columns }));
	return { id, name };
}

/** Rows in a page. n8n 1 returns no more. */
const ROWS_PAGE = 50;

/** All rows, with n8n's own columns `id`, `createdAt` and `updatedAt`. Dates are ISO 8601. */
export async function dataTableRows(client: N8nClient, { id }: DataTable): Promise<IDataObject[]> {
	const path = `${await pathOfTables(client)}/${id}/rows?take=${ROWS_PAGE}`;
	const rows: IDataObject[] = [];
	for (;;) {
		const { data } = await client.request<{ data: IDataObject[] }>(
			'GET',
			`${path}&skip=${rows.length}`,
		);
		rows.push(...data);
		if (data.length < ROWS_PAGE) return rows;
	}
}

export async function insertDataTableRows(
	client: N8nClient,
	{ id }: DataTable,
	data: IDataObject[],
): Promise<void> {
	const path = `${await pathOfTables(client)}/${id}/insert`;
	await client.request('POST', path, { data, returnType: 'count' });
}

/** Writes values into the rows with this value. */
export async function updateDataTableRows(
	client: N8nClient,
	{ id }: DataTable,
	where: { columnName: string; value: string },
	data: IDataObject,
): Promise<void> {
	const filter = { type: 'and', filters: [{ ...where, condition: 'eq' }] };
	await client.request('PATCH', `${await pathOfTables(client)}/${id}/rows`, { filter, data });
}

async function pathOfTables(client: N8nClient): Promise<string> {
	const { id } = await client.request<{ id: string }>('GET', '/projects/personal');
	return `/projects/${id}/data-tables`;
}
