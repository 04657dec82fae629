import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { onceFields } from '../sendOptions';
import { panels } from './kinds';

const limitWaitTimeValues: INodePropertyCollection = {
	displayName: 'Values',
	name: 'values',
	values: [
		{
			displayName: 'Limit Type',
			name: 'limitType',
			type: 'options',
			default: 'afterTimeInterval',
			description: 'When the wait ends if nobody replies',
			options: [
				{
					name: 'After Time Interval',
					value: 'afterTimeInterval',
					description: 'After a certain time',
				},
				{ name: 'At Specified Time', value: 'atSpecifiedTime', description: 'At a date and time' },
			],
		},
		{
			displayName: 'Amount',
			name: 'resumeAmount',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 2 },
			default: 1,
			displayOptions: { show: { limitType: ['afterTimeInterval'] } },
			description: 'How long to wait. N8n checks once a minute.',
		},
		{
			displayName: 'Unit',
			name: 'resumeUnit',
			type: 'options',
			default: 'hours',
			displayOptions: { show: { limitType: ['afterTimeInterval'] } },
			options: [
				{ name: 'Minutes', value: 'minutes' },
				{ name: 'Hours', value: 'hours' },
				{ name: 'Days', value: 'days' },
			],
		},
		{
			displayName: 'Max Date and Time',
			name: 'maxDateAndTime',
			type: 'dateTime',
			default: '',
			displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
			description: 'Until when to wait. Without a time zone, it is a time of the workflow.',
		},
	],
};

const limitWaitTime: INodeProperties = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'fixedCollection',
	default: { values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' } },
	description:
		'How long to wait for the reply. Then data.outcome is "timedOut". Without this option, a question in the chat waits 24 hours, and a link waits for ever.',
	options: [limitWaitTimeValues],
};

const byLink = { show: { '/askIn': ['link'] } };

/** An execution in the queue runs. It takes another one's place where n8n limits how many run. */
export const DEFAULT_QUEUE_MINUTES = 2;
/** More is cut, also in workflows that were saved when more was possible. */
export const MOST_QUEUE_MINUTES = 10;

/** The options, those of a kind of question only with it. */
export const optionsField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		limitWaitTime,
		...panels.flatMap(({ types, options }) =>
			options.map((option) => ({
				...option,
				displayOptions: { show: { '/responseType': types, ...option.displayOptions?.show } },
			})),
		),
		{
			displayName: 'Message Button Label',
			name: 'messageButtonLabel',
			type: 'string',
			default: 'Respond',
			displayOptions: byLink,
			description: "The text on the link's button, up to 20 characters, or before the link",
		},
		{
			displayName: 'Text After Answering',
			name: 'answeredText',
			type: 'string',
			default: 'Thank you. Your answer was recorded. You can close this page.',
			displayOptions: byLink,
			description: 'What the page says once the reply is recorded',
		},
		{
			displayName: 'Max Time in Queue',
			name: 'queueMinutes',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: MOST_QUEUE_MINUTES },
			default: DEFAULT_QUEUE_MINUTES,
			displayOptions: { show: { '/askIn': ['chat'], '/whenAnotherWaits': ['queue'] } },
			description:
				'Minutes to wait in the queue before the node fails, 10 at most. The execution keeps running meanwhile, so at most three of a process queue. The others fail at once.',
		},
		...onceFields,
	],
};
