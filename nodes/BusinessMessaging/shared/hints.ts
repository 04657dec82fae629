import type { IExecuteFunctions } from 'n8n-workflow';

import { asHtml } from '../service/errors/nodeError';
import { NUMBER_FORM, readRecipient } from '../service/recipient';

/** Shows a text on the node's output. The editor reads it as HTML. */
export function addHint(context: IExecuteFunctions, text: string): void {
	context.addExecutionHints({ message: asHtml(text), location: 'outputPane' });
}

/** Recipients that a hint names. */
const NAMED_MAX = 5;

/**
 * Names the recipients that look like phone numbers and were left as they are, because they could
 * be IDs.
 * @param recipients as entered, each with the index of its item
 */
export function addUnclearHint(
	context: IExecuteFunctions,
	recipients: Iterable<readonly [index: number, recipient: string | undefined]>,
): void {
	const unclear = [...recipients].flatMap(([index, recipient]) =>
		recipient !== undefined && readRecipient(recipient).isUnclear ? [{ index, recipient }] : [],
	);
	if (unclear.length === 0) return;
	const named = unclear
		.slice(0, NAMED_MAX)
		.map(({ index, recipient }) => `"${recipient}" (item ${index})`);
	const more = unclear.length - named.length;
	const all = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
	addHint(context, `Not read as phone numbers: ${all}. ${NUMBER_FORM}`);
}
