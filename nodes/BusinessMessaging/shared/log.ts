import type { IExecuteFunctions } from 'n8n-workflow';

import { oneLine } from './words';

/** Characters of a line. A message of the service has 2,000. */
const LINE_MAX = 10_000;

/**
 * Writes to n8n's log, as nothing else of the nodes does: what others wrote must neither begin a
 * line of its own nor reach a terminal as a command.
 */
export function log(
	context: Pick<IExecuteFunctions, 'getNode' | 'getWorkflow' | 'logger'>,
	level: 'info' | 'warn' | 'error',
	message: string,
): void {
	const { id, name } = context.getWorkflow();
	context.logger[level](oneLine(message, LINE_MAX), {
		...(id ? { workflowId: id } : {}),
		...(name === undefined ? {} : { workflow: oneLine(name, LINE_MAX) }),
		node: oneLine(context.getNode().name, LINE_MAX),
	});
}
