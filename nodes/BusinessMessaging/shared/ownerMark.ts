import type { IExecuteFunctions, IHookFunctions } from 'n8n-workflow';

/** Under this key of a webhook's `customAttributes` stands whose it is. */
export const OWNER_ATTRIBUTE = 'n8n';

/** Who registered a webhook, as far as it is known. */
export interface OwnerMark {
	instanceId?: string;
	workflowId?: string;
	nodeId?: string;
}

/** Names the node that runs, as far as n8n knows it. */
export function ownerMark(context: IExecuteFunctions | IHookFunctions): OwnerMark {
	const { id: workflowId } = context.getWorkflow();
	const { id: nodeId } = context.getNode();
	const instanceId = context.getInstanceId();
	return {
		...(instanceId ? { instanceId } : {}),
		...(workflowId ? { workflowId } : {}),
		...(nodeId ? { nodeId } : {}),
	};
}

/** Longest description of a webhook that the service shows. */
const DESCRIPTION_MAX = 200;

/** Says in the service's lists what a webhook is for. */
export function describeOwner(context: IExecuteFunctions | IHookFunctions, purpose = ''): string {
	const { name } = context.getWorkflow();
	return `n8n workflow "${name ?? ''}", node "${context.getNode().name}"${purpose}`.slice(
		0,
		DESCRIPTION_MAX,
	);
}
