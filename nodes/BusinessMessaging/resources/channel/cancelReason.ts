import type { INodeProperties } from 'n8n-workflow';

/** Why a channel or its subscription ends. */
export const cancelReasonField: INodeProperties = {
	displayName: 'Cancel Reason',
	name: 'cancelReason',
	type: 'string',
	default: '',
	placeholder: 'e.g. The shop has closed',
	description: 'The reason, which the service stores. You can leave it empty.',
};
