import type { IExecuteFunctions } from 'n8n-workflow';

import type { SendOutcome } from '../../sending/sendAll';
import { ServiceError } from '../../service/errors';

/** What became of messages that were not sent, in words, by the reason of the error. */
const WORDS: Record<string, (count: number) => string> = {
	window_closed: (count) => `${count} ${count === 1 ? 'window is' : 'windows are'} closed`,
	unknown_outcome: (count) => `${count} may have been sent`,
	key_reused: (count) => `${count} reused a key`,
};

/** Says on the node's output in the editor what happened, where there is something to say. */
export function sayWhatHappened(
	context: IExecuteFunctions,
	outcomes: readonly SendOutcome[],
	waited: number,
): void {
	const before = outcomes.filter((outcome) => 'alreadySent' in outcome).length;
	const said = [
		failuresOf(outcomes, before),
		before > 0 && `${before} ${before === 1 ? 'key' : 'keys'} had been sent before.`,
		waited > 0 && `Waited ${Math.ceil(waited / 1000)} s because the service asked.`,
	].filter((sentence) => sentence !== false);
	for (const message of said) context.addExecutionHints({ message, location: 'outputPane' });
}

function failuresOf(outcomes: readonly SendOutcome[], before: number): string | false {
	const reasons = new Map<string, number>();
	for (const outcome of outcomes) {
		if (!('error' in outcome)) continue;
		const reason = outcome.error instanceof ServiceError ? outcome.error.reason : 'invalid_input';
		reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
	}
	if (reasons.size === 0) return false;
	const failed = [...reasons.values()].reduce((sum, count) => sum + count, 0);
	const why = [...reasons].map(
		([reason, count]) => WORDS[reason]?.(count) ?? `${count} failed (${reason})`,
	);
	const sent = outcomes.length - failed - before;
	return `${sent} of ${outcomes.length} ${sent === 1 ? 'was' : 'were'} sent: ${why.join(', ')}.`;
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
