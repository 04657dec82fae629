import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { ServiceClient } from '../service/client';

interface OperationInEditor {
	/** Its entry in the list. */
	option: INodePropertyOptions;
	/** Shown with every field's conditions already set for the operation. */
	fields: INodeProperties[];
}

/** An operation that handles one input item after the other. */
export interface ItemOperation extends OperationInEditor {
	/** Rejects with a ServiceError or an Error that names the field. */
	executeItem(
		context: IExecuteFunctions,
		client: ServiceClient,
		itemIndex: number,
	): Promise<IDataObject | IDataObject[]>;
}

/** An operation that handles one input item after the other, and gives files with it. */
export interface FileOperation extends OperationInEditor {
	/** The output item. Rejects as `executeItem` does. */
	executeItemWithFiles(
		context: IExecuteFunctions,
		itemIndex: number,
	): Promise<Pick<INodeExecutionData, 'json' | 'binary'>>;
}

/** An operation that handles all input items together, On Error included. */
export interface BatchOperation extends OperationInEditor {
	/** Rejects under "Continue" only while nothing was done for any item. */
	executeAll(context: IExecuteFunctions, client: ServiceClient): Promise<INodeExecutionData[]>;
}

/** An operation of the action node: what the editor shows of it, and what it does. */
export type Operation = ItemOperation | FileOperation | BatchOperation;

/** A resource of the action node: its operations by their value in saved workflows, and all that the editor shows of it. */
export interface Resource {
	operations: Record<string, Operation>;
	fields: INodeProperties[];
}

/** @param initial value of the operation that a new node begins with */
export function resourceOf(resource: string, operations: Operation[], initial: string): Resource {
	const byValue = Object.fromEntries(
		operations.map((operation) => [String(operation.option.value), operation]),
	);
	return {
		operations: byValue,
		fields: [
			operationField(resource, operations, initial),
			...operations.flatMap(({ fields }) => fields),
		],
	};
}

/** The fields of an operation, shown only with it. */
export function fieldsOf(
	resource: string,
	operation: string,
	fields: INodeProperties[],
): INodeProperties[] {
	return fields.map((field) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { ...field.displayOptions?.show, resource: [resource], operation: [operation] },
		},
	}));
}

/** The list of a resource's operations, as the editor shows it. */
function operationField(
	resource: string,
	operations: Operation[],
	initial: string,
): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ option }) => option),
		default: initial,
	};
}
