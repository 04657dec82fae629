/** n8n's data tables: what its Data table nodes read and write. */
import type { IDataObject } from 'n8n-workflow';

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

/** The columns that a workflow's Data table nodes write. Its notes ask for a table with exactly these. */
export function dataTableColumnsOf({ nodes }: Workflow): DataTableColumn[] {
	const columns = new Map<string, DataTableColumn>();
	for (const { type, parameters } of nodes) {
		const { schema = [] } = (parameters.columns ?? {}) as {
			schema?: Array<{ id: string; type: string }>;
		};
		// What is a date in the table is called dateTime where nodes map values to it.
		if (type === DATA_TABLE_NODE)
			for (const { id, type: kind } of schema)
				columns.set(id, {
					name: id,
					type: (kind === 'dateTime' ? 'date' : kind) as DataTableColumn['type'],
				});
	}
	return [...columns.values()];
}

/** Creates the owner's data table of this name unless it is there. */
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

/** Rows of a page. n8n 1 gives no more. */
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

/** Writes values into the rows that have this one. */
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
