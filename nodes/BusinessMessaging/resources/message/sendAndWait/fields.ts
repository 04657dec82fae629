import type { INodeProperties } from 'n8n-workflow';

import { channelField, recipientField } from '../../shared/fields';
import { chatFields } from './chatFields';
import { formFields } from './formFields';
import { chatOptions, formOptions, linkOptions } from './optionFields';

/** A field that is shown for some ways of answering only. */
function onlyFor(field: INodeProperties, ...responseTypes: string[]): INodeProperties {
	return { ...field, displayOptions: { ...field.displayOptions, show: { ...field.displayOptions?.show, responseType: responseTypes } } };
}

const approvalOptions: INodeProperties = {
	displayName: 'Approval Options',
	name: 'approvalOptions',
	type: 'fixedCollection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				{
					displayName: 'Type of Approval',
					name: 'approvalType',
					type: 'options',
					default: 'single',
					options: [
						{ name: 'Approve Only', value: 'single' },
						{ name: 'Approve and Disapprove', value: 'double' },
					],
				},
				{
					displayName: 'Approve Button Label',
					name: 'approveLabel',
					type: 'string',
					default: 'Approve',
				},
				{
					displayName: 'Disapprove Button Label',
					name: 'disapproveLabel',
					type: 'string',
					default: 'Decline',
					displayOptions: { show: { approvalType: ['double'] } },
				},
			],
		},
	],
};

/** What a person reads and fills in, in this order. The names are n8n's own where n8n has the same field. */
export const fields: INodeProperties[] = [
	channelField,
	{
		displayName:
			'A question can be sent only within 24 hours of the customer\'s last message. The node asks once, for the first input item: to ask several people, run it once for each, e.g. in a sub-workflow.',
		name: 'waitNotice',
		type: 'notice',
		default: '',
	},
	{ ...recipientField, description: 'Who is asked: for an answer, the sender of the received message (sender.identifier)' },
	{
		displayName: 'Message',
		name: 'message',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. May we deliver on Tuesday?',
		description: 'The question. Links or choices are added below it.',
	},
	{
		displayName: 'Response Type',
		name: 'responseType',
		type: 'options',
		noDataExpression: true,
		default: 'approval',
		options: [
			{ name: 'Approval', value: 'approval', description: 'A link for each answer, in the message' },
			{ name: 'Custom Form', value: 'customForm', description: 'A link to a form of your own' },
			{ name: 'Free Text', value: 'freeText', description: 'A link to a page with one text field' },
			{ name: 'Reply in Chat', value: 'replyInChat', description: 'The next message that the recipient writes on this channel' },
		],
		description: 'How the person answers',
	},
	onlyFor(approvalOptions, 'approval'),
	...formFields.map((field) => onlyFor(field, 'customForm')),
	...chatFields.map((field) => onlyFor(field, 'replyInChat')),
	onlyFor(linkOptions, 'approval'),
	onlyFor(formOptions, 'freeText', 'customForm'),
	onlyFor(chatOptions, 'replyInChat'),
];
