import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { isResourceLocatorValue, sleep } from 'n8n-workflow';

import type { FailedSend, FailedTarget, InvalidItem } from '../../sending/sendAll';
import type { PartedItem } from '../../sending/sendParts';
import { toRecipient } from '../../sending/toRecipient';
import type { ServiceClient } from '../../service/client';
import { DEFAULT_TIMEOUT } from '../../service/client';
import { asError, ServiceError, toNodeError } from '../../service/errors';
import type { Content } from '../../service/messages';
import { nameOfContent } from '../../service/messages';
import { channelField, recipientField, TO_ANSWER } from '../../shared/fields';
import { failedItem } from '../../shared/items';
import type { BatchOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readId, readText, readWholeNumber, requireText } from '../../shared/parameters';
import { fingerprintOf, readOnceKey } from './onceMemory';
import type { MessageJob, Outgoing } from './sendJobs';
import { sendJobs } from './sendJobs';
import { sayOfRetry, sayWhatHappened, tagExecution } from './sendingHints';
import { DEFAULT_CONCURRENCY, DEFAULT_ONCE_MEMORY, sendingOptionsField } from './sendingFields';

/** A kind of message: all that one differs in from another. */
export interface SendingOperation {
	option: INodePropertyOptions & { value: string };
	/** What its messages are called together: "texts". */
	names: string;
	/** Said below the recipient, in one sentence without its full stop. */
	notice: string;
	/** What the message is made of. */
	fields: INodeProperties[];
	/** Milliseconds that the service gets, unless the user says otherwise. */
	timeout?: number;
	/** Options that only this kind has. They are read for each item. */
	options?: INodeProperties[];
	/**
	 * Reads an item's fields. Throws an Error that names the field and the remedy.
	 * @returns a list: what goes to the recipient in several messages, in order
	 */
	read(
		context: IExecuteFunctions,
		itemIndex: number,
	): Outgoing | Promise<Outgoing> | readonly Content[];
}

type ReadItem = MessageJob | PartedItem<MessageJob> | InvalidItem;

/** Makes an operation that sends: in order per recipient, within limits, nothing twice on a retry, by the node's On Error setting. */
export function sendingOperation(operation: SendingOperation): BatchOperation {
	const { option, notice, fields } = operation;
	return {
		option,
		fields: fieldsOf('message', option.value, [
			channelField,
			recipientField,
			{
				displayName: `${TO_ANSWER} ${notice}.`,
				name: 'windowNotice',
				type: 'notice',
				default: '',
			},
			...fields,
			sendingOptionsField(operation),
		]),
		executeAll: async (context, client) => await executeAll(context, client, operation),
	};
}

/**
 * The options, from the first item: they are about all messages together.
 * @throws Error that names the option
 */
function readOptions(context: IExecuteFunctions, { timeout = DEFAULT_TIMEOUT }: SendingOperation) {
	const given = context.getNodeParameter('options', 0, {}) as Record<string, unknown>;
	return {
		isTagged: given.tagExecution === true,
		maxConcurrency: readWholeNumber(given, 'maxConcurrency', {
			label: 'Max Concurrency',
			fallback: DEFAULT_CONCURRENCY,
			least: 1,
		}),
		maxPerSecond: readWholeNumber(given, 'maxPerSecond', {
			label: 'Max per Second',
			fallback: 0,
			least: 0,
		}),
		sendOnceMemory: readWholeNumber(given, 'sendOnceMemory', {
			label: 'Send Once Memory',
			fallback: DEFAULT_ONCE_MEMORY,
			least: 1,
		}),
		timeout: readWholeNumber(given, 'timeout', {
			label: 'Timeout (Milliseconds)',
			fallback: timeout,
			least: 1,
		}),
	};
}

/** Items that are read before the first message is sent: a batch of no more is sent only if all of it can be. */
const READ_FIRST = 50;
/** Items that are read at a stretch while messages are under way. An expression costs n8n about half a millisecond. */
const READ_TOGETHER = 2;

/** Reads the items in order. In pauses, so that responses are handled in between, and a large batch does not hold up n8n. */
async function* readItems(
	context: IExecuteFunctions,
	operation: SendingOperation,
): AsyncGenerator<ReadItem> {
	const total = context.getInputData().length;
	const readChannel = channelReader(context);
	const first: ReadItem[] = [];
	while (first.length < Math.min(READ_FIRST, total))
		first.push(await readItem(context, operation, readChannel, first.length));
	// An invalid one comes first, so that it stops the node before anything is sent.
	yield* first.filter((item) => 'error' in item);
	yield* first.filter((item) => !('error' in item));
	for (let index = first.length; index < total; index++) {
		if (index % READ_TOGETHER === 0) await sleep(0);
		yield await readItem(context, operation, readChannel, index);
	}
}

