import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { FailedSend, SendOutcome } from '../../../sending/batch';
import type { SentRecord } from '../../../sending/sentRecord';
import { cutText } from '../../../service/cutText';
import { ServiceError, toNodeError } from '../../../service/errors';
import { identifierOf } from '../../../service/recipient';
import { addHint, addReachHint, addUnclearHint } from '../../../shared/node/hints';
import { failedItem } from '../../../shared/node/items';
import type { SendOptions } from './options';
import type { Noticed } from './readItems';

interface Sent extends Noticed, Pick<SendOptions, 'isTagged' | 'sendAgain'> {
	/** By item index. Those that were not started are missing. */
	outcomes: ReadonlyMap<number, SendOutcome>;
	/** Milliseconds. */
	waited: number;
	sentRecord: SentRecord;
	/** The plural of the messages: "texts". */
	names: string;
	baseUrl: string;
}

/**
 * What became of the items, in their order, and hints about it.
 * @throws the first error, if the node is to stop
 */
export function report(context: IExecuteFunctions, sent: Sent): INodeExecutionData[] {
	const { sentRecord, unkeyed, sendAgain } = sent;
	const total = context.getInputData().length;
	const inOrder = [...sent.outcomes].sort(([left], [right]) => left - right);
	const all = inOrder.map(([, outcome]) => outcome);
	const hasFailed = inOrder.length < total || all.some((outcome) => 'error' in outcome);
	if (hasFailed) sentRecord.fail();
	else sentRecord.clear();
	// Before the node may stop, because people search for failed executions, too.
	if (sent.isTagged) tagExecution(context, all);
	const note = () => retryNote(context, sentRecord, all, unkeyed, sendAgain);
	const stop = (index: number, error: Error) =>
		stoppingError(context, index, error, `${howToWait(error)}${note()}`);
	for (const [index, outcome] of inOrder)
		if ('error' in outcome && !context.continueOnFail())
			throw stop(index, toRecipient(outcome.error, outcome.recipient));
	const unsent = `The execution was cancelled before all ${sent.names} were sent.`;
	if (inOrder.length < total) throw stop(0, new Error(unsent));
	addSendHints(context, all, sent.waited);
	addReachHint(context, sent.files, sent.baseUrl);
	addUnclearHint(
		context,
		inOrder.map(([index, { recipient }]) => [index, recipient]),
	);
	return inOrder.map(([index, outcome]) => outputItem(index, outcome));
}

/** Hours are no reason to stop: other items can have other zones, or be sent already. */
const howToWait = (error: Error) =>
	error instanceof ServiceError && error.reason === 'outside_hours'
		? 'To let it wait, set "On Error" in the node\'s settings to "Continue (using error output)", and lead that output to a Wait node until {{ $json.details.retryAt }}, and from there to a second node that sends. '
		: '';

/** Adds hints to the node's output in the editor: what failed, was replaced, or waited. */
function addSendHints(
	context: IExecuteFunctions,
	outcomes: readonly SendOutcome[],
	waited: number,
): void {
	const before = outcomes.filter((outcome) => 'alreadySent' in outcome).length;
	const replaced = outcomes.filter((outcome) => 'sentAs' in outcome).length;
	for (const hint of failuresOf(outcomes)) addHint(context, hint);
	if (replaced > 0)
		addHint(
			context,
			`${replaced} of ${outcomes.length} ${were(replaced)} sent as a template because the 24-hour window was closed.`,
		);
	if (before > 0)
		addHint(
			context,
			`${before} ${messages(before)} had been sent before under ${before === 1 ? 'its' : 'their'} Send Once Key.`,
		);
	addWaitHint(context, waited);
}

const were = (count: number): string => (count === 1 ? 'was' : 'were');
const messages = (count: number): string => (count === 1 ? 'message' : 'messages');

/** Undefined for what was sent. */
function reasonOf(outcome: SendOutcome): string | undefined {
	if (!('error' in outcome)) return undefined;
	return outcome.error instanceof ServiceError ? outcome.error.reason : 'invalid_input';
}

/** @param waited milliseconds */
export function addWaitHint(context: IExecuteFunctions, waited: number): void {
	const seconds = Math.round(waited / 1000);
	if (seconds > 0) addHint(context, `Waited ${seconds} s because the service asked.`);
}

/** Counts the messages that were not sent, by reason, and those that may have been sent. */
function failuresOf(outcomes: readonly SendOutcome[]): string[] {
	const reasons = new Map<string, number>();
	for (const reason of outcomes.flatMap((outcome) => reasonOf(outcome) ?? []))
		reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
	const inDoubt = reasons.get('unknown_outcome') ?? 0;
	reasons.delete('unknown_outcome');
	const failed = [...reasons.values()].reduce((sum, count) => sum + count, 0);
	const why = [...reasons].map(([reason, count]) =>
		reasons.size === 1 ? reason : `${reason} (${count})`,
	);
	const total = outcomes.length;
	return [
		...(failed > 0 ? [`${failed} of ${total} ${were(failed)} not sent: ${why.join(', ')}.`] : []),
		...(inDoubt > 0 ? [`${inDoubt} of ${total} may have been sent: unknown_outcome.`] : []),
	];
}

