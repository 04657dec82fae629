import type { INodeProperties } from 'n8n-workflow';

import { GROUPING_OPTIONS, type OptionName } from './settings';

/** Whether events share an execution. */
export const groupingField: INodeProperties = {
	displayName: 'Grouping',
	name: 'grouping',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'None', value: 'none', description: 'Each event starts an execution' },
		{
			name: 'Wait for Quick Messages',
			value: 'customer',
			description:
				'Messages that a customer writes without a longer pause become one item of one execution, so that an agent answers once',
		},
		{
			name: 'Share Executions Under Load',
			value: 'arrival',
			description:
				'Events that arrive while n8n stores an execution share the next one, an item each. For more events than n8n can start executions.',
		},
	],
	default: 'none',
	description:
		'Whether events share an execution. Each is acknowledged only after its execution is stored.',
	displayOptions: { show: { source: ['channel'] } },
};

/** A number that decides when a group of events starts. */
const numberField = (
	name: OptionName,
	description: string,
	displayOptions: INodeProperties['displayOptions'],
): INodeProperties => {
	const { name: displayName, byDefault, min, max } = GROUPING_OPTIONS[name];
	return {
		displayName,
		name,
		type: 'number',
		typeOptions: { minValue: min, maxValue: max },
		default: byDefault,
		description,
		displayOptions,
	};
};

export const quietTimeField = numberField(
	'quietTime',
	"Time that a customer's message waits for the next one",
	{ show: { source: ['channel'], grouping: ['customer'] } },
);

const forGroups = { show: { '/source': ['channel'], '/grouping': ['arrival', 'customer'] } };
const forCustomers = { show: { '/source': ['channel'], '/grouping': ['customer'] } };

export const maxEvents = numberField(
	'mostEvents',
	'Maximum number of events in an execution. A group starts as soon as it has this many.',
	forGroups,
);

export const maxWait = numberField(
	'longestWait',
	"Maximum time from the arrival of a customer's first message until the workflow starts. The service waits about 15 seconds for a response, then delivers again.",
	forCustomers,
);

export const maxWaiting = numberField(
	'mostWaiting',
	'Number of waiting messages, over all workflows of an n8n process, at which the largest group starts early. Each can hold memory of n8n: see the guide before you raise it.',
	forCustomers,
);
