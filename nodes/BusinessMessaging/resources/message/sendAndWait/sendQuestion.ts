import type { IExecuteFunctions } from 'n8n-workflow';

import { DEFAULT_TIMEOUT, type ServiceClient } from '../../../service/client';
import { mayBeDone, OR_INSTEAD, ServiceError } from '../../../service/errors';
import { log } from '../../../service/log';
import { nameOfContent } from '../../../service/messages';
import { addHint } from '../../../shared/node/hints';
import { asSentence } from '../../../shared/texts/words';
import { DEFAULT_CONCURRENCY, DEFAULT_ONCE_MEMORY } from '../batch/options';
import { addWaitHint, toRecipient } from '../batch/report';
import { type MessageJob, type NodePolicy, type OnSent, sendItems } from '../batch/sendItems';

/** A person who was not asked. If the error's effect is unknown, they may have been. */
interface NotAsked {
	recipient: string;
	error: Error;
}

const POLICY: NodePolicy = {
	maxConcurrency: DEFAULT_CONCURRENCY,
	maxPerSecond: 0,
	stopOnFailure: false,
	advice: {},
	timeout: DEFAULT_TIMEOUT,
	// Unused, because the whole question has one key.
	sendOnceMemory: DEFAULT_ONCE_MEMORY,
};

/**
 * Sends the question to all at the same time, with the waits and retries of Send Text.
 * @param messages by the index of the person in the list of all. A retry finds the message by it
 * @param until after which it must not leave any more, by this process's date
 * @param chat of a question in the chat: those whom it does not ask, and what is called for each
 * message that the service took, with its times and its ID
 * @returns the recipients who certainly were not asked. Whoever may have been may reply
 * @throws the error of a message, with its recipient, if nobody was certainly asked
 */
export async function sendQuestion(
	context: IExecuteFunctions,
	client: ServiceClient,
	messages: ReadonlyArray<Omit<MessageJob, 'name'>>,
	until?: Date,
	chat?: { busy: readonly NotAsked[]; onSent: OnSent },
): Promise<string[]> {
	const jobs = messages.map((one) => ({ ...one, name: nameOfContent(one.content) }));
	const { busy = [], onSent } = chat ?? {};
	const policy = {
		...POLICY,
		...(until ? { within: until.getTime() - Date.now(), isDeadline: true } : {}),
	};
	const { outcomes, waited, sentRecord } = await sendItems(context, client, jobs, policy, onSent);
	addWaitHint(context, waited);
	if (outcomes.size < messages.length)
		throw new Error('The execution was cancelled before the question was sent.');
	const failed = messages.flatMap(({ index, recipient }): NotAsked[] => {
		const outcome = outcomes.get(index);
		if (!outcome || !('error' in outcome)) return [];
		const error = chat ? outcome.error : withoutTemplate(outcome.error);
		return [{ recipient, error: until ? lateAfter(until, error) : error }];
	});
	if (failed.length === messages.length) {
		const { error, recipient } =
			failed.find(({ error }) => mayBeDone(error)) ??
			failed.find(({ error }) => mayBeDone(error, { orUnlikely: true })) ??
			failed[0]!;
		throw toRecipient(error, recipient);
	}
	sentRecord.clear();
	report(context, messages.length + busy.length, [...busy, ...failed]);
	return failed
		.filter(({ error }) => !mayBeDone(error, { orUnlikely: true }))
		.map(({ recipient }) => recipient);
}

/** A question by link has no template for a closed window. */
const withoutTemplate = (error: Error): Error =>
	error instanceof ServiceError ? error.but({ hint: error.hint.replace(OR_INSTEAD, '') }) : error;

/** Trying again would not help a question that would leave after its own deadline. */
function lateAfter(until: Date, error: Error): Error {
	if (!(error instanceof ServiceError)) return error;
	if (!(Date.parse(error.failure.retryAt ?? '') >= until.getTime())) return error;
	const cause = 'the service asks to wait until after the time in "Limit Wait Time"';
	return error.but({ reason: 'late', cause });
}

/** Says in a hint and in n8n's log who was not asked, and why. The log names nobody. */
function report(context: IExecuteFunctions, total: number, notAsked: readonly NotAsked[]): void {
	if (notAsked.length === 0) return;
	const asked = `Asked ${total - notAsked.length} of ${total} people.`;
	const reasons = notAsked.map(({ error }) => asSentence(error.message));
	const named = notAsked.map(({ recipient }, at) => `${recipient}: ${reasons[at]}`);
	addHint(context, [asked, ...named].join(' '));
	log(context, 'warn', [asked, ...new Set(reasons)].join(' '));
}
