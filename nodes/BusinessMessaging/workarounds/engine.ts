import type { IExecuteFunctions } from 'n8n-workflow';

/** Position of the version in a UUID. */
const VERSION_AT = 14;
const UUID_LENGTH = 36;

/**
 * Refuses to wait on n8n's second engine, which treats a node that waits as finished: the workflow
 * would continue without a reply. In n8n 2.41 nodes cannot read which engine runs them. On the
 * second one they see no settings, and the execution's ID is a UUID of version 7, not a number.
 *
 * Can go once the second engine waits.
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
			"This workflow is set to n8n's second engine, which does not wait for replies. Nothing was sent. In the workflow's settings, choose the other engine.",
		);
}
