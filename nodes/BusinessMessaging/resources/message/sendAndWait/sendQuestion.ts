import type { IExecuteFunctions } from 'n8n-workflow';

import type { SendOutcome } from '../../../sending/sendAll';
import { toRecipient } from '../../../sending/toRecipient';
import type { ServiceClient } from '../../../service/client';
import { DEFAULT_TIMEOUT } from '../../../service/client';
import { mayBeDone } from '../../../service/errors';
import type { Message } from '../../../service/messages';
import { nameOfContent } from '../../../service/messages';
import { asSentence } from '../../../shared/words';
import { DEFAULT_CONCURRENCY, DEFAULT_ONCE_MEMORY } from '../sendingFields';
import { sendJobs } from '../sendJobs';

/** A question to one of those who are asked. */
export interface QuestionMessage extends Message {
	/** Place of the person in the list of all, which a retry finds it by. */
	index: number;
}

/** Somebody who was not asked, or, when the error's effect is unknown, may have been. */
export interface NotAsked {
	recipient: string;
	error: Error;
}

/**
 * Sends the question side by side, as Send Text sends: it waits when the service asks to, and a retry does not repeat what may have been sent.
 * @throws the error of a message, which names its recipient, when nobody was certainly asked
 */
export async function sendQuestion(
	context: IExecuteFunctions,
	client: ServiceClient,
	messages: readonly QuestionMessage[],
): Promise<NotAsked[]> {
	const { outcomes, forget } = await sendJobs(context, client, jobsOf(messages), {
		maxConcurrency: DEFAULT_CONCURRENCY,
		maxPerSecond: 0,
		stopOnFailure: false,
		timeout: DEFAULT_TIMEOUT,
		// The key is that of the whole question.
		sendOnceMemory: DEFAULT_ONCE_MEMORY,
	});
	if (outcomes.size < messages.length)
		throw new Error('The execution was cancelled before the question was sent.');
	const notAsked = messages.flatMap(({ index, recipient }) => {
		const error = errorOf(outcomes.get(index));
		return error ? [{ recipient, error }] : [];
	});
	if (notAsked.length === messages.length) {
		const { error, recipient } = notAsked.find(({ error }) => mayBeDone(error)) ?? notAsked[0]!;
		throw toRecipient(error, recipient);
	}
	forget();
	return notAsked;
}

/** Says on the node's output in the editor, and in n8n's log, that somebody was not asked, and why. The log names nobody. */
export function sayWhoWasNotAsked(
	context: IExecuteFunctions,
	total: number,
	notAsked: readonly NotAsked[],
): void {
	if (notAsked.length === 0) return;
	const asked = `Asked ${total - notAsked.length} of ${total} people.`;
	const named = notAsked.map(
		({ recipient, error }) => `${recipient}: ${asSentence(error.message)}`,
	);
	context.addExecutionHints({
		message: [asked, ...named].join(' '),
		location: 'outputPane',
	});
	const reasons = new Set(notAsked.map(({ error }) => asSentence(error.message)));
	context.logger.warn([asked, ...reasons].join(' '), {
		workflowId: context.getWorkflow().id,
		node: context.getNode().name,
	});
}

const errorOf = (outcome: SendOutcome | undefined): Error | undefined =>
	outcome && 'error' in outcome ? outcome.error : undefined;

async function* jobsOf(messages: readonly QuestionMessage[]) {
	for (const { index, channelId, recipient, content } of messages)
		yield { index, channelId, recipient, content, name: nameOfContent(content) };
}
