import type { IExecuteFunctions, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { cutText } from '../../service/cutText';

/** The key of a webhook's `customAttributes` that holds its owner. */
export const NODE_ATTRIBUTE = 'n8n';

/** The node that registered a webhook, as far as it is known. */
export interface NodeMark {
	instanceId?: string;
	workflowId?: string;
	nodeId?: string;
}

/** The node that runs, as far as n8n knows it. */
export function nodeMark(
	context: IExecuteFunctions | IHookFunctions | IWebhookFunctions,
): NodeMark {
	const { id: workflowId } = context.getWorkflow();
	const { id: nodeId } = context.getNode();
	const instanceId = context.getInstanceId();
	return {
		...(instanceId ? { instanceId } : {}),
		...(workflowId ? { workflowId } : {}),
		...(nodeId ? { nodeId } : {}),
	};
}

/** The service shows no longer description of a webhook. */
const DESCRIPTION_MAX = 200;

/** The description of a webhook in the service's lists. */
export function describeNode(context: IExecuteFunctions | IHookFunctions, purpose = ''): string {
	const { name: workflow = '' } = context.getWorkflow();
	const { name: node } = context.getNode();
	return cutText(`n8n workflow "${workflow}", node "${node}"${purpose}`, DESCRIPTION_MAX);
}