/**
 * How to send the rest, after the node stopped. Empty if nothing was accepted, not even a part.
 * @param unkeyed items without a Send Once Key, which a new execution sends again
 */
function retryNote(
	context: IExecuteFunctions,
	{ accepted }: Pick<SentRecord, 'accepted'>,
	outcomes: readonly SendOutcome[],
	unkeyed: ReadonlySet<number>,
	sendAgain = false,
): string {
	const sent = accepted.length + outcomes.filter((outcome) => 'alreadySent' in outcome).length;
	if (sent === 0) return '';
	const reasons = outcomes.map(reasonOf);
	const inDoubt = reasons.filter((reason) => reason === 'unknown_outcome').length;
	const doubted = inDoubt > 0 && !sendAgain ? ` and the ${inDoubt} that may have been sent` : '';
	// Who changes a key that was reused makes new ones for what was accepted, too.
	const again = reasons.includes('key_reused') || accepted.some((index) => unkeyed.has(index));
	const isCalled = context.getMode() === 'integrated';
	const where = isCalled ? ' of this sub-workflow' : '';
	const anew = isCalled ? 'A retry of the calling workflow' : '"Execute step"';
	// n8n has no retry of what was cancelled.
	const known = context.getExecutionCancelSignal()?.aborted
		? `${sent} ${messages(sent)} ${were(sent)} accepted.`
		: `"Retry execution" under "Executions"${where} skips the ${sent} accepted ${messages(sent)}${doubted}.`;
	return again ? `${known} ${anew}, like any new run, sends all again.` : known;
}

function stoppingError(context: IExecuteFunctions, index: number, error: Error, retry: string) {
	const withRetry = (words: string | null | undefined) => [words, retry].filter(Boolean).join(' ');
	const isOurs = error instanceof ServiceError;
	const told = isOurs ? error.but({ hint: withRetry(error.hint) }) : error;
	const nodeError = toNodeError(context.getNode(), told, index);
	if (!isOurs) nodeError.description = withRetry(nodeError.description);
	return nodeError;
}

function outputItem(index: number, outcome: SendOutcome): INodeExecutionData {
	if (!('error' in outcome)) return { json: withSentTo(outcome), pairedItem: { item: index } };
	const { error, recipient, channelId } = outcome;
	const target = {
		...(recipient === undefined ? {} : { recipient }),
		...(channelId === undefined ? {} : { channelId }),
	};
	return failedItem(toRecipient(error, recipient), index, target);
}

/** Shows where a message went, if its recipient was entered in another way. */
function withSentTo(outcome: Exclude<SendOutcome, FailedSend>): IDataObject {
	const { messageId, recipient } = outcome;
	const sentTo = identifierOf(recipient);
	return messageId === null || sentTo === recipient ? outcome : { ...outcome, sentTo };
}

/** Characters of a value that n8n keeps. */
const VALUE_MAX = 255;

/** Saves recipients for n8n's search. From the outcomes, because reading fields can fail. */
function tagExecution(context: IExecuteFunctions, outcomes: readonly SendOutcome[]): void {
	const recipients = new Set(outcomes.flatMap(({ recipient }) => recipient ?? []));
	const [only] = recipients;
	if (only === undefined) return;
	const [key, value] =
		recipients.size === 1 ? ['recipient', only] : ['recipients', String(recipients.size)];
	const { customData } = context.getWorkflowDataProxy(0).$execution as {
		customData: { set(key: string, value: string): void };
	};
	customData.set(key, cutText(value, VALUE_MAX));
}

const LOOKS_LIKE_A_NAME = /^\p{L}[\p{L}\s.'’-]*$/u;

/** A recipient as errors quote it, because it can be any text. */
export const quoteRecipient = (recipient: string): string => cutText(recipient, 64);

/** Names the recipient in an error, if there is one. If it looks like a name, suggests a field. */
export function toRecipient(error: Error, recipient: string | undefined): Error {
	if (!recipient) return error;
	const whom = quoteRecipient(recipient);
	const suggestion = LOOKS_LIKE_A_NAME.test(recipient)
		? ` "${whom}" looks like a name. Is the recipient in sender.identifier?`
		: '';
	if (!(error instanceof ServiceError)) {
		// Changed in place, because n8n's expression errors hold more than a message.
		error.message = `To ${whom}: ${error.message}${suggestion}`;
		return error;
	}
	const { action, failure } = error;
	return new ServiceError(`${action} to ${whom}`, { ...failure, hint: failure.hint + suggestion });
}
