import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { isResourceLocatorValue, sleep } from 'n8n-workflow';

import { withHostClock } from '../../sending/hostClock';
import { Ledger } from '../../sending/ledger';
import type { InvalidItem, SendJob } from '../../sending/sendAll';
import { sendAll } from '../../sending/sendAll';
import type { ServiceClient } from '../../service/client';
import { DEFAULT_TIMEOUT } from '../../service/client';
import { asError, ServiceError, toNodeError } from '../../service/errors';
import { sendText as sendTextToService } from '../../service/messages';
import { channelField, recipientField } from '../shared/fields';
import { failAll, failedItem } from '../shared/items';
import type { Operation } from '../shared/operation';
import { fieldsOf } from '../shared/operation';
import { readId, readRequired } from '../shared/parameters';

const DEFAULT_CONCURRENCY = 10;

const fields: INodeProperties[] = [
	channelField,
	{
		displayName: 'A text can be sent only within 24 hours of the customer\'s last message. Later, the service refuses it.',
		name: 'windowNotice',
		type: 'notice',
		default: '',
	},
	recipientField,
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. Hello! How can we help?',
		description: 'Sent exactly as it stands here: nothing is added',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Max Concurrency',
				name: 'maxConcurrency',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 100 },
				default: DEFAULT_CONCURRENCY,
				description: 'How many texts may be under way at the same time. Texts to one recipient always go one after the other, in item order.',
			},
			{
				displayName: 'Max per Second',
				name: 'maxPerSecond',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 0,
				description: 'How many texts to send in any one second at most. 0 means no limit.',
			},
			{
				displayName: 'Timeout (Milliseconds)',
				name: 'timeout',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: DEFAULT_TIMEOUT,
				description: 'How long to wait for the service to accept a text. A text that was not answered in time may have been sent, and is not sent again.',
			},
		],
	},
];

interface Options {
	maxConcurrency: number;
	maxPerSecond: number;
	timeout: number;
}

/** The options, from the first item: they are about all texts together. */
function readOptions(context: IExecuteFunctions): Options | Error {
	const given = context.getNodeParameter('options', 0, {}) as Record<string, unknown>;
	const read = (name: string, label: string, fallback: number, least: number) => {
		// Expressions also give numbers as text.
		const value = Number(given[name] ?? fallback);
		if (Number.isInteger(value) && value >= least) return value;
		throw new Error(`"${label}" must be a whole number of ${least} or more.`);
	};
	const readAll = () => ({
		maxConcurrency: read('maxConcurrency', 'Max Concurrency', DEFAULT_CONCURRENCY, 1),
		maxPerSecond: read('maxPerSecond', 'Max per Second', 0, 0),
		timeout: read('timeout', 'Timeout (Milliseconds)', DEFAULT_TIMEOUT, 1),
	});
	try {
		return readAll();
	} catch (error) {
		return asError(error);
	}
}

/** Items that are read before the first text is sent: a batch of no more is sent only if all of it can be. */
const READ_FIRST = 50;
/** Items that are read at a stretch while texts are under way. An expression costs n8n about half a millisecond. */
const READ_TOGETHER = 2;

/** Reads the texts in item order. In pauses, so that answers are handled in between, and a large batch does not hold up n8n. */
async function* readItems(context: IExecuteFunctions): AsyncGenerator<SendJob | InvalidItem> {
	const total = context.getInputData().length;
	const readChannel = channelReader(context);
	const first = Array.from({ length: Math.min(READ_FIRST, total) }, (_, index) => readItem(context, readChannel, index));
	// An invalid one comes first, so that it stops the node before anything is sent.
	yield* first.filter((item) => 'error' in item);
	yield* first.filter((item) => !('error' in item));
	for (let index = first.length; index < total; index++) {
		if (index % READ_TOGETHER === 0) await sleep(0);
		yield readItem(context, readChannel, index);
	}
}

/** Reads an item's channel: once, where it is not an expression. */
function channelReader(context: IExecuteFunctions): (index: number) => string {
	const field = context.getNode().parameters.channelId;
	const isFixed = isResourceLocatorValue(field) && typeof field.value === 'string' && !field.value.startsWith('=');
	let fixed: string | undefined;
	return (index) => {
		const channelId = fixed ?? readId(context, 'channelId', 'Channel', index);
		if (isFixed) fixed = channelId;
		return channelId;
	};
}

function readItem(context: IExecuteFunctions, readChannel: (index: number) => string, index: number): SendJob | InvalidItem {
	try {
		const channelId = readChannel(index);
		const recipient = readRequired(context, 'recipient', 'Recipient', index);
		const value: unknown = context.getNodeParameter('text', index, '');
		const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
		if (text.trim()) return { index, channelId, recipient, text };
		return { index, error: new Error('"Text" is empty. Enter a text, or map one from the input.') };
	} catch (error) {
		return { index, error: asError(error) };
	}
}

/** The error that stops the node: which item failed and how many texts went out. */
function stoppingError(context: IExecuteFunctions, index: number, error: Error, sent: number, total: number) {
	const progress = `${sent} of ${total} texts ${sent === 1 ? 'was' : 'were'} accepted by the service. They are not sent again when this execution is retried.`;
	const stated =
		error instanceof ServiceError
			? new ServiceError(error.action, { ...error.failure, hint: `${error.hint} ${progress}` })
			: error;
	const nodeError = toNodeError(context.getNode(), stated, index);
	if (stated === error) nodeError.description = [nodeError.description, progress].filter(Boolean).join(' ');
	return nodeError;
}

async function executeAll(context: IExecuteFunctions, client: ServiceClient): Promise<INodeExecutionData[]> {
	const options = readOptions(context);
	if (options instanceof Error) return failAll(context, options);
	const { timeout, ...bounds } = options;
	const total = context.getInputData().length;
	const proceed = context.continueOnFail();
	const ledger = Ledger.open(context.getContext('node'), Number(context.evaluateExpression('{{ $runIndex }}', 0)));
	const signal = context.getExecutionCancelSignal();
	const outcomes = await withHostClock(
		signal,
		async (clock) =>
			await sendAll(readItems(context), {
				...bounds,
				send: async (message) => await sendTextToService(client, message, timeout),
				ledger,
				stopOnFailure: !proceed,
				clock,
				...(signal ? { signal } : {}),
			}),
	);

	const inOrder = [...outcomes].sort(([left], [right]) => left - right);
	const sent = inOrder.filter(([, outcome]) => !('error' in outcome)).length;
	for (const [index, outcome] of inOrder) {
		if ('error' in outcome && !proceed) throw stoppingError(context, index, outcome.error, sent, total);
	}
	if (inOrder.length < total) throw stoppingError(context, 0, new Error('The execution was cancelled before all texts were sent.'), sent, total);
	if (sent === total) ledger.clear();
	return inOrder.map(([index, outcome]) => ('error' in outcome ? failedItem(outcome.error, index) : { json: outcome, pairedItem: { item: index } }));
}

export const sendText: Operation = {
	option: { name: 'Send Text', value: 'sendText', action: 'Send text message', description: 'Send a free-form text to a customer who wrote within the last 24 hours' },
	fields: fieldsOf('message', 'sendText', fields),
	executeAll,
};
