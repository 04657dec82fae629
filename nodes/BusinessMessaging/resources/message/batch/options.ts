import type { IExecuteFunctions, INodeParameters, INodeProperties } from 'n8n-workflow';

import { DEFAULT_TIMEOUT } from '../../../service/client';
import { asError } from '../../../service/errors';
import {
	choiceField,
	numberField,
	optionsField,
	switchField,
	textField,
} from '../../../shared/node/fields';
import { numbersIn } from '../../../shared/texts/numbers';
import { wholeNumberOf } from '../../../shared/node/parameters';
import { readSendingHours, sendingHoursField } from './hoursOption';

export const DEFAULT_CONCURRENCY = 10;
export const DEFAULT_ONCE_MEMORY = 10_000;

/** How an operation differs from the others in its options. */
export interface OwnOptions {
	/** The plural of its messages: "texts". */
	names: string;
	/** Milliseconds to wait for the service by default. */
	timeout?: number;
	/** Options that only this operation has. They are read for each item. */
	options?: INodeProperties[];
	/** The options that a new tool of an agent has from the start. */
	toolDefaults?: INodeParameters;
}

/** Options for sending once, ever. Send and Wait has them, too. */
export const onceFields: INodeProperties[] = [
	textField('Send Once Key', 'sendOnceKey', {
		placeholder: 'e.g. {{ $json.orderId }} shipped',
		description:
			'A name that no other message has, usually from an expression. This node sends the message once, even if the workflow runs again or n8n stops.',
	}),
	numberField('Send Once Memory', 'sendOnceMemory', {
		typeOptions: { minValue: 1 },
		default: DEFAULT_ONCE_MEMORY,
		displayOptions: { show: { sendOnceKey: [{ _cnd: { exists: true } }] } },
		description: 'Number of keys that this node remembers. It forgets the oldest first.',
	}),
];

const outcomeField = choiceField('When the Outcome Is Unknown', 'whenOutcomeUnknown', {
	noDataExpression: true,
	options: {
		fail: ['Fail', 'Never send again what may have been sent. It can be missing.'],
		sendAgain: [
			'Send Again',
			'A retry, or a repeat under its key, sends it again. It can arrive twice.',
		],
	},
	default: 'fail',
	description:
		'What to do with a message whose response was lost: a timeout, an error of the service, or n8n was stopped',
});

export const RATE_ADVICE = {
	rate_limited: 'To send more slowly, use the option "Max per Second".',
};

/** The options of its own, and those of all operations that send. Rarely needed ones come last. */
export function sendOptionsFields({
	names,
	timeout = DEFAULT_TIMEOUT,
	options = [],
	toolDefaults,
}: OwnOptions): INodeProperties[] {
	const fields: INodeProperties[] = [
		...options,
		...onceFields,
		outcomeField,
		numberField('Max per Second', 'maxPerSecond', {
			typeOptions: { minValue: 0 },
			description: `Maximum number of ${names} to send in any one second. 0 means no limit.`,
		}),
		sendingHoursField,
		switchField('Tag Execution', 'tagExecution', {
			description:
				'Whether to save the recipient with the execution, so that you can search for it in the list of executions',
		}),
		numberField('Max Concurrency', 'maxConcurrency', {
			typeOptions: { minValue: 1, maxValue: 100 },
			default: DEFAULT_CONCURRENCY,
			description: `Number of ${names} to send at the same time. Those of an execution to one recipient leave one by one, in item order.`,
		}),
		numberField('Timeout (Milliseconds)', 'timeout', {
			typeOptions: { minValue: 1 },
			default: timeout,
			description:
				'Milliseconds to wait for the service to accept a message. A message without a response in time may have been sent: "When the Outcome Is Unknown" says what a retry does.',
		}),
	];
	const collection = optionsField(fields);
	if (!toolDefaults) return [collection];
	// n8n makes the tool from the same fields. It can show others there, but not change a default.
	return [
		{ ...collection, displayOptions: { show: { '@tool': [false] } } },
		{ ...collection, default: toolDefaults, displayOptions: { show: { '@tool': [true] } } },
	];
}

/**
 * Reads the options of the first item whose options can be read, because they hold for all messages
 * together.
 * @returns also the items before it. They fail, and the node goes on, if it continues on errors
 * @throws Error that names the option
 */
export function readSendOptions(context: IExecuteFunctions, own: OwnOptions) {
	const failed = new Map<number, Error>();
	for (const index of context.getInputData().keys())
		try {
			const given = context.getNodeParameter('options', index, {}) as Record<string, unknown>;
			return { ...sendOptionsOf(context, given, own), failed };
		} catch (error) {
			if (!context.continueOnFail()) throw asError(error);
			failed.set(index, asError(error));
		}
	// Nothing is left to send.
	return { ...sendOptionsOf(context, {}, own), failed };
}

export type SendOptions = ReturnType<typeof readSendOptions>;

function sendOptionsOf(
	context: IExecuteFunctions,
	given: Record<string, unknown>,
	{ timeout = DEFAULT_TIMEOUT }: OwnOptions,
) {
	const read = numbersIn(context, 'options', given);
	const atLeast = (least: number, name: string, label: string, fallback: number) =>
		wholeNumberOf(read(name, `"${label}"`), { label, fallback, least });
	return {
		isTagged: given.tagExecution === true,
		hoursOf: readSendingHours(context, given),
		sendAgain: given.whenOutcomeUnknown === 'sendAgain',
		maxConcurrency: atLeast(1, 'maxConcurrency', 'Max Concurrency', DEFAULT_CONCURRENCY),
		maxPerSecond: atLeast(0, 'maxPerSecond', 'Max per Second', 0),
		sendOnceMemory: atLeast(1, 'sendOnceMemory', 'Send Once Memory', DEFAULT_ONCE_MEMORY),
		timeout: atLeast(1, 'timeout', 'Timeout (Milliseconds)', timeout),
	};
}
