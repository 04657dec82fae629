import { sleep } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import {
	addSendHints,
	outputItem,
	retryNote,
	stoppingError,
	tagExecution,
	toRecipient,
} from './report';
import type { ServiceClient } from '../../../service/client';
import {
	ADDRESSED,
	channelField,
	noticeField,
	recipientField,
	TO_ANSWER,
	UNADDRESSED,
} from '../../../shared/node/fields';
import type { BatchOperation } from '../../../shared/node/operation';
import { addReachHint, addUnclearHint, filesIn } from '../../../shared/node/hints';
import { sendItems } from './sendItems';
import type { MessageJob, Outgoing, OutgoingParts, ReadItem } from './sendItems';
import { type OwnOptions, RATE_ADVICE, readSendOptions, sendOptionsFields } from './options';
import { fallbackFields, readFallback } from '../template/fallback';
import type { Addressee, PartedItem } from '../../../sending/execution';
import { asError, ServiceError } from '../../../service/errors';
import { nameOfContent } from '../../../service/messages';
import {
	readId,
	readRecipientField,
	requireRecipient,
	textOf,
} from '../../../shared/node/parameters';
import { identityOf } from '../content/mediaSource';
import { fingerprintOf, readOnceKey } from './onceMemory';
const WINDOW =
	"If the channel has a window, send within 24 hours of the customer's last message. Later, send a template.";

/** An operation that sends one kind of message. */
export interface SendOperation extends OwnOptions {
	option: INodePropertyOptions & { value: string; description: string };
	/** The notice below the recipient, if another one holds: of two lines at most. */
	notice?: string;
	fields: INodeProperties[];
	/** Reads the fields of an item. Throws an Error that names the field and what to do. */
	read: (
		context: IExecuteFunctions,
		itemIndex: number,
		client: ServiceClient,
		channelId: string,
	) => Outgoing | OutgoingParts | Promise<Outgoing | OutgoingParts>;
	/** Whether it reaches customers at any time, so that nothing needs to take its place. */
	isTemplate?: boolean;
}

/**
 * Makes an operation that sends: in order for each recipient, within limits, with safe retries.
 * @example
 * sendOperation({
 *   option: { name: 'Send Text', value: 'sendText', description: 'Send a text' },
 *   names: 'texts', // for errors and descriptions
 *   fields: [textField],
 *   read: (context, index) => ({ content: { type: 'TEXT', body: { message: 'Hello!' } } }),
 * });
 */
export function sendOperation(operation: SendOperation): BatchOperation {
	const { option, notice = WINDOW, fields, isTemplate = false } = operation;
	const own = isTemplate ? fields : [...fields, ...fallbackFields()];
	return {
		option: { ...option, description: `${option.description}. Gives messageId.` },
		fields: [
			channelField,
			recipientField,
			noticeField('answerNotice', TO_ANSWER, { hide: UNADDRESSED }),
			noticeField('windowNotice', notice, { hide: ADDRESSED }),
			...own.slice(0, -1),
			...sendOptionsFields(operation),
			...own.slice(-1), // Additional Components of a template, which few need.
		],
		executeAll: async (context, client) => await readAndSend(context, client, operation),
	};
}

