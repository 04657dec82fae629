import type { IExecuteFunctions } from 'n8n-workflow';

/** Where a UUID says its version. */
const VERSION_AT = 14;
const UUID_LENGTH = 36;

/**
 * n8n's second engine, which a workflow's settings can ask for, takes a node that waits for one that ended: the workflow would go on without a
 * reply. n8n 2.41 keeps that setting from the nodes of such an execution. What tells is that they see no settings at all, and an id that
 * is a UUID of version 7, where the first engine counts.
 *
 * @throws Error when this execution cannot wait
 */
export function requireEngineThatWaits(context: IExecuteFunctions): void {
	const settings = context.getWorkflowSettings();
	const id = context.getExecutionId();
	const isHidden =
		Object.keys(settings).length === 0 && id.length === UUID_LENGTH && id[VERSION_AT] === '7';
	if ('engineType' in settings ? settings.engineType === 'v2' : isHidden)
		throw new Error(
			"This workflow is set to n8n's second engine, which does not wait for replies: the workflow would go on without one. Nothing was sent. In the workflow's settings, choose the other engine.",
		);
}