/** Reads an item's channel: once, where it is not an expression. */
function channelReader(context: IExecuteFunctions): (index: number) => string {
	const field = context.getNode().parameters.channelId;
	const isFixed =
		isResourceLocatorValue(field) &&
		typeof field.value === 'string' &&
		!field.value.startsWith('=');
	let fixed: string | undefined;
	return (index) => {
		const channelId = fixed ?? readId(context, 'channelId', 'Channel', index);
		if (isFixed) fixed = channelId;
		return channelId;
	};
}

async function readItem(
	context: IExecuteFunctions,
	operation: SendingOperation,
	readChannel: (index: number) => string,
	index: number,
): Promise<ReadItem> {
	const target: FailedTarget = {};
	try {
		const given = readText(context, 'recipient', index);
		if (given) target.recipient = given;
		const channelId = (target.channelId = readChannel(index));
		const recipient = requireText(given, 'Recipient');
		const outgoing = await operation.read(context, index);
		const key = readOnceKey(context, index);
		if (isList(outgoing)) return inParts({ index, channelId, recipient }, outgoing, key);
		const { content, media } = outgoing;
		return {
			index,
			channelId,
			recipient,
			name: nameOfContent(content),
			...outgoing,
			...(key === undefined
				? {}
				: { once: { key, fingerprint: fingerprintOf(channelId, recipient, content, media) } }),
		};
	} catch (error) {
		return { index, error: asError(error), ...target };
	}
}

const isList = (outgoing: Outgoing | readonly Content[]): outgoing is readonly Content[] =>
	Array.isArray(outgoing);

/** Each part has a key of its own, the first that of the item: so a key that was used with another text, in one piece or in parts, is known before anything is sent. */
function inParts(
	target: { index: number; channelId: string; recipient: string },
	contents: readonly Content[],
	key: string | undefined,
): PartedItem<MessageJob> {
	const whole = fingerprintOf(target.channelId, target.recipient, contents);
	const [first, ...others] = contents.map((content, at) => ({
		...target,
		name: nameOfContent(content),
		content,
		part: { number: at + 1, whole },
		...(key === undefined
			? {}
			: {
					once: {
						key: at === 0 ? key : JSON.stringify([key, 'part', at + 1]),
						fingerprint: whole,
					},
				}),
	}));
	if (!first) throw new Error('There is nothing to send.');
	return { index: target.index, parts: [first, ...others] };
}

async function executeAll(
	context: IExecuteFunctions,
	client: ServiceClient,
	operation: SendingOperation,
): Promise<INodeExecutionData[]> {
	const { isTagged, ...settings } = readOptions(context, operation);
	if (isTagged) tagExecution(context);
	const total = context.getInputData().length;
	const proceed = context.continueOnFail();
	let waited = 0;
	const { outcomes, forget } = await sendJobs(context, client, readItems(context, operation), {
		...settings,
		onWait: (milliseconds) => (waited += milliseconds),
		stopOnFailure: !proceed,
	});

	const inOrder = [...outcomes].sort(([left], [right]) => left - right);
	const all = inOrder.map(([, outcome]) => outcome);
	const stop = (index: number, error: Error) =>
		stoppingError(context, index, error, sayOfRetry(all, total));
	for (const [index, outcome] of inOrder)
		if ('error' in outcome && !proceed)
			throw stop(index, toRecipient(outcome.error, outcome.recipient));
	if (inOrder.length < total)
		throw stop(
			0,
			new Error(`The execution was cancelled before all ${operation.names} were sent.`),
		);
	if (!all.some((outcome) => 'error' in outcome)) forget();
	sayWhatHappened(context, all, waited);
	return inOrder.map(([index, outcome]) =>
		'error' in outcome
			? failedSend(outcome, index)
			: { json: outcome, pairedItem: { item: index } },
	);
}

const failedSend = ({ error, recipient, channelId }: FailedSend, index: number) =>
	failedItem(toRecipient(error, recipient), index, {
		...(recipient === undefined ? {} : { recipient }),
		...(channelId === undefined ? {} : { channelId }),
	});

/** The error that stops the node: which item failed, and what a retry does. */
function stoppingError(context: IExecuteFunctions, index: number, error: Error, retry: string) {
	const also = (words: string | null | undefined) => [words, retry].filter(Boolean).join(' ');
	if (error instanceof ServiceError)
		return toNodeError(
			context.getNode(),
			new ServiceError(error.action, { ...error.failure, hint: also(error.hint) }),
			index,
		);
	const nodeError = toNodeError(context.getNode(), error, index);
	nodeError.description = also(nodeError.description);
	return nodeError;
}
