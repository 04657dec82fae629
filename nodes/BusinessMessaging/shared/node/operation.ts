import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';
import { choiceField, shownAt } from './fields';
import { linkTo } from '../texts/words';

/** Its entry in the list of operations, with what belongs to it. */
interface OperationInEditor extends Pick<INodePropertyOptions, 'builderHint'> {
	name: string;
	value: string;
	action: string;
	description: string;
	/** Shown only with it. One that already names its operation stays as it is. */
	fields: INodeProperties[];
	/** Why an agent's tool must not have it, to follow "because ". */
	notForAgents?: string;
}

/** An operation that handles one input item after the other. */
export interface ItemOperation extends OperationInEditor {
	/** Fields of its items that hide nothing: a new secret, and what the user wrote. */
	asGiven?: readonly string[];
	/** Rejects with a ServiceError or an Error that names the field. */
	executeItem(
		context: IExecuteFunctions,
		client: ServiceClient,
		itemIndex: number,
	): Promise<IDataObject | IDataObject[]>;
}

/** An operation that handles all input items together, On Error included. */
export interface BatchOperation extends OperationInEditor {
	/** With "Continue", it rejects only if nothing was done for any item. */
	executeAll(context: IExecuteFunctions, client: ServiceClient): Promise<INodeExecutionData[]>;
}

/** An operation of the action node: its fields and what it does. */
export type Operation = ItemOperation | BatchOperation;

/** A resource of the action node. Saved workflows hold the keys of its operations. */
export interface Resource {
	operations: Record<string, Operation>;
	fields: INodeProperties[];
}

/** @param initial the operation of a new node */
export function resourceOf(resource: string, operations: Operation[], initial: string): Resource {
	return {
		operations: Object.fromEntries(operations.map((operation) => [operation.value, operation])),
		fields: [
			...operationFields(resource, operations, initial),
			...operations.flatMap((operation) => fieldsOf(resource, operation)),
		],
	};
}

const fieldsOf = (resource: string, { value, fields }: Operation): INodeProperties[] =>
	fields.map((field) =>
		field.displayOptions?.show?.operation
			? field
			: shownAt(field, { resource: [resource], operation: [value] }),
	);

/** The list of operations, and another one for tools if they must not have all of them. */
function operationFields(
	resource: string,
	operations: Operation[],
	initial: string,
): INodeProperties[] {
	const fieldOf = (offered: Operation[], isTool?: boolean): INodeProperties =>
		choiceField('Operation', 'operation', {
			noDataExpression: true,
			displayOptions: {
				show: { resource: [resource], ...(isTool === undefined ? {} : { '@tool': [isTool] }) },
			},
			options: offered.map(entryOf),
			default: initial,
			description: `What to do. More about ${offered
				.map(({ name, value }) => linkTo(`outputs.md#${anchorOf(resource, value)}`, name))
				.join(', ')}.`,
		});
	const ofTools = operations.filter(({ notForAgents }) => notForAgents === undefined);
	if (ofTools.length === operations.length) return [fieldOf(operations)];
	return [fieldOf(operations, false), fieldOf(ofTools, true)];
}

const entryOf = (operation: Operation): INodePropertyOptions => {
	const { name, value, action, description, builderHint } = operation;
	return { name, value, action, description, ...(builderHint ? { builderHint } : {}) };
};

/** Refuses an operation that tools must not have. The editor does not offer it. @throws Error */
export function requireNoTool({ notForAgents, name }: Operation, node: INode): void {
	if (notForAgents !== undefined && /Tool$/.test(node.type))
		throw new Error(
			`"${name}" is not for agents, because ${notForAgents}. Use it in a workflow instead.`,
		);
}

/** Where docs/outputs.md has an operation: `webhook-get-all`. */
const anchorOf = (resource: string, value: string): string =>
	`${resource}-${value}`.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
