import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';

/** An operation of the action node: its entry in the list, its fields, and what it does. */
export interface Operation {
	option: INodePropertyOptions;
	/** Shown with every field's conditions already set for the operation. */
	fields: INodeProperties[];
	/** Handles one input item; `runForEachItem` calls it. Rejects with a ServiceError or an Error that names the field. */
	executeItem?(context: IExecuteFunctions, client: ServiceClient, itemIndex: number): Promise<IDataObject | IDataObject[]>;
	/** Handles all input items together, On Error included. Takes the place of `executeItem`. */
	executeAll?(context: IExecuteFunctions, client: ServiceClient): Promise<INodeExecutionData[]>;
}

/** The fields of an operation, shown only with it. */
export function fieldsOf(resource: string, operation: string, fields: INodeProperties[]): INodeProperties[] {
	return fields.map((field) => ({
		...field,
		displayOptions: { ...field.displayOptions, show: { ...field.displayOptions?.show, resource: [resource], operation: [operation] } },
	}));
}

/** The list of a resource's operations, as the editor shows it. */
export function operationField(resource: string, operations: Operation[], initial: string): INodeProperties {
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
