import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { type ReadNumber, toNumber } from '../shared/texts/numbers';
import { RegistrationError } from './registrationError';
import type { LimitRules } from './personLimit';
import { choiceField, numberField } from '../shared/node/fields';

/** Seconds. The service waits 15 for a response (assumed), and n8n needs some of them. */
const LONGEST_WAIT_MAX = 10;

/**
 * The numbers of grouping and of a person's limit: names in the editor, defaults and bounds. By
 * default, n8n 2 holds an isolate of about 10 MB for each unanswered request, beside some 800 MB of
 * its own. With 16 waiting, it stays below 1 GB.
 */
export const GROUPING_OPTIONS = {
	quietTime: { name: 'Quiet Time (Seconds)', byDefault: 3, min: 0, max: LONGEST_WAIT_MAX },
	longestWait: { name: 'Longest Wait (Seconds)', byDefault: 8, min: 1, max: LONGEST_WAIT_MAX },
	mostEvents: { name: 'Events per Execution', byDefault: 100, min: 1, max: 1000 },
	mostWaiting: { name: 'Messages Held by n8n', byDefault: 16, min: 1, max: 10_000 },
	executions: { name: 'Executions', byDefault: 20, min: 1, max: 1000 },
	minutes: { name: 'Minutes', byDefault: 10, min: 1, max: 1440 },
} as const;
type OptionName = keyof typeof GROUPING_OPTIONS;

/** When a group starts. */
export interface GroupRules {
	/** A group starts as soon as it has this many events. A delivery with more is a group alone. */
	mostEvents: number;
	/** Undefined: a group waits only until the execution before it is stored. */
	pause?: Pause;
}

/** The pause that a group waits for: a time without another delivery. */
export interface Pause {
	/** Milliseconds from the last request of a group until it starts. */
	quietTime: number;
	/** Milliseconds from the first request of a group until it starts at the latest. */
	longestWait: number;
	/** When this many deliveries of the process wait for a pause, the largest group starts. */
	mostWaiting: number;
}

export type GroupedBy = 'arrival' | 'customer';

export interface GroupingSettings extends GroupRules {
	by: GroupedBy;
	output: 'simplified' | 'raw';
}

/** Reads the numbers. @throws RegistrationError that names one, and its limits */
const numbersWithin = (numberOf: ReadNumber) => (option: OptionName) => {
	const { name, byDefault, min, max } = GROUPING_OPTIONS[option];
	const number = toNumber(numberOf(option, `"${name}"`) ?? byDefault);
	if (number >= min && number <= max) return number;
	throw new RegistrationError(
		`"${name}" is not a number from ${min} to ${max}`,
		'Enter a number within these limits.',
	);
};

export function readPersonLimit(numberOf: ReadNumber): LimitRules {
	const read = numbersWithin(numberOf);
	return { executions: read('executions'), time: read('minutes') * 60_000 };
}

/** Undefined: no grouping. */
export function readGrouping(
	by: GroupedBy | undefined,
	output: GroupingSettings['output'],
	numberOf: ReadNumber,
): GroupingSettings | undefined {
	if (by === undefined) return undefined;
	const read = numbersWithin(numberOf);
	const settings = { by, output, mostEvents: read('mostEvents') };
	if (by === 'arrival') return settings;
	const pause = {
		mostWaiting: read('mostWaiting'),
		quietTime: read('quietTime') * 1000,
		longestWait: read('longestWait') * 1000,
	};
	return { ...settings, pause };
}

export const groupingField: INodeProperties = choiceField('Grouping', 'grouping', {
	noDataExpression: true,
	options: {
		none: ['None', 'Each event starts an execution'],
		customer: [
			'Wait for Quick Messages',
			'Messages that a customer writes without a longer pause become one item, so that an agent answers once',
		],
		arrival: [
			'Share Executions Under Load',
			'For more events than n8n can start executions: those that arrive meanwhile share the next one, an item each',
		],
	},
	default: 'none',
	description:
		'Whether events share an execution. Each is acknowledged only after its execution is stored.',
	displayOptions: { show: { source: ['channel'] } },
});

const numberOf = (
	name: OptionName,
	description: string,
	displayOptions: IDisplayOptions = {},
): INodeProperties => {
	const { name: displayName, byDefault, min, max } = GROUPING_OPTIONS[name];
	const typeOptions = { minValue: min, maxValue: max };
	const more = { typeOptions, default: byDefault, description, displayOptions };
	return numberField(displayName, name, more);
};

/** Beside the option for agents. */
export const SHARED_MEMORY =
	"Customers that share an execution also share an agent's memory, because n8n's Simple Memory takes the first item's key. For an agent, set Grouping to Wait for Quick Messages";

export const quietTimeField = numberOf(
	'quietTime',
	"Time that a customer's message waits for the next one",
	{ show: { source: ['channel'], grouping: ['customer'] } },
);

const forGroups = { show: { '/source': ['channel'], '/grouping': ['arrival', 'customer'] } };
const forCustomers = { show: { '/source': ['channel'], '/grouping': ['customer'] } };

export const groupingOptions = [
	numberOf(
		'mostEvents',
		'Maximum number of events in an execution. A group starts as soon as it has this many.',
		forGroups,
	),
	numberOf(
		'longestWait',
		"Maximum time from the arrival of a customer's first message until the workflow starts. The service waits about 15 seconds for a response, then delivers again.",
		forCustomers,
	),
	numberOf(
		'mostWaiting',
		'Number of waiting messages, over all workflows of an n8n process, at which the largest group starts early. Each can hold memory of n8n: see the guide before you raise it.',
		forCustomers,
	),
];

export const personLimitValues = [
	numberOf('executions', "Maximum number that one person's messages start"),
	numberOf('minutes', 'Time in which they count'),
];
