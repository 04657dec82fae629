import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_TIMEOUT } from '../../service/client';
import type { SendingOperation } from './sending';

export const DEFAULT_CONCURRENCY = 10;
/** Keys that a node remembers, unless the user says otherwise. */
export const DEFAULT_ONCE_MEMORY = 10_000;

/** What is sent once, ever: the options that Send and Wait has, too. */
export const onceFields: INodeProperties[] = [
	{
		displayName: 'Send Once Key',
		name: 'sendOnceKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.orderId }} shipped',
		description:
			'A name for the message that no other has, from an expression as a rule. This node then sends it once, ever: also when the workflow runs again, is retried, or n8n ends in the middle. Left empty, nothing is remembered.',
	},
	{
		displayName: 'Send Once Memory',
		name: 'sendOnceMemory',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: DEFAULT_ONCE_MEMORY,
		description: 'How many keys this node remembers. The oldest are forgotten first.',
	},
];

/** The options that all operations that send have, and those of its own, by name. */
export function sendingOptionsField({
	names,
	timeout = DEFAULT_TIMEOUT,
	options = [],
}: SendingOperation): INodeProperties {
	const fields: INodeProperties[] = [
		...options,
		{
			displayName: 'Max Concurrency',
			name: 'maxConcurrency',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100 },
			default: DEFAULT_CONCURRENCY,
			description: `How many ${names} may be under way at the same time. Those to one recipient always go one after the other, in item order.`,
		},
		{
			displayName: 'Max per Second',
			name: 'maxPerSecond',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description: `How many ${names} to send in any one second at most. 0 means no limit.`,
		},
		...onceFields,
		{
			displayName: 'Tag Execution',
			name: 'tagExecution',
			type: 'boolean',
			default: false,
			description:
				'Whether to save the recipient with the execution, or the number of recipients, so that it can be found by that in the list of executions',
		},
		{
			displayName: 'Timeout (Milliseconds)',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: timeout,
			description:
				'How long to wait for the service to accept a message. One that was not answered in time may have been sent, and is not sent again.',
		},
	];
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		// By code: the first comparison by a language's rules takes n8n milliseconds as it starts.
		options: fields.sort((one, other) => (one.displayName < other.displayName ? -1 : 1)),
	};
}
