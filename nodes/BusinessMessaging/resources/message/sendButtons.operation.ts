import type { INodeProperties } from 'n8n-workflow';

import { CHAT_LIMITS } from '../../service/contract';
import { choiceField, rowsField, TAPPED_BUTTON, textField } from '../../shared/node/fields';
import { readActionButtons, readReplyButtons } from './content/buttons';
import { checkLength } from './content/splitText';
import { sendOperation } from './batch/sendOperation';

const forReplies = { show: { buttonType: ['reply'] } };
const forActions = { show: { buttonType: ['action'] } };

const replyButtonFields = [
	textField('Title', 'title', {
		placeholder: 'e.g. Yes, please',
		description: `The text on the button, up to ${CHAT_LIMITS.buttonTitle} characters`,
	}),
	textField('ID', 'id', {
		placeholder: 'e.g. yes',
		description: `What the trigger gives as ${TAPPED_BUTTON} after a tap. Leave empty to use the number of the button.`,
	}),
];

const actionButtonFields = [
	choiceField('Action', 'action', {
		options: { call: 'Call a Number', url: 'Open a Link' },
		default: 'url',
		description: 'What a tap does',
	}),
	textField('Title', 'title', {
		placeholder: 'e.g. Visit our shop',
		description: 'The text on the button',
	}),
	textField('URL', 'url', {
		placeholder: 'e.g. https://shop.example.com',
		displayOptions: { show: { action: ['url'] } },
		description: 'The http or https address that the button opens',
	}),
	textField('Phone', 'phone', {
		placeholder: 'e.g. 5511988880000',
		displayOptions: { show: { action: ['call'] } },
		description: 'The number that the button calls, with its country code',
	}),
];

export const buttonFields: INodeProperties[] = [
	choiceField('Button Type', 'buttonType', {
		options: {
			action: [
				'Link or Call',
				'Buttons that open a link or call a number. A tap sends nothing to you.',
			],
			reply: [
				'Quick Reply',
				`Up to three buttons. A tap starts the trigger, which gives its text and ${TAPPED_BUTTON}.`,
			],
		},
		default: 'reply',
	}),
	textField('Text', 'text', {
		typeOptions: { rows: 4 },
		required: true,
		placeholder: 'e.g. Shall we come on Monday?',
		description: `The text above the buttons, up to ${CHAT_LIMITS.textWithButtons} characters`,
	}),
	rowsField('Reply Buttons', 'replyButtons', 'Buttons', replyButtonFields, {
		typeOptions: { multipleValues: true, sortable: true, maxAllowedFields: 3 },
		placeholder: 'Add Button',
		displayOptions: forReplies,
		description: 'One to three buttons',
	}),
	rowsField('Action Buttons', 'actionButtons', 'Buttons', actionButtonFields, {
		placeholder: 'Add Button',
		displayOptions: forActions,
		description: 'Buttons that open a link or call a number',
	}),
	textField('Header Media URL', 'headerMediaUrl', {
		placeholder: 'e.g. https://example.com/picture.jpg',
		displayOptions: forReplies,
		description: 'The public address of an image or video to show above the text',
	}),
	choiceField('Header Media Type', 'headerMediaType', {
		options: {
			auto: ['By the File Name', 'By the extension in the address, e.g. .jpg or .mp4'],
			image: 'Image',
			video: 'Video',
		},
		default: 'auto',
		displayOptions: { ...forReplies, hide: { headerMediaUrl: [''] } },
		description: 'The type of the file at the Header Media URL',
	}),
	textField('Header Text', 'headerText', {
		placeholder: 'e.g. Our shop',
		displayOptions: forActions,
		description: 'A line above the text',
	}),
	textField('Footer Text', 'footerText', {
		placeholder: 'e.g. Open from 9 to 18',
		displayOptions: forActions,
		description: 'A line below the text',
	}),
];

export const sendButtons = sendOperation({
	name: 'Send Buttons',
	value: 'sendButtons',
	action: 'Send message with buttons',
	description:
		'Send a text with buttons: quick replies to tap, or buttons that open a link or call a number',
	names: 'messages with buttons',
	fields: buttonFields,
	read: (context, index) => {
		const content =
			context.getNodeParameter('buttonType', index, 'reply') === 'action'
				? readActionButtons(context, index)
				: readReplyButtons(context, index);
		checkLength(content, '"Text"');
		return { content };
	},
});
