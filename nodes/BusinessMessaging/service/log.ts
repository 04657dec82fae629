import type { IExecuteFunctions } from 'n8n-workflow';

import { oneLine } from './cutText';
import { asError } from './errors/nodeError';

/** Characters of a line. A message of the service has 2,000. */
const LINE_MAX = 10_000;

type Logging = Pick<IExecuteFunctions, 'getNode' | 'getWorkflow' | 'logger'>;

/**
 * The only way to n8n's log: what others wrote must begin no line, nor command a terminal.
 * @param message at most 10,000 characters are logged
 */
export function log(context: Logging, level: 'info' | 'warn' | 'error', message: string): void {
	const { id, name } = context.getWorkflow();
	context.logger[level](oneLine(message, LINE_MAX), {
		...(id ? { workflowId: id } : {}),
		...(name === undefined ? {} : { workflow: oneLine(name, LINE_MAX) }),
		node: oneLine(context.getNode().name, LINE_MAX),
	});
}

/** For `catch`: says in n8n's log what failed, why, and what comes of it. */
export const warnOf =
	(context: Logging, what: string, then: string) =>
	(error: unknown): void =>
		log(context, 'warn', `${what}: ${asError(error).message}. ${then}`);
