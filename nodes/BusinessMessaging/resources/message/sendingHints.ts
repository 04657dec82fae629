import type { IExecuteFunctions } from 'n8n-workflow';

import type { SendOutcome } from '../../sending/sendAll';
import { ServiceError } from '../../service/errors';

/** Says on the node's output in the editor what happened, where there is something to say. */
export function sayWhatHappened(
	context: IExecuteFunctions,
	outcomes: readonly SendOutcome[],
	waited: number,
): void {
	const before = outcomes.filter((outcome) => 'alreadySent' in outcome).length;
	const said = [
		...failuresOf(outcomes),
		before > 0 && `${before} ${before === 1 ? 'key' : 'keys'} had been sent before.`,
		waited > 0 && `Waited ${Math.ceil(waited / 1000)} s because the service asked.`,
	].filter((sentence) => sentence !== false);
	for (const message of said) context.addExecutionHints({ message, location: 'outputPane' });
}

/** How many were not sent, by the reasons that failed items carry; and apart from them, of how many nobody knows. */
function failuresOf(outcomes: readonly SendOutcome[]): string[] {
	const reasons = new Map<string, number>();
	for (const outcome of outcomes) {
		if (!('error' in outcome)) continue;
		const reason = outcome.error instanceof ServiceError ? outcome.error.reason : 'invalid_input';
		reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
	}
	const inDoubt = reasons.get('unknown_outcome') ?? 0;
	reasons.delete('unknown_outcome');
	const failed = [...reasons.values()].reduce((sum, count) => sum + count, 0);
	const why = [...reasons].map(([reason, count]) =>
		reasons.size === 1 ? reason : `${reason} (${count})`,
	);
	const total = outcomes.length;
	return [
		...(failed > 0
			? [`${failed} of ${total} ${failed === 1 ? 'was' : 'were'} not sent: ${why.join(', ')}.`]
			: []),
		...(inDoubt > 0 ? [`${inDoubt} of ${total} may have been sent: unknown_outcome.`] : []),
	];
}

/**
 * What a retry of the execution does, after the node stopped. Empty where the service accepted nothing: then there is nothing to say.
 * @param total input items
 */
export function sayOfRetry(outcomes: readonly SendOutcome[], total: number): string {
	const inDoubt = outcomes.filter(
		(outcome) =>
			'error' in outcome &&
			outcome.error instanceof ServiceError &&
			outcome.error.reason === 'unknown_outcome',
	).length;
	const sent = outcomes.filter((outcome) => !('error' in outcome)).length;
	if (sent === 0) return '';
	const others = total - sent - inDoubt;
	const kept =
		(sent === 1 ? 'The 1 that was accepted' : `The ${sent} that were accepted`) +
		(inDoubt > 0 ? ` and the ${inDoubt} that may have been` : '');
	const rest = others === 1 ? '; the other is,' : '; the others are,';
	return `${kept} ${sent + inDoubt === 1 ? 'is' : 'are'} not sent again${others > 0 ? rest : ''} when this execution is retried.`;
}

/** n8n keeps at most so many characters of a value. */
const VALUE_MAX = 255;

/** Saves with the execution whom it sends to, for the search in n8n's list of executions. */
export function tagExecution(context: IExecuteFunctions): void {
	const recipients = new Set(
		context
			.getInputData()
			.map((_item, index) => String(context.getNodeParameter('recipient', index, '')).trim()),
	);
	const [only = ''] = recipients;
	const [key, value] =
		recipients.size === 1 ? ['recipient', only] : ['recipients', String(recipients.size)];
	const { customData } = context.getWorkflowDataProxy(0).$execution as {
		customData: { set(key: string, value: string): void };
	};
	customData.set(key, value.slice(0, VALUE_MAX));
}
