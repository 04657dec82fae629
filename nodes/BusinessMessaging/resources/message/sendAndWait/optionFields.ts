import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { onceFields } from '../sendingFields';
import { TELL_OTHERS } from './tellOthers';

const limitWaitTimeValues: INodePropertyCollection = {
	displayName: 'Values',
	name: 'values',
	values: [
		{
			displayName: 'Limit Type',
			name: 'limitType',
			type: 'options',
			default: 'afterTimeInterval',
			description: 'When the wait ends without an answer',
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
			description: 'How long to wait. N8n looks for waits that are over once a minute.',
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
			description: 'Until when to wait',
		},
	],
};

const limitWaitTime: INodeProperties = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'fixedCollection',
	default: { values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' } },
	description:
		'How long to wait for the answer: without this option, 24 hours for one in the chat, and for ever for others. Then the workflow goes on with data.outcome "timedOut".',
	options: [limitWaitTimeValues],
};

const answeredText: INodeProperties = {
	displayName: 'Text After Answering',
	name: 'answeredText',
	type: 'string',
	default: 'Thank you. Your answer was recorded. You can close this page.',
	description: 'What the page of a link says once the answer is recorded',
};

const collection: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
};

const queueMinutes: INodeProperties = {
	displayName: 'Longest Time in Queue',
	name: 'queueMinutes',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 30,
	displayOptions: { show: { '/whenAnotherWaits': ['queue'] } },
	description:
		'How many minutes to stand in the queue before it fails. The execution is running meanwhile, so a restart of n8n ends it.',
};

const messageButtonLabel: INodeProperties = {
	displayName: 'Message Button Label',
	name: 'messageButtonLabel',
	type: 'string',
	default: 'Respond',
	description: 'What stands before the link in the message',
};

/** From version 1.1 on, an approval has one link. */
const oneLink = { show: { '@version': [{ _cnd: { gte: 1.1 } }] } };

export const approvalOptions: INodeProperties = {
	...collection,
	options: [
		limitWaitTime,
		{
			displayName: 'Link As',
			name: 'linkAs',
			type: 'options',
			default: 'button',
			displayOptions: oneLink,
			options: [
				{ name: 'Button', value: 'button' },
				{ name: 'Text', value: 'text' },
			],
			description: 'How the link is sent, when it is asked by link',
		},
		queueMinutes,
		{
			...messageButtonLabel,
			displayOptions: oneLink,
			description:
				'What stands on the button, which has room for 20 characters, or before the link',
		},
		...onceFields,
		{
			displayName: 'Tell the Others',
			name: 'tellOthers',
			type: 'string',
			default: TELL_OTHERS,
			description:
				'What to write to the approvers who did not answer first. {name} and {answer} are replaced by who answered and what. Leave empty to write nothing.',
		},
		answeredText,
	],
};

export const formOptions: INodeProperties = {
	...collection,
	options: [
		limitWaitTime,
		messageButtonLabel,
		{
			displayName: 'Response Form Button Label',
			name: 'responseFormButtonLabel',
			type: 'string',
			default: 'Submit',
		},
		{
			displayName: 'Response Form Description',
			name: 'responseFormDescription',
			type: 'string',
			default: '',
			description: 'Stands on the page in place of the message',
		},
		{
			displayName: 'Response Form Title',
			name: 'responseFormTitle',
			type: 'string',
			default: '',
		},
		...onceFields,
		answeredText,
	],
};

export const chatOptions: INodeProperties = {
	...collection,
	options: [
		{
			displayName: 'Ask Again At Most',
			name: 'askAgain',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 2,
			description:
				'How often to ask again after an answer that is none of the choices. Then the workflow goes on with data.outcome "invalid".',
		},
		{
			displayName: 'Ask Again With',
			name: 'askAgainText',
			type: 'string',
			typeOptions: { rows: 2 },
			default: 'Please reply with one of these:',
			description:
				'What to write after an answer that is none of the choices. They are listed below it.',
		},
		limitWaitTime,
		queueMinutes,
		...onceFields,
	],
};
