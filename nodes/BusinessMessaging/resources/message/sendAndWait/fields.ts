import type { INodeProperties } from 'n8n-workflow';

import { channelField, recipientField } from '../../../shared/fields';
import { approvalFields } from './approvalFields';
import { chatNotice, choicesField, whenAnotherWaitsField } from './chatFields';
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

/** Shown, and without a value: see `approvalFields`. */
const onlyForApprovalInChat = (field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: {
		show: { responseType: ['approval'], '/approvalOptions.values.askIn': ['chat'] },
	},
});

/** What a person reads and fills in, in this order. The names are n8n's own where n8n has the same field. */
export const fields: INodeProperties[] = [
	channelField,
	{
		displayName:
			"A question can be sent only within 24 hours of the customer's last message. The node asks once, for the first input item: to ask several people, run it once for each, e.g. in a sub-workflow. An approval can be asked of several people at once.",
		name: 'waitNotice',
		type: 'notice',
		default: '',
	},
	{
		...recipientField,
		description:
			'Who is asked: for an answer, the sender of the received message (sender.identifier)',
	},
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
	onlyForApprovalInChat(chatNotice),
	...formFields.map((field) => onlyFor(field, 'customForm')),
	onlyFor(chatNotice, 'replyInChat'),
	onlyFor(choicesField, 'replyInChat'),
	onlyFor(whenAnotherWaitsField, 'approval', 'replyInChat'),
	onlyFor(approvalOptions, 'approval'),
	onlyFor(formOptions, 'freeText', 'customForm'),
	onlyFor(chatOptions, 'replyInChat'),
];
