import type { IExecuteFunctions } from 'n8n-workflow';

import { asHtml } from '../service/errors/asHtml';

/** Shows a text on the node's output. The editor reads it as HTML. */
export function addHint(context: IExecuteFunctions, text: string): void {
	context.addExecutionHints({ message: asHtml(text), location: 'outputPane' });
}
