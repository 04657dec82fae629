import type { INodeType, INodeTypes } from 'n8n-workflow';

/** What n8n asks for the types of a workflow's nodes. */
export const nodeTypesOf = (find: (type: string) => INodeType): INodeTypes => ({
	getByName: find,
	getByNameAndVersion: find,
	getKnownTypes: () => ({}),
});
