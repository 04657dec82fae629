/** n8n's data tables, which its Data table nodes read and write. */
import { type IDataObject, type INodeParameters, isResourceLocatorValue } from 'n8n-workflow';

import type { N8nClient } from './client.mts';
import type { Workflow, WorkflowNode } from './types.mts';

export const DATA_TABLE_NODE = 'n8n-nodes-base.dataTable';

export interface DataTable {
	id: string;
	name: string;
}

export interface DataTableColumn {
	name: string;
	type: 'string' | 'number' | 'boolean' | 'date';
}

/** The data table that a node's field names, by name or as it was chosen from the list. */
export const tableNameOf = ({ dataTableId }: INodeParameters): string | undefined =>
	isResourceLocatorValue(dataTableId)
		? dataTableId.mode === 'name'
			? String(dataTableId.value)
			: dataTableId.cachedResultName
		: undefined;

type TypedNode = Pick<WorkflowNode, 'type' | 'parameters'>;

/** Whether a node makes or lists tables, which n8n 1 cannot. */
export const isAboutTables = ({ type, parameters }: TypedNode) =>
	type === DATA_TABLE_NODE && parameters.resource === 'table';

export const makesTable = (node: TypedNode) =>
	isAboutTables(node) && node.parameters.operation === 'create';

/** The data tables that an example needs, by name: its branch *Set Up* makes them. */
export const tablesMadeBy = ({ nodes }: Workflow): Map<string, DataTableColumn[]> =>
	new Map(
		nodes.filter(makesTable).map(({ parameters: { tableName, columns } }) => {
			const { column } = columns as unknown as { column: DataTableColumn[] };
			return [String(tableName), column];
		}),
	);

/** Creates the owner's data table with this name unless it exists. */
export async function provideDataTable(
	client: N8nClient,
	name: string,
	columns: DataTableColumn[],
): Promise<DataTable> {
	const { id } =
		(await findDataTable(client, name)) ??
		(await client.request<DataTable>('POST', await pathOfTables(client), { name, columns }));
	return { id, name };
}

/** The owner's data table with this name. */
export async function findDataTable(
	client: N8nClient,
	name: string,
): Promise<DataTable | undefined> {
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const path = `${await pathOfTables(client)}?filter=${filter}`;
	const { data } = await client.request<{ data: DataTable[] }>('GET', path);
	// n8n finds every name that contains it.
	return data.find((table) => table.name === name);
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

export async function deleteDataTable(client: N8nClient, { id }: DataTable): Promise<void> {
	await client.request('DELETE', `${await pathOfTables(client)}/${id}`);
}

async function pathOfTables(client: N8nClient): Promise<string> {
	const { id } = await client.request<{ id: string }>('GET', '/projects/personal');
	return `/projects/${id}/data-tables`;
}
