import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { withHostClock } from '../../sending/hostClock';
import { Ledger } from '../../sending/ledger';
import type { SendJob, SendOutcome } from '../../sending/sendAll';
import { sendAll } from '../../sending/sendAll';
import { DEFAULT_TIMEOUT } from '../../service/client';
import { ServiceError, toNodeError } from '../../service/errors';
import { sendText as sendTextToService } from '../../service/messages';
import { channelField } from '../shared/fields';
import { failedItem } from '../shared/items';
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
	{
		displayName: 'Recipient',
		name: 'recipient',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 5511999990000',
		description: 'Who gets the text: for an answer, the sender of the received message (sender.identifier)',
	},
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. Hello! How can we help?',
		description: 'The text to send, exactly as it is to arrive',
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
				description: 'How many texts to send per second at most. 0 means no limit.',
			},
			{
				displayName: 'Timeout',
				name: 'timeout',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: DEFAULT_TIMEOUT,
				description: 'How long to wait for the service\'s answer to a text, in milliseconds',
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
function readOptions(context: IExecuteFunctions): Options {
	const given = context.getNodeParameter('options', 0, {}) as Record<string, unknown>;
	const read = (name: string, label: string, fallback: number, least: number) => {
		const value = given[name] ?? fallback;
		if (typeof value !== 'number' || !Number.isInteger(value) || value < least) throw new Error(`"${label}" must be a whole number of ${least} or more.`);
		return value;
	};
	return {
		maxConcurrency: read('maxConcurrency', 'Max Concurrency', DEFAULT_CONCURRENCY, 1),
		maxPerSecond: read('maxPerSecond', 'Max per Second', 0, 0),
		timeout: read('timeout', 'Timeout', DEFAULT_TIMEOUT, 1),
	};
}

/** The texts to send, and the errors of items that cannot be sent. All are read before the first is sent. */
function readJobs(context: IExecuteFunctions): { jobs: SendJob[]; invalid: Map<number, Error> } {
	const jobs: SendJob[] = [];
	const invalid = new Map<number, Error>();
	for (let index = 0; index < context.getInputData().length; index++) {
		try {
			const channelId = readId(context, 'channelId', 'Channel', index);
			const recipient = readRequired(context, 'recipient', 'Recipient', index);
			const value: unknown = context.getNodeParameter('text', index, '');
			const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
			if (!text.trim()) throw new Error('"Text" is empty. Enter a text, or map one from the input.');
			jobs.push({ index, channelId, recipient, text });
		} catch (error) {
			invalid.set(index, error as Error);
		}
	}
	return { jobs, invalid };
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

async function executeAll(context: IExecuteFunctions, client: Parameters<NonNullable<Operation['executeAll']>>[1]): Promise<INodeExecutionData[]> {
	const { timeout, ...bounds } = readOptions(context);
	const { jobs, invalid } = readJobs(context);
	const total = context.getInputData().length;
	const proceed = context.continueOnFail();
	for (const [index, error] of invalid) {
		if (!proceed) throw stoppingError(context, index, error, 0, total);
	}

	const ledger = Ledger.open(context.getContext('node'), Number(context.evaluateExpression('{{ $runIndex }}', 0)));
	const signal = context.getExecutionCancelSignal();
	const outcomes = await withHostClock(
		signal,
		async (clock) =>
			await sendAll(jobs, {
				...bounds,
				send: async (message) => await sendTextToService(client, message, timeout),
				ledger,
				stopOnFailure: !proceed,
				clock,
				...(signal ? { signal } : {}),
			}),
	);

	const failures = jobs.filter(({ index }) => isFailure(outcomes.get(index)));
	const sent = jobs.filter(({ index }) => isAccepted(outcomes.get(index))).length;
	const firstFailure = failures[0];
	if (firstFailure && !proceed) throw stoppingError(context, firstFailure.index, (outcomes.get(firstFailure.index) as { error: Error }).error, sent, total);
	if (sent + failures.length < jobs.length) {
		throw stoppingError(context, 0, new Error('The execution was cancelled before all texts were sent.'), sent, total);
	}
	if (failures.length === 0 && invalid.size === 0) ledger.clear();

	const output: INodeExecutionData[] = [...invalid].map(([index, error]) => failedItem(error, index));
	for (const { index, channelId, recipient } of jobs) {
		const outcome = outcomes.get(index);
		if (isAccepted(outcome)) output.push({ json: { messageId: outcome.messageId, channelId, recipient }, pairedItem: { item: index } });
		else if (isFailure(outcome)) output.push(failedItem(outcome.error, index));
	}
	const indexOf = ({ pairedItem }: INodeExecutionData) => (pairedItem as { item: number }).item;
	return output.sort((left, right) => indexOf(left) - indexOf(right));
}

function isAccepted(outcome: SendOutcome): outcome is { messageId: string } {
	return outcome !== undefined && 'messageId' in outcome;
}

function isFailure(outcome: SendOutcome): outcome is { error: Error } {
	return outcome !== undefined && 'error' in outcome;
}

export const sendText: Operation = {
	option: { name: 'Send Text', value: 'sendText', action: 'Send a text message', description: 'Send a text to a customer whose 24-hour conversation window is open' },
	fields: fieldsOf('message', 'sendText', fields),
	executeAll,
};
