import type { INodeProperties } from 'n8n-workflow';

import { channelField, recipientField } from '../../../shared/fields';
import { approvalFields } from './approvalFields';
import { chatNotice, choicesField, waitNotice, whenAnotherWaitsField } from './chatFields';
import { formFields } from './formFields';
import { approvalOptions, chatOptions, formOptions } from './optionFields';

/** A field that is shown for some ways of answering only. */
function onlyFor(field: INodeProperties, ...responseTypes: string[]): INodeProperties {
	return {
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { ...field.displayOptions?.show, responseType: responseTypes },
		},
	};
}

/** Of an approval, the one box for where it is asked. They have no value: see `approvalFields`. */
const IN_CHAT = { '/approvalOptions.values.askIn': ['chat'] };
const approvalNotices: INodeProperties[] = [
	{ ...waitNotice, displayOptions: { hide: IN_CHAT } },
	{ ...chatNotice, displayOptions: { show: IN_CHAT } },
];

/** What a person reads and fills in, in this order. The names are n8n's own where n8n has the same field. */
export const fields: INodeProperties[] = [
	channelField,
	{
		...recipientField,
		description:
			'Who is asked. The node asks once, for the first input item: to ask several people, run it once for each, e.g. in a sub-workflow. An approval can be asked of several people at once.',
	},
	...approvalNotices.map((field) => onlyFor(field, 'approval')),
	onlyFor(waitNotice, 'freeText', 'customForm'),
	onlyFor(chatNotice, 'replyInChat'),
	{
		displayName: 'Message',
		name: 'message',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. May we deliver on Tuesday?',
		description: 'The question. Buttons, links or choices are added below it.',
	},
	{
		displayName: 'Response Type',
		name: 'responseType',
		type: 'options',
		noDataExpression: true,
		default: 'approval',
		options: [
			{
				name: 'Approval',
				value: 'approval',
				description: 'Buttons in the chat, or a link to a page with them',
			},
			{ name: 'Custom Form', value: 'customForm', description: 'A link to a form of your own' },
			{ name: 'Free Text', value: 'freeText', description: 'A link to a page with one text field' },
			{
				name: 'Reply in Chat',
				value: 'replyInChat',
				description: 'The next message that the recipient writes on this channel',
			},
		],
		description: 'How the person answers',
	},
	...approvalFields.map((field) => onlyFor(field, 'approval')),
	...formFields.map((field) => onlyFor(field, 'customForm')),
	onlyFor(choicesField, 'replyInChat'),
	onlyFor(whenAnotherWaitsField, 'approval', 'replyInChat'),
	onlyFor(approvalOptions, 'approval'),
	onlyFor(formOptions, 'freeText', 'customForm'),
	onlyFor(chatOptions, 'replyInChat'),
];
