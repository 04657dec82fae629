import type { IExecuteFunctions } from 'n8n-workflow';

import type { SendOutcome } from '../../../sending/job';
import { addWaitHint, toRecipient } from '../batch/report';
import { DEFAULT_TIMEOUT, type ServiceClient } from '../../../service/client';
import { mayBeDone } from '../../../service/errors';
import { type Message, nameOfContent } from '../../../service/messages';
import { log } from '../../../service/log';
import { addHint } from '../../../shared/node/hints';
import { asSentence } from '../../../shared/texts/words';
import { type Fallback, type NodePolicy, type OnSent, sendItems } from '../batch/sendItems';
import { DEFAULT_CONCURRENCY, DEFAULT_ONCE_MEMORY } from '../batch/options';

/** A question to one person. */
export interface QuestionMessage extends Message {
	/** Index of the person in the list of all. A retry finds the message by it. */
	index: number;
	/** Asks in its place if the window is closed. */
	fallback?: Fallback;
}

/** A person who was not asked. If the error's effect is unknown, they may have been. */
export interface NotAsked {
	recipient: string;
	error: Error;
}

const POLICY: NodePolicy = {
	maxConcurrency: DEFAULT_CONCURRENCY,
	maxPerSecond: 0,
	stopOnFailure: false,
	timeout: DEFAULT_TIMEOUT,
	// Unused, because the whole question has one key.
	sendOnceMemory: DEFAULT_ONCE_MEMORY,
};

/**
 * Sends the question to all at the same time, with the waits and retries of Send Text.
 * @param onSent called for each message that the service took, with its times and its ID
 * @returns who was not asked
 * @throws the error of a message, with its recipient, if nobody was certainly asked
 */
export async function sendQuestion(
	context: IExecuteFunctions,
	client: ServiceClient,
	messages: readonly QuestionMessage[],
	onSent?: OnSent,
): Promise<NotAsked[]> {
	const jobs = jobsOf(messages);
	const { outcomes, waited, forget } = await sendItems(context, client, jobs, POLICY, onSent);
	addWaitHint(context, waited);
	if (outcomes.size < messages.length)
		throw new Error('The execution was cancelled before the question was sent.');
	const notAsked = messages.flatMap(({ index, recipient }) => {
		const error = errorOf(outcomes.get(index));
		return error ? [{ recipient, error }] : [];
	});
	if (notAsked.length === messages.length) {
		const { error, recipient } =
			notAsked.find(({ error }) => mayBeDone(error)) ??
			notAsked.find(({ error }) => mayBeDone(error, { orUnlikely: true })) ??
			notAsked[0]!;
		throw toRecipient(error, recipient);
	}
	forget();
	return notAsked;
}

/** Says in a hint and in n8n's log who was not asked, and why. The log names nobody. */
export function reportNotAsked(
	context: IExecuteFunctions,
	total: number,
	notAsked: readonly NotAsked[],
): void {
	if (notAsked.length === 0) return;
	const asked = `Asked ${total - notAsked.length} of ${total} people.`;
	const named = notAsked.map(
		({ recipient, error }) => `${recipient}: ${asSentence(error.message)}`,
	);
	addHint(context, [asked, ...named].join(' '));
	const reasons = new Set(notAsked.map(({ error }) => asSentence(error.message)));
	log(context, 'warn', [asked, ...reasons].join(' '));
}

/** A person who may have been asked may reply. */
export const certainlyNotAsked = (notAsked: readonly NotAsked[]): string[] =>
	notAsked
		.filter(({ error }) => !mayBeDone(error, { orUnlikely: true }))
		.map(({ recipient }) => recipient);

const errorOf = (outcome: SendOutcome | undefined): Error | undefined =>
	outcome && 'error' in outcome ? outcome.error : undefined;

async function* jobsOf(messages: readonly QuestionMessage[]) {
	for (const { index, channelId, recipient, content, fallback } of messages)
		yield {
			...{ index, channelId, recipient, content, name: nameOfContent(content) },
			...(fallback ? { fallback } : {}),
		};
}