async function readAndSend(
	context: IExecuteFunctions,
	client: ServiceClient,
	operation: SendOperation,
): Promise<INodeExecutionData[]> {
	const { isTagged, hoursOf, failed, ...limits } = readSendOptions(context, operation);
	const total = context.getInputData().length;
	const stopOnFailure = !context.continueOnFail();
	const files = new Set<string>();
	const unkeyed = new Set<number>();
	const read: Read = async (index, channelId) => {
		const unread = failed.get(index);
		if (unread) throw unread;
		const outgoing = await operation.read(context, index, client, channelId);
		const isTemplate = 'content' in outgoing && outgoing.content.type === 'TEMPLATE';
		const source = { context, index, client, channelId };
		const ready = isTemplate ? undefined : await readFallback(source);
		const replaceable = ready ? { ...outgoing, fallback: ready.leaves } : outgoing;
		const whole = hoursOf ? { ...replaceable, hours: hoursOf(index) } : replaceable;
		for (const file of filesIn(whole)) files.add(file);
		const key = readOnceKey(context, index);
		if (key === undefined) unkeyed.add(index);
		return [whole, key];
	};
	const items = readItems(context, read);
	const policy = { ...limits, stopOnFailure, advice: RATE_ADVICE };
	const { outcomes, waited, sentRecord } = await sendItems(context, client, items, policy);

	const inOrder = [...outcomes].sort(([left], [right]) => left - right);
	const all = inOrder.map(([, outcome]) => outcome);
	const hasFailed = inOrder.length < total || all.some((outcome) => 'error' in outcome);
	if (hasFailed) sentRecord.fail();
	else sentRecord.clear();
	// Before the node may stop, because people search for failed executions, too.
	if (isTagged) tagExecution(context, all);
	const note = () => retryNote(context, sentRecord, all, unkeyed, limits.sendAgain);
	const stop = (index: number, error: Error) =>
		stoppingError(context, index, error, `${howToWait(error)}${note()}`);
	for (const [index, outcome] of inOrder)
		if ('error' in outcome && stopOnFailure)
			throw stop(index, toRecipient(outcome.error, outcome.recipient));
	const unsent = `The execution was cancelled before all ${operation.names} were sent.`;
	if (inOrder.length < total) throw stop(0, new Error(unsent));
	addSendHints(context, all, waited);
	addReachHint(context, files, client.baseUrl);
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

/** Reads an item, the template that takes its place if the window is closed, and its key. */
type Read = (itemIndex: number, channelId: string) => Promise<[Outgoing | OutgoingParts, string?]>;

/** Items that are read before the first message leaves. None leaves if one of them is invalid. */
const READ_FIRST = 50;
/** Items that are read at once while messages leave. n8n needs about 0.5 ms for an expression. */
const READ_TOGETHER = 2;

/** Reads the items in order, with pauses, so that n8n can handle responses and other executions. */
async function* readItems(context: IExecuteFunctions, read: Read): AsyncGenerator<ReadItem> {
	const total = context.getInputData().length;
	const first: ReadItem[] = [];
	while (first.length < Math.min(READ_FIRST, total))
		first.push(await readItem(context, read, first.length));
	// Invalid items come first, so that they stop the node before anything is sent.
	yield* first.filter((item) => 'error' in item);
	yield* first.filter((item) => !('error' in item));
	for (let index = first.length; index < total; index++) {
		if (index % READ_TOGETHER === 0) await sleep(0);
		yield await readItem(context, read, index);
	}
}

async function readItem(context: IExecuteFunctions, read: Read, index: number): Promise<ReadItem> {
	const target: Addressee = {};
	try {
		const given = readRecipientField(context, index);
		const isOne = typeof given !== 'number' || Number.isFinite(given);
		const named = isOne ? textOf(given).trim() : '';
		if (named !== '') target.recipient = named;
		const channelId = (target.channelId = readId(context, 'channelId', 'Channel', index));
		const recipient = requireRecipient(given);
		const [outgoing, key] = await read(index, channelId);
		if ('contents' in outgoing) return inParts({ index, channelId, recipient }, outgoing, key);
		const { content, media } = outgoing;
		const job = { index, channelId, recipient, name: nameOfContent(content), ...outgoing };
		if (key === undefined) return job;
		const signal = context.getExecutionCancelSignal();
		const file = media ? await identityOf(media, signal) : [];
		const fingerprint = fingerprintOf(channelId, recipient, content, file);
		return { ...job, once: { key, fingerprint } };
	} catch (error) {
		return { index, error: asError(error), ...target };
	}
}

/**
 * Each part has its own key, and the first has the key of the item. So a key that was used with
 * another text is known before anything is sent, whether that text was sent in parts or not. The
 * fallback is the first part's, because it takes the place of all.
 */
function inParts(
	target: { index: number; channelId: string; recipient: string },
	{ contents, fallback, ...rest }: OutgoingParts,
	key: string | undefined,
): PartedItem<MessageJob> {
	const whole = fingerprintOf(target.channelId, target.recipient, contents);
	const [first, ...others] = contents.map((content, at) => {
		const part = { number: at + 1, whole };
		const job = { ...target, ...rest, name: nameOfContent(content), content, part };
		if (key === undefined) return job;
		const own = at === 0 ? key : JSON.stringify([key, 'part', part.number]);
		return { ...job, once: { key: own, fingerprint: whole } };
	});
	if (!first) throw new Error('There is nothing to send.');
	const replaceable = fallback ? { ...first, fallback } : first;
	return { index: target.index, parts: [replaceable, ...others] };
}
